"""The course of a game as a curve: the expected result before each turn."""

from typing import NamedTuple

from dicecup.analysis.registry import analysis_of
from dicecup.analysis.reviewed import Review


class Curve(NamedTuple):
    """The expected result of a side before each turn and at the end.

    The turns are those of the side's sheet, or all turns of a game in which two sides share the
    win.
    """

    side: int
    values: tuple[float, ...]


def curves(review: Review) -> tuple[Curve, ...]:
    """Return the curve of every side; where two sides share the win, that of side 0 alone."""
    if analysis_of(review.game).shared_win:
        befores = [[1 - turn.before if turn.side else turn.before for turn in review.turns]]
    else:
        befores = [[turn.before for turn in review.turns if turn.side == side] for side in range(len(review.sides))]
    return tuple(Curve(side, (*before, review.sides[side].expected)) for side, before in enumerate(befores))


def place(review: Review, turn: int) -> int:
    """Return the index of the value before a turn on its curve."""
    return (turn - 1) // (1 if analysis_of(review.game).shared_win else len(review.sides))
