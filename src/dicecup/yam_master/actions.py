"""What a player can do in Yam Master, as values with one canonical text each (NOTATION, Actions)."""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from dicecup.core.dice import NO_DICE, Keep, keep
from dicecup.core.errors import DiceError, TextCode, TextError


@dataclass(frozen=True, slots=True)
class KeepDice:
    """Keep these dice and throw the others: `k33`, `k-`; with a Défi declared before the second throw: `!k33`."""

    kept: Keep
    defi: bool = False

    def __str__(self) -> str:
        return f"{'!' if self.defi else ''}k{self.kept.text if self.kept is not NO_DICE else '-'}"


@dataclass(frozen=True, slots=True)
class Place:
    """Place a token on a square: `c3`."""

    square: str

    def __str__(self) -> str:
        return self.square


@dataclass(frozen=True, slots=True)
class Remove:
    """Predator: take the opposing token off a square: `-c3`."""

    square: str

    def __str__(self) -> str:
        return f"-{self.square}"


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without a token: `--`."""

    def __str__(self) -> str:
        return "--"


Action: TypeAlias = KeepDice | Place | Remove | Pass

_SQUARE: Final = re.compile(r"[a-i][1-9]", re.ASCII)
_PASS: Final = Pass()


def action_from_text(text: str) -> Action:
    """The action that this is the text of; whether a position allows it is another question. Raises `TextError`."""
    if text == "--":
        return _PASS
    first = text[:1]
    if first == "k" or (first == "!" and text[1:2] == "k"):
        defi = first == "!"
        faces = text[2:] if defi else text[1:]
        try:
            kept = keep(faces) if faces else None
        except DiceError as error:
            raise TextError(TextCode.NOT_AN_ACTION, text=text, why=error.code) from None
        if kept is not None:
            return KeepDice(kept, defi)
    elif first == "-" and _SQUARE.fullmatch(text, 1):
        return Remove(text[1:])
    elif _SQUARE.fullmatch(text):
        return Place(text)
    raise TextError(TextCode.NOT_AN_ACTION, text=text)
