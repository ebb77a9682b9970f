"""A player's own mistakes as cards to practise on.

`found` finds the mistakes of a reviewed game, `themes` says what each was about, `schedule` says
when a card returns, `portion` chooses the cards of a day, and `course` is the loss by theme over
time.
"""
