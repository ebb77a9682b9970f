"""Tables: where games are kept, shared and fair. Knows no HTTP and no sockets.

A table is one story of numbered events (`story`). `decide` says what a command makes of it, `due` what time does; both are pure:
the clock, the secret of the dice and who is away are handed in. `views` is what a seat may know.
"""
