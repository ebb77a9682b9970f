"""The rules of Yamm as a value: the options and the sheet."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

from dicecup.core.errors import PositionError
from dicecup.core.turn import BEGIN
from dicecup.yamm.actions import Action, action_from_text
from dicecup.yamm.codes import PositionCode
from dicecup.yamm.faults import faults_of
from dicecup.yamm.options import DEFAULTS, NAME, Options
from dicecup.yamm.position import Position
from dicecup.yamm.sheet import SHEET, SheetSpec
from dicecup.yamm.text import draft_from_text


@dataclass(frozen=True, slots=True)
class Yamm:
    """Yamm with these options. Other sheets than the printed one serve the engine; no game id names them."""

    options: Options = DEFAULTS
    sheet: SheetSpec = SHEET
    turns: int = field(init=False, repr=False, compare=False)
    """How many turns a game has: the cells of all sheets."""

    name: ClassVar[str] = NAME

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self.options.sheets * len(self.sheet.cells))

    @property
    def id(self) -> str:
        """The canonical game id; it names the options, never the sheet."""
        return self.options.id

    @classmethod
    def from_id(cls, text: str) -> Self:
        """The game of a canonical id. Raises `GameError`."""
        return cls(Options.from_id(text))

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
