"""The actions of Yam Master. Each action has one canonical text (docs/notation.md, Actions)."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from dicecup.core.dice import KEEPS, NO_DICE, Keep
from dicecup.core.errors import TextCode, TextError


@dataclass(frozen=True, slots=True)
class KeepDice:
    """Keep these dice and throw the others: `k33`, `k-`; with a Défi declared before the second
    throw: `!k33`.
    """

    kept: Keep
    defi: bool = False
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return f"{'!' if self.defi else ''}k{self.kept.text if self.kept is not NO_DICE else '-'}"


@dataclass(frozen=True, slots=True)
class Place:
    """Place a token on a square: `c3`."""

    square: str
    kept: ClassVar[None] = None
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return self.square


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the opposing token from a square, as the Predator: `-c3`."""

    square: str
    kept: ClassVar[None] = None
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return f"-{self.square}"


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without a token: `--`."""

    kept: ClassVar[None] = None
    corrects: ClassVar[None] = None

    def __str__(self) -> str:
        return "--"


Action: TypeAlias = KeepDice | Place | Remove | Pass

KEEP_ACTIONS: Final = tuple(map(KeepDice, KEEPS))
"""The actions that keep dice, by the index of the keep."""
DEFI_ACTIONS: Final = tuple(KeepDice(kept, defi=True) for kept in KEEPS)
"""The actions that keep dice and declare a Défi, by the index of the keep."""
_SQUARES: Final = tuple(f"{column}{row}" for row in range(1, 10) for column in "abcdefghi")
PLACES: Final = {name: Place(name) for name in _SQUARES}
"""The actions that place a token, by the name of the square, for boards of up to 9 by 9 squares."""
REMOVALS: Final = {name: Remove(name) for name in _SQUARES}
"""The actions that remove a token, by the name of the square, for boards of up to 9 by 9 squares.
"""
PASS: Final = Pass()
_ALL: Final[tuple[Action, ...]] = (*KEEP_ACTIONS, *DEFI_ACTIONS, *PLACES.values(), *REMOVALS.values(), PASS)
_BY_TEXT: Final = {str(action): action for action in _ALL}


def action_from_text(text: str) -> Action:
    """Return the action of a text, allowed or not. Raises `TextError` (`not-an-action`)."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise TextError(TextCode.NOT_AN_ACTION, text=text) from None
