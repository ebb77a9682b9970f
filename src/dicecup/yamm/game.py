"""The rules of Yamm: the game with its options and sheet, and its positions.

`Yamm` makes positions and a `Position` names its game, so both are defined in this module.
`Position.play` and `Position.roll` check their arguments; the methods ending in `_unchecked` do
not.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Final, Self, TypeAlias, cast

from dicecup.core import dice
from dicecup.core.dice import Keep, Roll
from dicecup.core.errors import ActionError, PositionError, TextError, TurnCode
from dicecup.core.game import LEVELS, Option, Rules
from dicecup.core.ids import id_text, list_options, options_from_id
from dicecup.core.turn import BEGIN, Turn
from dicecup.core.view import View
from dicecup.yamm.actions import KEEP_ACTIONS, Action, Correct, KeepDice, Write, action_from_text
from dicecup.yamm.codes import ActionCode, PositionCode
from dicecup.yamm.faults import faults_of
from dicecup.yamm.options import DEFAULTS, Options
from dicecup.yamm.seats import (
    last_turn,
    named_writers,
    players_of_sheet,
    sheet_of_turn,
    writers_from_text,
)
from dicecup.yamm.sheet import SHEET, Preview, Result, Sheet, SheetSpec
from dicecup.yamm.text import Draft, draft_from_text

_NO_CHANCES: Final[tuple[tuple[Roll, int], ...]] = ()
Ink: TypeAlias = tuple[Result | None, ...]
"""For each sheet its last result while a correction may still move it, else `None`."""


class Ending(StrEnum):
    """What ended the game."""

    FULL = "full"
    """Every sheet is full."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winners`: the sheets with the highest total, which share the win.
    `totals`: the grand total of each sheet.
    """

    end: Ending
    winners: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A position of Yamm. `Yamm.start` and `Yamm.position` make positions, and `play` and `roll`
    return the next one.

    `sheets` hold the final results; `wet` holds the results that a correction may still move;
    `written` has both. `turn` is `None` when the game is over. `number` counts turns from 1; after
    the end it is one more than the last turn.
    """

    game: "Yamm"
    sheets: tuple[Sheet, ...]
    wet: Ink
    turn: Turn | None
    number: int

    # State

    @property
    def waiting(self) -> bool:
        """Return whether dice are in the air, so that a throw is due and no action."""
        return self.turn is not None and self.turn.waiting

    @property
    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return every roll that can fall now with its integer weight, ascending; empty while no
        dice are in the air.
        """
        return self.turn.dice.outcomes if self.turn is not None and self.turn.waiting else _NO_CHANCES

    @property
    def player(self) -> int | None:
        """Return the player whose turn it is, `None` when the game is over."""
        return None if self.turn is None else self.game.player_of_turn(self.number)

    @property
    def sheet(self) -> int | None:
        """Return the index of the sheet of this turn, `None` when the game is over."""
        return None if self.turn is None else sheet_of_turn(self.game.options, self.number)

    @property
    def finalized_turn(self) -> int | None:
        """Return the sheet's previous turn if the throw that is due makes its result final, else
        `None`.
        """
        if self.sheet is None or self.turn is None or self.turn.throws or self.wet[self.sheet] is None:
            return None
        return last_turn(self.game.options, self.sheet, self.number)

    @property
    def scores(self) -> tuple[int, ...]:
        """Return the grand total of each sheet so far, including results that a correction may
        still move.
        """
        return tuple(sheet.total for sheet in self.written)

    @property
    def written(self) -> tuple[Sheet, ...]:
        """Return the sheets with the results that a correction may still move. Screens and scores
        use these sheets.
        """
        return _dried(self.sheets, self.wet)

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, `None` while it runs."""
        if self.turn is not None:
            return None
        totals = tuple(sheet.total for sheet in self.sheets)
        best = max(totals)
        return Outcome(Ending.FULL, tuple(place for place, total in enumerate(totals) if total == best), totals)

    @property
    def actions(self) -> View[Action]:
        """Return the allowed keeps, fewest dice first, and the open cells; none while dice are in
        the air.
        """
        return View(self._list_actions, lambda action: self._allows(action, KeepDice | Write))

    @property
    def corrections(self) -> View[Action]:
        """Return the allowed corrections, ordered by turn and then by cell."""
        return View(self._list_corrections, lambda action: self._allows(action, Correct))

    def preview(self, action: Write | Correct | str) -> Preview:
        """Return the points that an action would write, and whether it would strike H and T. Raises
        the errors of `play`.
        """
        action = cast(Write | Correct, self._checked(action))
        place, result = self._result(action)
        return self.sheets[place].preview(result.cell, result.roll)

    # Steps

    def play(self, action: Action | str) -> "Position":
        """Return the position after an action or its text.

        Raises `ActionError` for an action that is not allowed and `TextError` for an unreadable
        text.
        """
        return self.play_unchecked(self._checked(action))

    def play_unchecked(self, action: Action) -> "Position":
        """Return the position after an action that is known to be allowed."""
        turn = cast(Turn, self.turn)
        if type(action) is KeepDice:
            return Position(self.game, self.sheets, self.wet, turn.keeping(action.kept), self.number)
        place, result = self._result(cast(Write | Correct, action))
        wet = (*self.wet[:place], result, *self.wet[place + 1 :])
        if type(action) is Correct:
            return Position(self.game, self.sheets, wet, turn, self.number)
        if self.number == self.game.turns:
            return Position(self.game, _dried(self.sheets, wet), (None,) * len(wet), None, self.number + 1)
        return Position(self.game, self.sheets, wet, BEGIN, self.number + 1)

    def roll(self, shown: Roll | str, *, table: bool = False, locked: Keep | None = None) -> "Position":
        """Return the position after a throw that shows these five dice.

        The dice must contain the kept dice unless `table` is true, because a real die may be
        knocked over. Under `kept_dice=locked` the second throw of real dice must name the `locked`
        dice if they differ from the kept dice. Raises `ActionError`, and `DiceError` for an
        unreadable text.
        """
        if isinstance(shown, str):
            shown = dice.roll(shown)
        code: TurnCode | None = TurnCode.GAME_OVER
        if self.turn is not None:
            code = self.turn.throw_refusal(shown, self.game.options.kept_dice, table=table, locked=locked)
        if code is not None:
            raise ActionError(code, position=self, action=shown)
        return self.roll_unchecked(shown, locked)

    def roll_unchecked(self, shown: Roll, locked: Keep | None = None) -> "Position":
        """Return the position after a throw that is known to be possible."""
        turn = cast(Turn, self.turn)
        options = self.game.options
        after = turn.landing(shown, options.kept_dice, locked)
        if turn.throws:
            return Position(self.game, self.sheets, self.wet, after, self.number)
        # The first throw of a sheet's turn makes the result of its previous turn final.
        place = sheet_of_turn(options, self.number)
        result = self.wet[place]
        if result is None:
            return Position(self.game, self.sheets, self.wet, after, self.number)
        sheets = (*self.sheets[:place], self.sheets[place].with_result(result), *self.sheets[place + 1 :])
        wet = (*self.wet[:place], None, *self.wet[place + 1 :])
        return Position(self.game, sheets, wet, after, self.number)

    # Checking

    def _checked(self, action: Action | str) -> Action:
        """Return an action or the action of a text. Raises `TextError`, and `ActionError` for an
        action that is not allowed.
        """
        read = action_from_text(action) if isinstance(action, str) else action
        code = self.refusal(read)
        if code is not None:
            raise ActionError(code, position=self, action=action)
        return read

    def refusal(self, action: Action) -> ActionCode | TurnCode | None:
        """Return why an action is not allowed, `None` for an allowed action."""
        turn = self.turn
        if turn is None:
            return TurnCode.GAME_OVER
        if type(action) is Correct:
            return self._correction_refusal(action)
        if turn.waiting:
            return TurnCode.DICE_IN_THE_AIR
        if type(action) is Write:
            return self.sheets[sheet_of_turn(self.game.options, self.number)].refusal(action.cell)
        return turn.keep_refusal(cast(KeepDice, action).kept)

    def _correction_refusal(self, action: Correct) -> ActionCode | None:
        """Return why a correction is not allowed, `None` for an allowed one.

        A result may move until the next turn of its sheet begins, to a cell that was open before
        the result was written.
        """
        if not 1 <= action.turn < self.number:
            return ActionCode.NO_SUCH_RESULT
        place = sheet_of_turn(self.game.options, action.turn)
        result = self.wet[place]
        if result is None or action.turn != last_turn(self.game.options, place, self.number):
            return ActionCode.CORRECTION_TOO_LATE
        return ActionCode.SAME_CELL if result.cell == action.cell else self.sheets[place].refusal(action.cell)

    # Listing

    def _list_actions(self) -> Iterator[Action]:
        """Yield the allowed actions in their pinned order."""
        if self.turn is None or self.turn.waiting:
            return
        for kept in self.turn.keeps:
            yield KEEP_ACTIONS[kept.index]
        yield from map(Write, self.sheets[sheet_of_turn(self.game.options, self.number)].open_cells)

    def _list_corrections(self) -> Iterator[Action]:
        """Yield the allowed corrections. Only the results of the last round can be moved, one for
        each sheet.
        """
        for turn in range(max(1, self.number - len(self.sheets)), self.number):
            place = sheet_of_turn(self.game.options, turn)
            result = self.wet[place]
            if result is not None:
                yield from (Correct(turn, name) for name in self.sheets[place].open_cells if name != result.cell)

    def _allows(self, action: object, kind: object) -> bool:
        """Return whether an action or its text is allowed and of the class or union `kind`."""
        try:
            read = action_from_text(action) if isinstance(action, str) else action
        except TextError:
            return False
        return isinstance(read, kind) and self.refusal(read) is None  # type: ignore[arg-type]

    def _result(self, action: Write | Correct) -> tuple[int, Result]:
        """Return the index of the sheet that an action writes on, and the result that it writes."""
        if type(action) is Correct:
            place = sheet_of_turn(self.game.options, action.turn)
            return place, cast(Result, self.wet[place])._replace(cell=action.cell)
        turn = cast(Turn, self.turn)
        return sheet_of_turn(self.game.options, self.number), Result(action.cell, turn.throws, Roll(turn.dice))

    # Text

    def to_text(self) -> str:
        """Return the canonical text (docs/notation.md, Positions)."""
        return str(Draft(self.sheets, self.wet, self.turn, self.number))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"position({self.game.id!r}, {str(self)!r})"


