"""The course of a game as a curve: what was expected of it before each turn."""

from typing import NamedTuple

from dicecup.analysis.reviewed import Review
from dicecup.yamm import Yamm


class Curve(NamedTuple):
    """`values`: before each turn (of the sheet, or of Yam Master), and at the end; `side`: whose expectation it is."""

    side: int
    values: tuple[float, ...]


def curves(review: Review) -> tuple[Curve, ...]:
    """The expected total of every sheet; of Yam Master the chance of x, since that of o is the rest."""
    if isinstance(review.game, Yamm):
        befores = [[turn.before for turn in review.turns if turn.side == side] for side in range(len(review.sides))]
    else:
        befores = [[1 - turn.before if turn.side else turn.before for turn in review.turns]]
    return tuple(Curve(side, (*before, review.sides[side].expected)) for side, before in enumerate(befores))


def place(review: Review, turn: int) -> int:
    """Where on its curve a turn begins."""
    return (turn - 1) // (len(review.sides) if isinstance(review.game, Yamm) else 1)
