"""The analysis of positions and the review of games.

`registry` finds the analysis of a game by its name. A game without one is refused with
`no-evaluation`.
"""