@lru_cache(maxsize=1024)
def _dried(sheets: tuple[Sheet, ...], wet: Ink) -> tuple[Sheet, ...]:
    """Return the sheets with these results written."""
    return tuple(sheet if result is None else sheet.with_result(result) for sheet, result in zip(sheets, wet, strict=True))


@dataclass(frozen=True, slots=True)
class Yamm(Rules):
    """Yamm with these options. A game id always means the printed sheet; smaller sheets serve tests
    of the engine.
    """

    options: Options = DEFAULTS
    sheet: SheetSpec = SHEET
    turns: int = field(init=False, repr=False, compare=False)
    """The number of turns of a game: the cells of all sheets."""

    name: ClassVar[str] = "yamm"
    option_list: ClassVar[tuple[Option, ...]] = list_options(Options)
    levels: ClassVar[tuple[str, ...]] = LEVELS
    ends: ClassVar[tuple[str, ...]] = tuple(Ending)

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self.options.sheets * len(self.sheet.cells))

    @property
    def id(self) -> str:
        """Return the canonical game id. It holds the options and not the sheet."""
        return id_text(self.name, self.options)

    @property
    def players(self) -> int:
        """Return the number of players."""
        return self.options.players

    @property
    def sides(self) -> int:
        """Return the number of sheets."""
        return self.options.sheets

    @classmethod
    def from_id(cls, text: str) -> Self:
        """Return the rules of a canonical game id, on the printed sheet. Raises `GameError`."""
        return cls(options_from_id(cls.name, Options, text))

    def side_of_player(self, player: int) -> int:
        """Return the sheet of a player."""
        return player % self.sides

    def writer_of_turn(self, turn: int, people: Sequence[bool], named: Collection[int]) -> int:
        """Return the player who writes the result of a turn and may correct it.

        This is the writer named for the pair, else the player who throws. People do not write for
        computers, nor computers for people.
        """
        thrower = self.player_of_turn(turn)
        pair = players_of_sheet(self.options, sheet_of_turn(self.options, turn))
        return next((player for player in named if player in pair and people[player] == people[thrower]), thrower)

    def accepts_writers(self, people: Sequence[bool], named: Collection[int]) -> bool:
        """Return whether these players can write for their pairs.

        A pair has at most one writer. Both players of a pair with a writer are people, or both are
        computers.
        """
        return named_writers(self.options, people, named) is not None

    def start(self) -> Position:
        """Return the position before the first throw."""
        count = self.options.sheets
        return Position(self, (self.sheet.empty,) * count, (None,) * count, BEGIN, 1)

    def position(self, text: str) -> Position:
        """Return the position of a canonical text.

        Raises `TextError` for an unreadable text and `PositionError` (`unreachable-position`) with
        every fault for a position that no game can reach.
        """
        draft = draft_from_text(self.sheet, text)
        faults = faults_of(draft, self.options, self.sheet)
        if faults:
            raise PositionError(PositionCode.UNREACHABLE, faults=faults, text=text)
        return Position(self, draft.sheets, draft.wet, draft.turn, draft.number)

    def action(self, text: str) -> Action:
        """Return the action of a canonical text, allowed or not. Raises `TextError`."""
        return action_from_text(text)

    def check_tags(self, tags: Mapping[str, str]) -> Mapping[str, str]:
        """Return `Writer` where its value cannot be read."""
        if "Writer" not in tags:
            return {}
        try:
            writers_from_text(self.options, tags["Writer"])
        except TextError:
            return {"Writer": tags["Writer"]}
        return {}

    def state(self, position: Position) -> dict[str, Any]:
        """Return sheets, outcome, actions and corrections in the form of docs/notation.md.

        The sheets count results that a correction can still move.
        """
        outcome = position.outcome
        ended = outcome and {"end": str(outcome.end), "winners": list(outcome.winners), "totals": list(outcome.totals)}
        return {
            "sheets": [_sheet_state(sheet) for sheet in position.written],
            "outcome": ended,
            "actions": list(map(str, position.actions)),
            "corrections": list(map(str, position.corrections)),
        }


def _sheet_state(sheet: Sheet) -> dict[str, Any]:
    """Return the cells, sums and bonuses of a sheet as plain values."""
    columns, rows = sheet.spec.columns, sheet.spec.rows
    return {
        "columns": {name: dict(zip(rows, cells, strict=True)) for name, cells in zip(columns, sheet.columns, strict=True)},
        "upper": {name: sheet.upper(name) for name in columns},
        "bonus": {name: sheet.bonus(name) for name in columns},
        "column_totals": {name: sheet.column_total(name) for name in columns},
        "first_throw_yamms": sheet.first_throw_yamms,
        "total": sheet.total,
    }
