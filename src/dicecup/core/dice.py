"""Five dice as multisets: the 252 rolls, the 462 keeps, and how often each roll follows a keep.

A roll is all five dice, a keep is those that stay on the table: zero to five of them, since a roll is also "keep all". Order
never matters, so 6⁵ = 7776 ordered throws are 252 rolls with integer weights. All 462 values exist once, at import, and are
compared by identity; that is what makes positions cheap.
"""

from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final, NewType

from dicecup.core.errors import DiceCode, DiceError

DICE: Final = 5
"""Dice in the cup."""
FACES: Final = (1, 2, 3, 4, 5, 6)


class Dice:
    """At most five dice in ascending order, one shared value for each multiset.

    Use `roll`, `keep` or `dice` to get one; there is nothing to construct.
    """

    __slots__ = ("count", "counts", "faces", "index", "keeps", "outcomes", "parts", "text", "total", "weight")

    faces: tuple[int, ...]
    """The faces, ascending."""
    text: str
    """The faces as text, as in NOTATION: `11346`; no dice are the empty text."""
    index: int
    """The place in `KEEPS` (0 to 461); a roll's place in `ROLLS` is `index - FIRST_ROLL`."""
    count: int
    """How many dice, 0 to 5."""
    counts: tuple[int, ...]
    """How many dice show 1, 2, … 6."""
    total: int
    """The sum of the faces."""
    weight: int
    """In how many orders these dice can fall: the multinomial coefficient, of 6**count in all."""
    parts: "frozenset[Dice]"
    """Every set of dice that is contained in these, these included."""
    keeps: "tuple[Keep, ...]"
    """What may be kept of these dice while at least one is thrown: fewest dice first, then ascending."""
    outcomes: "tuple[tuple[Roll, int], ...]"
    """Every roll that can follow when the other dice are thrown, ascending, with its weight of 6**(5 - count)."""

    def __repr__(self) -> str:
        return f"dice({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return dice, (self.text,)

    def __copy__(self) -> "Dice":
        return self

    def __deepcopy__(self, memo: object) -> "Dice":
        return self

    def __lt__(self, other: "Dice") -> bool:
        return self.index < other.index

    def __contains__(self, part: "Dice") -> bool:
        """Whether all of `part` lies among these dice."""
        return part in self.parts


Roll = NewType("Roll", Dice)
"""All five dice."""
Keep = NewType("Keep", Dice)
"""Dice that stay while the others are thrown; all five only where nothing is thrown any more."""


def _all_dice() -> tuple[Dice, ...]:
    """The 462 multisets of at most five dice, fewest first, then ascending."""
    everything: list[Dice] = []
    for count in range(DICE + 1):
        for faces in combinations_with_replacement(FACES, count):
            value = Dice.__new__(Dice)
            value.index = len(everything)
            value.faces = faces
            value.text = "".join(map(str, faces))
            value.count = count
            value.counts = tuple(faces.count(face) for face in FACES)
            value.total = sum(faces)
            value.weight = factorial(count) // prod(map(factorial, value.counts))
            everything.append(value)
    by_faces = {value.faces: value for value in everything}
    for value in everything:
        parts = {by_faces[part] for count in range(value.count) for part in combinations(value.faces, count)}
        value.keeps = tuple(Keep(part) for part in sorted(parts))
        value.parts = frozenset({*parts, value})
        thrown = (other for other in everything if other.count == DICE - value.count)
        value.outcomes = tuple(
            sorted((Roll(by_faces[tuple(sorted(value.faces + other.faces))]), other.weight) for other in thrown)
        )
    return tuple(everything)


KEEPS: Final[tuple[Keep, ...]] = tuple(map(Keep, _all_dice()))
"""All 462 keeps: fewest dice first, then ascending."""
ROLLS: Final[tuple[Roll, ...]] = tuple(Roll(value) for value in KEEPS if value.count == DICE)
"""All 252 rolls, ascending."""
FIRST_ROLL: Final = ROLLS[0].index
"""`ROLLS[i]` is `KEEPS[FIRST_ROLL + i]`."""
NO_DICE: Final[Keep] = KEEPS[0]

_BY_TEXT: Final = {value.text: value for value in KEEPS}


def dice(text: str) -> Dice:
    """At most five faces in ascending order, `''` for none.

    Raises `DiceError` (`not-a-face`, `too-many-dice`, `not-ascending`). Only the ASCII digits 1 to 6 are faces.
    """
    found = _BY_TEXT.get(text)
    if found is None:
        raise DiceError(_why_not(text), text=text)
    return found


def roll(text: str) -> Roll:
    """Five faces in ascending order. Raises `DiceError` (as `dice`, and `not-five-dice`)."""
    found = _BY_TEXT.get(text)
    if found is None or found.count != DICE:
        raise DiceError(DiceCode.NOT_FIVE_DICE if found is not None else _why_not(text), text=text)
    return Roll(found)


def keep(text: str) -> Keep:
    """At most five faces in ascending order, or `-` for none. Raises `DiceError` (as `dice`)."""
    return NO_DICE if text == "-" else Keep(dice(text))


def from_faces(faces: Iterable[int]) -> Dice:
    """The dice that show these faces, in any order. Raises `DiceError` (`not-a-face`, `too-many-dice`)."""
    faces = list(faces)
    for face in faces:
        if face not in FACES:
            raise DiceError(DiceCode.NOT_A_FACE, text=str(face))
    return dice("".join(map(str, sorted(faces))))


def five(value: Dice) -> Roll:
    """The same dice as a roll. Raises `DiceError` (`not-five-dice`)."""
    if value.count != DICE:
        raise DiceError(DiceCode.NOT_FIVE_DICE, text=value.text)
    return Roll(value)


def _why_not(text: str) -> DiceCode:
    if any(face not in "123456" for face in text):
        return DiceCode.NOT_A_FACE
    if len(text) > DICE:
        return DiceCode.TOO_MANY_DICE
    return DiceCode.NOT_ASCENDING
