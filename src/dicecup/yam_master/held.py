"""Which squares' figures the dice hold, at each stage of a turn, for every roll."""

from functools import cache
from typing import Final, TypeAlias

from dicecup.core.dice import ROLLS, Roll
from dicecup.yam_master.board import Board, Squares
from dicecup.yam_master.figures import BIG_ROLLS, FIGURES, Figure
from dicecup.yam_master.options import FailedDefi

HeldSquares: TypeAlias = tuple[tuple[Squares, ...], ...]

FIRST_THROW: Final = 0
LATER_THROW: Final = 1
UNDER_DEFI: Final = 2


@cache
def held_squares(board: Board, failed_defi: FailedDefi) -> HeldSquares:
    """For each stage of a turn (`FIRST_THROW`, `LATER_THROW`, `UNDER_DEFI`) and each of the 252 rolls the squares whose figure
    holds (RULES, Figures and A turn). Under a Défi without a big figure nothing can be placed, unless a failed Défi is ignored."""
    return tuple(tuple(_held(board, failed_defi, stage, shown) for shown in ROLLS) for stage in range(3))


def _held(board: Board, failed_defi: FailedDefi, stage: int, shown: Roll) -> Squares:
    held = set(FIGURES[shown])
    if shown in BIG_ROLLS:
        held |= {FIRST_THROW: {Figure.SEC}, LATER_THROW: set(), UNDER_DEFI: {Figure.DEFI}}[stage]
    elif stage == UNDER_DEFI and failed_defi is FailedDefi.TURN_LOST:
        held = set()
    return Squares(sum(1 << place for place, figure in enumerate(board.figures) if figure in held))
