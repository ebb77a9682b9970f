"""The rules of Yam Master as a value: a board and the chosen options."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from dicecup.core.game import LEVELS, FirstPlayer, Option, Scoring
from dicecup.core.turn import BEGIN
from dicecup.yam_master.actions import Action, action_from_text
from dicecup.yam_master.board import BOARD, Board, Side, Squares
from dicecup.yam_master.held import HeldSquares, held_squares
from dicecup.yam_master.options import DEFAULTS, NAME, OPTIONS, Options
from dicecup.yam_master.position import Ending, Position
from dicecup.yam_master.text import board_rows, read_position

_RESULT: Final = re.compile(r"(?:[xo]|draw) (?:0|[1-9][0-9]*)-(?:0|[1-9][0-9]*)", re.ASCII)


@dataclass(frozen=True)
class YamMaster:
    """Yam Master with these options. Other boards than the maker's serve the engine; no game id names them."""

    options: Options = DEFAULTS
    board: Board = BOARD
    held: HeldSquares = field(init=False, repr=False, compare=False)
    """The squares whose figure holds: `held[stage][roll.index - FIRST_ROLL]`, see `held_squares`."""

    name: ClassVar[str] = NAME
    option_list: ClassVar[tuple[Option, ...]] = OPTIONS
    levels: ClassVar[tuple[str, ...]] = LEVELS
    ends: ClassVar[tuple[str, ...]] = tuple(Ending)
    first_player: ClassVar[FirstPlayer] = FirstPlayer.LOT
    scoring: ClassVar[Scoring] = Scoring.WINS
    players: ClassVar[int] = 2
    sides: ClassVar[int] = 2
    turns: ClassVar[None] = None
    player_tags: ClassVar[tuple[str, ...]] = ("X", "O")

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", held_squares(self.board, self.options.failed_defi))

    @property
    def id(self) -> str:
        """The canonical game id; it names the options, never the board."""
        return self.options.id

    @classmethod
    def from_id(cls, text: str) -> Self:
        """Return the rules of a canonical game id, on the maker's board. Raises `GameError`."""
        return cls(Options.from_id(text))

    def player_of_turn(self, turn: int) -> int:
        """Return the player who throws in a turn: x in odd turns, o in even ones."""
        return (turn - 1) % 2

    def side_of_player(self, player: int) -> int:
        """Return `player`: each player is a side."""
        return player

    def writer_of_turn(self, turn: int, people: Sequence[bool], named: Collection[int]) -> int:  # noqa: ARG002 nobody writes here
        """Return the player who throws in the turn."""
        return self.player_of_turn(turn)

    def accepts_writers(self, people: Sequence[bool], named: Collection[int]) -> bool:  # noqa: ARG002 the same
        """Return whether no writer is named: nothing is written in this game."""
        return not named

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

    def winners_without(self, position: Position, player: int) -> tuple[int, ...]:  # noqa: ARG002 the position decides nothing
        """Return the other side."""
        return (1 - player,)

    def result(self, position: Position, winners: Collection[int]) -> str:
        """Return the tag `Result`: `x 5-3`, or `draw 2-2` unless exactly one side wins."""
        winner = "xo"[next(iter(winners))] if len(winners) == 1 else "draw"
        return f"{winner} {position.points[0]}-{position.points[1]}"

    def is_result(self, text: str) -> bool:
        """Return whether a text has the form `x 5-3`."""
        return _RESULT.fullmatch(text) is not None

    def check_tags(self, tags: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002 no tag is this game's alone
        """Return no tag: Yam Master has no tags of its own."""
        return {}

    def state(self, position: Position) -> dict[str, Any]:
        """Return board, supplies, points, outcome and actions, as docs/notation.md describes them."""
        outcome = position.outcome
        winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
        return {
            "board": list(board_rows(self.board, position.x, position.o)),
            "supplies": list(position.supplies),
            "points": list(position.points),
            "outcome": None if outcome is None else {"end": str(outcome.end), "winner": winner},
            "actions": list(map(str, position.actions)),
        }
