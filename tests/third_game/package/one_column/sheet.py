"""A sheet of One Column: a tuple with the points of each row, `None` for a row that is not written
yet."""

import re
from typing import Final, TypeAlias

from dicecup.core.dice import ROLLS, Roll
from dicecup.core.errors import TextCode, TextError
from one_column.actions import ROWS

Sheet: TypeAlias = tuple[int | None, ...]

EMPTY: Final[Sheet] = (None,) * len(ROWS)
_POINTS: Final = re.compile(r"\.|0|[1-9][0-9]?", re.ASCII)


def points(row: str, roll: Roll) -> int:
    """Return the points of a roll in a row."""
    if row == "A":
        return roll.total
    if row == "S":
        return 40 if max(roll.counts) == 5 else 0
    face = int(row)
    return face * roll.counts[face - 1]


POSSIBLE: Final = {row: frozenset(points(row, roll) for roll in ROLLS) for row in ROWS}
"""The points that some roll scores in each row."""


def total(sheet: Sheet) -> int:
    """Return the points of the rows that are written."""
    return sum(filter(None, sheet))


def with_points(sheet: Sheet, row: str, roll: Roll) -> Sheet:
    """Return the sheet after a roll is written into an empty row."""
    place = ROWS.index(row)
    return (*sheet[:place], points(row, roll), *sheet[place + 1 :])


def sheet_text(sheet: Sheet) -> str:
    """Return the text of a sheet: `3,.,9,.,.,.,.,40`."""
    return ",".join("." if each is None else str(each) for each in sheet)


def sheet_from_text(text: str) -> Sheet:
    """Return the sheet of a text. Raises `TextError` (`not-a-sheet`)."""
    rows = text.split(",")
    if len(rows) != len(ROWS) or not all(map(_POINTS.fullmatch, rows)):
        raise TextError(TextCode.NOT_A_SHEET, text=text)
    return tuple(None if each == "." else int(each) for each in rows)
