"""The rules of Yam Master as a value: a board and the chosen options."""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from dicecup.core.dice import ROLLS, Roll
from dicecup.core.turn import BEGIN
from dicecup.yam_master.actions import Action, action_from_text
from dicecup.yam_master.board import BOARD, Board, Side, Squares
from dicecup.yam_master.figures import BIG_ROLLS, FIGURES, Figure
from dicecup.yam_master.options import NAME, FailedDefi, Options
from dicecup.yam_master.position import Position
from dicecup.yam_master.text import read_position


@dataclass(frozen=True)
class YamMaster:
    """Yam Master with these options. Other boards than the maker's serve the engine; no game id names them."""

    options: Options = Options()
    board: Board = BOARD
    name: str = field(default=NAME, init=False, repr=False, compare=False)
    held: "HeldSquares" = field(init=False, repr=False, compare=False)
    """The squares whose figure holds: `held[stage][roll.index - FIRST_ROLL]`, see `held_squares`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", held_squares(self.board, self.options.failed_defi))

    @property
    def id(self) -> str:
        """The canonical game id; it names the options, never the board."""
        return self.options.id

    def start(self) -> Position:
        """The first position: an empty board, x to move."""
        tokens = self.board.tokens
        return Position(self, Squares(0), Squares(0), Side.X, BEGIN, False, (tokens, tokens), 1)

    def position(self, text: str) -> Position:
        """The position of a canonical text. Raises `TextError`, or `PositionError` with all its faults."""
        return read_position(self, text)

    def action(self, text: str) -> Action:
        """The action of a canonical text. Raises `TextError`."""
        return action_from_text(text)


HeldSquares = tuple[tuple[Squares, ...], ...]

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
