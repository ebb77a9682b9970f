"""The actions of Yamm. Each action has one canonical text (docs/notation.md, Actions)."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from dicecup.core.dice import KEEPS, NO_DICE, Keep
from dicecup.core.errors import TextCode, TextError
from dicecup.yamm.sheet import CELLS, Cell, cell


@dataclass(frozen=True, slots=True)
class KeepDice:
    """Keep these dice and throw the others: `k33`, `k-`."""

    kept: Keep
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return f"k{self.kept.text if self.kept is not NO_DICE else '-'}"


@dataclass(frozen=True, slots=True)
class Write:
    """End the turn and write the dice into a cell: `f1.FH`."""

    cell: Cell
    kept: ClassVar[None] = None
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return self.cell


@dataclass(frozen=True, slots=True)
class Correct:
    """Move the result of the last turn of a sheet to another cell: `16. > f2.Y`."""

    turn: int
    cell: Cell
    kept: ClassVar[None] = None

    @property
    def corrects(self) -> int:
        """Return `turn`."""
        return self.turn

    def __str__(self) -> str:
        return f"{self.turn}. > {self.cell}"


Action: TypeAlias = KeepDice | Write | Correct

KEEP_ACTIONS: Final = tuple(map(KeepDice, KEEPS))
"""The actions that keep dice, by the index of the keep."""
_BY_TEXT: Final[dict[str, KeepDice | Write]] = {
    **{str(action): action for action in KEEP_ACTIONS},
    **{name: Write(written) for name, written in CELLS.items()},
}
_CORRECTION: Final = re.compile(r"([1-9][0-9]{0,3})\. > (.*)", re.ASCII)


def action_from_text(text: str) -> Action:
    """Return the action of a text, allowed or not.

    Raises `TextError` (`not-an-action`, `not-a-cell`).
    """
    known = _BY_TEXT.get(text)
    if known is not None:
        return known
    correction = _CORRECTION.fullmatch(text)
    if correction is not None:
        return Correct(int(correction[1]), cell(correction[2]))
    raise TextError(TextCode.NOT_A_CELL if "." in text else TextCode.NOT_AN_ACTION, text=text)
