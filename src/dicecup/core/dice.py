"""Five dice as multisets: 252 rolls, 462 keeps, and the weight of each roll after each keep.

A roll is all five dice. A keep is the zero to five dice that stay while the others are thrown;
every roll is also a keep. The order of dice never matters, so the 6⁵ = 7776 ordered throws are 252
rolls with integer weights. All 462 values are created at import and compared by identity, which
makes positions cheap to hash and to compare.
"""

from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final, NewType

from dicecup.core.errors import DiceCode, DiceError

DICE: Final = 5
"""The number of dice in a game."""
FACES: Final = (1, 2, 3, 4, 5, 6)


class Dice:
    """At most five dice in ascending order. Each multiset is one shared instance, returned by
    `roll`, `keep` and `dice`.
    """

    __slots__ = ("count", "counts", "faces", "index", "keeps", "outcomes", "parts", "text", "total", "weight")

    faces: tuple[int, ...]
    """The faces, ascending."""
    text: str
    """The faces as text, such as `11346`; the empty text for no dice."""
    index: int
    """The index in `KEEPS`, 0 to 461. The index of a roll in `ROLLS` is `index - FIRST_ROLL`."""
    count: int
    """The number of dice, 0 to 5."""
    counts: tuple[int, ...]
    """The number of dice that show 1, 2, … 6."""
    total: int
    """The sum of the faces."""
    weight: int
    """The number of ordered throws with these faces: the multinomial coefficient, a share of
    6**count.
    """
    parts: "frozenset[Dice]"
    """Every multiset that is contained in these dice, including all of them."""
    keeps: "tuple[Keep, ...]"
    """Every keep of these dice that leaves at least one die to throw: fewest dice first, then
    ascending.
    """
    outcomes: "tuple[tuple[Roll, int], ...]"
    """Every roll that can follow when the other dice are thrown, ascending. The integer weights add
    up to 6**(5 - count).
    """

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
        """Return whether these dice contain all of `part`."""
        return part in self.parts


Roll = NewType("Roll", Dice)
"""All five dice."""
Keep = NewType("Keep", Dice)
"""Dice that stay while the others are thrown. All five stay only after the last throw of a turn."""


def _all_dice() -> tuple[Dice, ...]:
    """Return the 462 multisets of at most five dice: fewest dice first, then ascending."""
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
    """Return the dice of a text: at most five ASCII digits from 1 to 6 in ascending order.

    Raises `DiceError` (`not-a-face`, `too-many-dice`, `not-ascending`).
    """
    found = _BY_TEXT.get(text)
    if found is None:
        raise DiceError(_why_not(text), text=text)
    return found


def roll(text: str) -> Roll:
    """Return the roll of a text: five digits in ascending order.

    Raises `DiceError` (`not-five-dice` and the codes of `dice`).
    """
    found = _BY_TEXT.get(text)
    if found is None or found.count != DICE:
        raise DiceError(DiceCode.NOT_FIVE_DICE if found is not None else _why_not(text), text=text)
    return Roll(found)


def keep(text: str) -> Keep:
    """Return the keep of a text: at most five digits in ascending order, or `-` for no dice.

    Raises `DiceError` (the codes of `dice`).
    """
    return NO_DICE if text == "-" else Keep(dice(text))


def from_faces(faces: Iterable[int]) -> Dice:
    """Return the dice with these faces, given in any order. Raises `DiceError` (`not-a-face`,
    `too-many-dice`).
    """
    faces = list(faces)
    for face in faces:
        if face not in FACES:
            raise DiceError(DiceCode.NOT_A_FACE, text=str(face))
    return dice("".join(map(str, sorted(faces))))


def five(value: Dice) -> Roll:
    """Return five dice as a roll. Raises `DiceError` (`not-five-dice`) for fewer dice."""
    if value.count != DICE:
        raise DiceError(DiceCode.NOT_FIVE_DICE, text=value.text)
    return Roll(value)


def _why_not(text: str) -> DiceCode:
    """Return the code for a text that is not in `_BY_TEXT`."""
    if any(face not in "123456" for face in text):
        return DiceCode.NOT_A_FACE
    if len(text) > DICE:
        return DiceCode.TOO_MANY_DICE
    return DiceCode.NOT_ASCENDING
