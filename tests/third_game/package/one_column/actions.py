"""The actions of One Column and their texts: `k33` keeps dice, `w4` writes row 4."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from dicecup.core.dice import KEEPS, Keep
from dicecup.core.errors import TextCode, TextError

ROWS: Final = "123456AS"
"""The rows from the top."""


@dataclass(frozen=True, slots=True)
class KeepDice:
    """Keep these dice and throw the others."""

    kept: Keep
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return f"k{self.kept.text or '-'}"


@dataclass(frozen=True, slots=True)
class Write:
    """Write the dice into a row and end the turn."""

    row: str
    kept: ClassVar[None] = None
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return f"w{self.row}"


Action: TypeAlias = KeepDice | Write

_ACTIONS: Final[tuple[Action, ...]] = (*map(KeepDice, KEEPS), *map(Write, ROWS))
_BY_TEXT: Final = {str(action): action for action in _ACTIONS}


def action_from_text(text: str) -> Action:
    """Return the action of a text. Raises `TextError` (`not-an-action`)."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise TextError(TextCode.NOT_AN_ACTION, text=text) from None
