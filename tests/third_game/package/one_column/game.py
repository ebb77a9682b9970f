"""The rules of One Column: the game with its options, and its positions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Flag, StrEnum, auto
from typing import Any, ClassVar, Final, Self, cast

from dicecup.core.dice import NO_DICE, Keep, Roll, roll
from dicecup.core.errors import ActionError, PositionError, TextCode, TextError, TurnCode
from dicecup.core.game import Option, Rules
from dicecup.core.ids import id_text, list_options, options_from_id
from dicecup.core.turn import BEGIN, KeptDice, Turn, turn_from_text
from dicecup.core.view import NO_ACTIONS, View
from one_column.actions import ROWS, Action, KeepDice, Write, action_from_text
from one_column.options import DEFAULTS, Options, Order
from one_column.sheet import EMPTY, POSSIBLE, Sheet, sheet_from_text, sheet_text, total, with_points

OVER: Final = "-"
"""The turn in the text of a position that ended the game."""


class Ending(StrEnum):
    """What ended the game."""

    FULL = "full"
    """Every sheet is full."""


class Code(StrEnum):
    """Why an action or a position is refused, besides the codes of `dicecup.core.errors`."""

    ROW_WRITTEN = "row-written"
    ROW_OUT_OF_ORDER = "row-out-of-order"
    UNREACHABLE = "unreachable-position"


class Fault(Flag):
    """What is wrong with a position that can be written down and that no game can reach."""

    SHEETS = auto()
    POINTS = auto()
    ORDER = auto()
    NUMBER = auto()
    TURN = auto()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winners` are the sides with the highest total."""

    end: Ending
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A position of One Column. `sheets` has one sheet for each player; `number` counts the turns
    from 1."""

    game: "OneColumn"
    sheets: tuple[Sheet, ...]
    turn: Turn | None
    number: int

    corrections: ClassVar[View[Action]] = NO_ACTIONS
    finalized_turn: ClassVar[None] = None

    @property
    def waiting(self) -> bool:
        return self.turn is not None and self.turn.waiting

    @property
    def chances(self) -> tuple[tuple[Roll, int], ...]:
        return self.turn.dice.outcomes if self.turn is not None and self.turn.waiting else ()

    @property
    def player(self) -> int | None:
        return None if self.turn is None else self.game.player_of_turn(self.number)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(map(total, self.sheets))

    @property
    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        best = max(self.scores)
        return Outcome(Ending.FULL, tuple(side for side, score in enumerate(self.scores) if score == best))

    @property
    def actions(self) -> View[Action]:
        return View(self._list_actions, self._allows)

    def play(self, action: Action | str) -> "Position":
        given = action_from_text(action) if isinstance(action, str) else action
        refusal = self._refusal(given)
        if refusal is not None:
            raise ActionError(refusal, position=self, action=action)
        return self.play_unchecked(given)

    def play_unchecked(self, action: Action) -> "Position":
        turn = cast(Turn, self.turn)
        if isinstance(action, KeepDice):
            return replace(self, turn=turn.keeping(action.kept))
        player = self.game.player_of_turn(self.number)
        written = with_points(self.sheets[player], action.row, Roll(turn.dice))
        sheets = (*self.sheets[:player], written, *self.sheets[player + 1 :])
        return Position(self.game, sheets, None if self.number == self.game.turns else BEGIN, self.number + 1)

    def roll(self, shown: Roll | str, *, table: bool = False, locked: Keep | None = None) -> "Position":
        fallen = roll(shown) if isinstance(shown, str) else shown
        refusal: TurnCode | None = TurnCode.GAME_OVER
        if self.turn is not None:
            refusal = self.turn.throw_refusal(fallen, KeptDice.FREE, table=table, locked=locked)
        if refusal is not None:
            raise ActionError(refusal, position=self, action=fallen)
        return self.roll_unchecked(fallen)

    def roll_unchecked(self, shown: Roll, locked: Keep | None = None) -> "Position":
        return replace(self, turn=cast(Turn, self.turn).landing(shown, KeptDice.FREE, locked))

    def to_text(self) -> str:
        turn = OVER if self.turn is None else str(self.turn)
        return f"{'|'.join(map(sheet_text, self.sheets))} {turn} {self.number}"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"position({self.game.id!r}, {self.to_text()!r})"

    def _refusal(self, action: Action) -> StrEnum | None:
        """Return why an action is not allowed, `None` for an allowed action."""
        if self.turn is None:
            return TurnCode.GAME_OVER
        if self.turn.waiting:
            return TurnCode.DICE_IN_THE_AIR
        if isinstance(action, KeepDice):
            return self.turn.keep_refusal(action.kept)
        sheet = self.sheets[self.game.player_of_turn(self.number)]
        if sheet[ROWS.index(action.row)] is not None:
            return Code.ROW_WRITTEN
        return None if action.row in self.game.open_rows(sheet) else Code.ROW_OUT_OF_ORDER

    def _allows(self, action: object) -> bool:
        try:
            given = action_from_text(action) if isinstance(action, str) else action
        except TextError:
            return False
        return isinstance(given, KeepDice | Write) and self._refusal(given) is None

    def _list_actions(self) -> Iterator[Action]:
        if self.turn is None or self.turn.waiting:
            return
        yield from map(KeepDice, self.turn.keeps)
        yield from map(Write, self.game.open_rows(self.sheets[self.game.player_of_turn(self.number)]))


@dataclass(frozen=True, slots=True)
class OneColumn(Rules):
    """One Column with one choice for each option."""

    options: Options = DEFAULTS

    name: ClassVar[str] = "one-column"
    option_list: ClassVar[tuple[Option, ...]] = list_options(Options)
    ends: ClassVar[tuple[str, ...]] = tuple(Ending)

    @classmethod
    def from_id(cls, text: str) -> Self:
        return cls(options_from_id(cls.name, Options, text))

    @property
    def id(self) -> str:
        return id_text(self.name, self.options)

    @property
    def players(self) -> int:
        return self.options.players

    @property
    def turns(self) -> int:
        return self.players * len(ROWS)

    def open_rows(self, sheet: Sheet) -> str:
        """Return the rows of a sheet that may be written now."""
        empty = "".join(row for row, written in zip(ROWS, sheet, strict=True) if written is None)
        return empty[:1] if self.options.order is Order.DOWN else empty

    def start(self) -> Position:
        return Position(self, (EMPTY,) * self.players, BEGIN, 1)

    def position(self, text: str) -> Position:
        words = text.split(" ")
        if len(words) != 3 or not (words[2].isascii() and words[2].isdecimal()):
            raise TextError(TextCode.NOT_A_POSITION, text=text)
        turn, marked = (None, False) if words[1] == OVER else turn_from_text(words[1])
        read = Position(self, tuple(map(sheet_from_text, words[0].split("|"))), turn, int(words[2]))
        if marked or read.to_text() != text:
            raise TextError(TextCode.NOT_CANONICAL, text=text, canonical=read.to_text())
        faults = self._faults(read)
        if faults:
            raise PositionError(Code.UNREACHABLE, faults=faults, text=text)
        return read

    def _faults(self, read: Position) -> Fault:
        """Return every fault of a position that was read from a text."""
        if len(read.sheets) != self.players:
            return Fault.SHEETS
        found = Fault(0)
        over = read.number == self.turns + 1
        for player, sheet in enumerate(read.sheets):
            written = [row for row, points in zip(ROWS, sheet, strict=True) if points is not None]
            if len(written) != (read.number - 2 - player) // self.players + 1:
                found |= Fault.NUMBER
            if any(sheet[ROWS.index(row)] not in POSSIBLE[row] for row in written):
                found |= Fault.POINTS
            if self.options.order is Order.DOWN and "".join(written) != ROWS[: len(written)]:
                found |= Fault.ORDER
        if (read.turn is None) != over or (read.turn is not None and read.turn.locked is not NO_DICE):
            found |= Fault.TURN
        return found

    def action(self, text: str) -> Action:
        return action_from_text(text)

    def state(self, position: Any) -> dict[str, Any]:
        return {"sheets": [dict(zip(ROWS, sheet, strict=True)) for sheet in position.sheets]} | Rules.state(self, position)
