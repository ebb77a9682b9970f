"""The rules of Yamm as a value: the options and the sheet."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from dicecup.core.errors import PositionError, TextError
from dicecup.core.game import LEVELS, FirstPlayer, Option, Scoring
from dicecup.core.start import StartingRoll
from dicecup.core.turn import BEGIN
from dicecup.yamm.actions import Action, action_from_text
from dicecup.yamm.codes import PositionCode
from dicecup.yamm.faults import faults_of
from dicecup.yamm.options import DEFAULTS, NAME, OPTIONS, Options
from dicecup.yamm.position import Ending, Position
from dicecup.yamm.seats import named_writers, player_of_turn, players_of_sheet, sheet_of_turn, writers_from_text
from dicecup.yamm.sheet import SHEET, Sheet, SheetSpec
from dicecup.yamm.text import draft_from_text

_TOTAL: Final = re.compile("0|[1-9][0-9]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Yamm:
    """Yamm with these options. Other sheets than the printed one serve the engine; no game id names them."""

    options: Options = DEFAULTS
    sheet: SheetSpec = SHEET
    turns: int = field(init=False, repr=False, compare=False)
    """How many turns a game has: the cells of all sheets."""

    name: ClassVar[str] = NAME
    option_list: ClassVar[tuple[Option, ...]] = OPTIONS
    levels: ClassVar[tuple[str, ...]] = LEVELS
    ends: ClassVar[tuple[str, ...]] = tuple(Ending)
    first_player: ClassVar[FirstPlayer] = FirstPlayer.STARTING_ROLL
    scoring: ClassVar[Scoring] = Scoring.TOTALS

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self.options.sheets * len(self.sheet.cells))

    @property
    def id(self) -> str:
        """The canonical game id; it names the options, never the sheet."""
        return self.options.id

    @property
    def players(self) -> int:
        """Return the number of players."""
        return self.options.players

    @property
    def sides(self) -> int:
        """Return the number of sheets."""
        return self.options.sheets

    @property
    def player_tags(self) -> tuple[str, ...]:
        """Return `P1`, `P2` and so on."""
        return tuple(f"P{player + 1}" for player in range(self.players))

    @classmethod
    def from_id(cls, text: str) -> Self:
        """The game of a canonical id. Raises `GameError`."""
        return cls(Options.from_id(text))

    def player_of_turn(self, turn: int) -> int:
        """Return the player who throws in a turn, counted from 1."""
        return player_of_turn(self.options, turn)

    def side_of_player(self, player: int) -> int:
        """Return the sheet that a player's turns are written on."""
        return player % self.sides

    def writer_of_turn(self, turn: int, people: Sequence[bool], named: Collection[int]) -> int:
        """Return the player who writes and may correct the result of a turn: the writer named for the pair, else the thrower.

        A person does not write for a computer, nor a computer for a person.
        """
        thrower = self.player_of_turn(turn)
        pair = players_of_sheet(self.options, sheet_of_turn(self.options, turn))
        return next((player for player in named if player in pair and people[player] == people[thrower]), thrower)

    def accepts_writers(self, people: Sequence[bool], named: Collection[int]) -> bool:
        """Return whether these players can write for their pairs: at most one of each, and only for a partner of the same kind."""
        return named_writers(self.options, people, named) is not None

    def start(self) -> Position:
        """The position before the first throw."""
        count = self.options.sheets
        return Position(self, (self.sheet.empty,) * count, (None,) * count, BEGIN, 1)

    def position(self, text: str) -> Position:
        """The position of this text. Raises `TextError` where it is unreadable, `PositionError` (`unreachable-position`, with
        all its faults) where no game can reach it."""
        draft = draft_from_text(self.sheet, text)
        faults = faults_of(draft, self.options, self.sheet)
        if faults:
            raise PositionError(PositionCode.UNREACHABLE, faults=faults, text=text)
        return Position(self, draft.sheets, draft.wet, draft.turn, draft.number)

    def action(self, text: str) -> Action:
        """The action of this text. Raises `TextError`."""
        return action_from_text(text)

    def winners_without(self, position: Position, player: int) -> tuple[int, ...]:
        """Return the sheets with the highest total among the sheets of the other players."""
        totals = {sheet: total for sheet, total in enumerate(position.scores) if sheet != self.side_of_player(player)}
        return tuple(sheet for sheet, total in totals.items() if total == max(totals.values()))

    def result(self, position: Position, winners: Collection[int]) -> str:  # noqa: ARG002 the tag Winners names them
        """Return the tag `Result`: the totals in sheet order."""
        return " ".join(map(str, position.scores))

    def is_result(self, text: str) -> bool:
        """Return whether a text holds one total for each sheet."""
        totals = text.split(" ")
        return len(totals) == self.sides and all(map(_TOTAL.fullmatch, totals))

    def check_tags(self, tags: Mapping[str, str]) -> Mapping[str, str]:
        """Return `Start` and `Writer` where their values cannot be read or the starting roll is not finished."""
        return {name: tags[name] for name in ("Start", "Writer") if name in tags and not self._reads_tag(name, tags[name])}

    def _reads_tag(self, name: str, text: str) -> bool:
        try:
            if name == "Writer":
                writers_from_text(self.options, text)
                return True
            return StartingRoll.from_text(text, self.players).starter is not None
        except TextError:
            return False

    def state(self, position: Position) -> dict[str, Any]:
        """Return sheets, outcome, actions and corrections, as docs/notation.md describes them. Results that can move count."""
        outcome = position.outcome
        ended = outcome and {"end": str(outcome.end), "winners": list(outcome.winners), "totals": list(outcome.totals)}
        return {
            "sheets": [_sheet_state(sheet) for sheet in position.written],
            "outcome": ended,
            "actions": list(map(str, position.actions)),
            "corrections": list(map(str, position.corrections)),
        }


def _sheet_state(sheet: Sheet) -> dict[str, Any]:
    columns, rows = sheet.spec.columns, sheet.spec.rows
    return {
        "columns": {name: dict(zip(rows, cells, strict=True)) for name, cells in zip(columns, sheet.columns, strict=True)},
        "upper": {name: sheet.upper(name) for name in columns},
        "bonus": {name: sheet.bonus(name) for name in columns},
        "column_totals": {name: sheet.column_total(name) for name in columns},
        "first_throw_yamms": sheet.first_throw_yamms,
        "total": sheet.total,
    }
