"""What a player can do in Yam Master, as values with one canonical text each (NOTATION, Actions)."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from dicecup.core.dice import KEEPS, NO_DICE, Keep
from dicecup.core.errors import TextCode, TextError


@dataclass(frozen=True, slots=True)
class KeepDice:
    """Keep these dice and throw the others: `k33`, `k-`; with a Défi declared before the second throw: `!k33`."""

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
    """Predator: take the opposing token off a square: `-c3`."""

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
"""Keep index → the action."""
DEFI_ACTIONS: Final = tuple(KeepDice(kept, defi=True) for kept in KEEPS)
"""Keep index → the action with a Défi."""
_SQUARES: Final = tuple(f"{column}{row}" for row in range(1, 10) for column in "abcdefghi")
PLACES: Final = {name: Place(name) for name in _SQUARES}
"""Square → the action, for every name that a square can have, on the real board or on another."""
REMOVALS: Final = {name: Remove(name) for name in _SQUARES}
"""The same for the Predator."""
PASS: Final = Pass()
_ALL: Final[tuple[Action, ...]] = (*KEEP_ACTIONS, *DEFI_ACTIONS, *PLACES.values(), *REMOVALS.values(), PASS)
_BY_TEXT: Final = {str(action): action for action in _ALL}


def action_from_text(text: str) -> Action:
    """The action that this is the text of; whether a position allows it is another question. Raises `TextError`."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise TextError(TextCode.NOT_AN_ACTION, text=text) from None
