"""The eleven rows of the sheet and the points of every roll in each row (docs/rules.md, Yamm, "A
turn").

The points depend on the dice alone. `dicecup.yamm.sheet` strikes H and T where they do not fit
together.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from dicecup.core.dice import FACES, FIRST_ROLL, ROLLS, Roll


class Row(StrEnum):
    """A row of the sheet, from the top."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    HIGH = "H"
    LOW = "T"
    """Tief, the low sum."""
    FULL_HOUSE = "FH"
    STRAIGHT = "ST"
    YAMM = "Y"


ROWS: Final = tuple(Row)
UPPER: Final = ROWS[: len(FACES)]
"""Rows 1 to 6, which earn the column bonus."""
YAMMS: Final = frozenset(roll for roll in ROLLS if len(set(roll.faces)) == 1)
"""The six rolls of five equal dice."""


def _face(face: int) -> Callable[[Roll], int]:
    """Return the rule of the row of one face: the sum of the dice that show it."""
    return lambda roll: face * roll.counts[face - 1]


def _sum(roll: Roll) -> int:
    return roll.total


def _full_house(roll: Roll) -> int:
    if roll not in YAMMS and sorted(filter(None, roll.counts)) != [2, 3]:
        return 0
    return 50 if roll.counts[0] >= 3 else roll.total + 20


def _straight(roll: Roll) -> int:
    return 45 if roll.text == "12345" else 50 if roll.text == "23456" else 0


def _yamm(roll: Roll) -> int:
    if roll not in YAMMS:
        return 0
    return 80 if roll.faces[0] == 1 else roll.total + 40


_POINTS: Final[dict[Row, Callable[[Roll], int]]] = {
    **{row: _face(face) for row, face in zip(UPPER, FACES, strict=True)},
    Row.HIGH: _sum,
    Row.LOW: _sum,
    Row.FULL_HOUSE: _full_house,
    Row.STRAIGHT: _straight,
    Row.YAMM: _yamm,
}
"""For each row the function that computes the points of a roll."""

VALUES: Final = {row: tuple(map(points, ROLLS)) for row, points in _POINTS.items()}
"""For each row the points of all 252 rolls, in the order of `ROLLS`. 0 strikes the cell."""
MOST: Final = {row: max(values) for row, values in VALUES.items()}
"""For each row the most points that a roll scores."""
POSSIBLE: Final = {row: frozenset(values) for row, values in VALUES.items()}
"""For each row the points that some roll scores."""
YAMM_VALUES: Final = {row: frozenset(map(points, YAMMS)) for row, points in _POINTS.items()}
"""For each row the points that five equal dice can score."""


def value(row: Row, roll: Roll) -> int:
    """Return the points of a roll in a row; 0 strikes the cell."""
    return VALUES[row][roll.index - FIRST_ROLL]
