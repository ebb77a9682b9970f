"""The squares whose figure a roll holds, for each stage of a turn."""

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
    """Return the squares whose figure holds, as `held[stage][roll index]` (docs/rules.md, Figures
    and A turn).

    The stages are `FIRST_THROW`, `LATER_THROW` and `UNDER_DEFI`. Under a Défi a roll without a big
    figure holds no square, unless the option `failed_defi` is `ignored`.
    """
    return tuple(tuple(_held(board, failed_defi, stage, shown) for shown in ROLLS) for stage in range(3))


def _held(board: Board, failed_defi: FailedDefi, stage: int, shown: Roll) -> Squares:
    """Return the squares whose figure one roll holds at one stage."""
    held = set(FIGURES[shown])
    if shown in BIG_ROLLS:
        held |= {FIRST_THROW: {Figure.SEC}, LATER_THROW: set(), UNDER_DEFI: {Figure.DEFI}}[stage]
    elif stage == UNDER_DEFI and failed_defi is FailedDefi.TURN_LOST:
        held = set()
    return Squares(sum(1 << place for place, figure in enumerate(board.figures) if figure in held))
