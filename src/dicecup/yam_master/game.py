"""The rules of Yam Master as a value: a board and the chosen options."""

from dataclasses import dataclass, field

from dicecup.core.turn import BEGIN
from dicecup.yam_master.actions import Action, action_from_text
from dicecup.yam_master.board import BOARD, Board, Side, Squares
from dicecup.yam_master.held import HeldSquares, held_squares
from dicecup.yam_master.options import DEFAULTS, NAME, Options
from dicecup.yam_master.position import Position
from dicecup.yam_master.text import read_position


@dataclass(frozen=True)
class YamMaster:
    """Yam Master with these options. Other boards than the maker's serve the engine; no game id names them."""

    options: Options = DEFAULTS
    board: Board = BOARD
    name: str = field(default=NAME, init=False, repr=False, compare=False)
    held: HeldSquares = field(init=False, repr=False, compare=False)
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
