"""The texts of positions (docs/notation.md, Positions).

Reading a text returns a `Draft`. `dicecup.yamm.faults` checks whether a game can reach it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from dicecup.core.dice import roll
from dicecup.core.errors import DiceError, TextCode, TextError
from dicecup.core.turn import Turn, turn_from_text
from dicecup.yamm.options import MOST_PLAYERS
from dicecup.yamm.sheet import Points, Result, Sheet, SheetSpec, cell

_CELLS: Final = re.compile(r"x|\.([1-9][0-9]?)|([1-9][0-9]{0,2})", re.ASCII)
_SHEET: Final = re.compile(r"([^+~]*)(?:\+([1-9][0-9]{0,2}))?(?:~([^=]+)=([1-3]):([1-6]{5}))?", re.ASCII)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields of a position as read from a text. `mark`: the turn state has a `!`, which Yamm
    does not have.
    """

    sheets: tuple[Sheet, ...]
    wet: tuple[Result | None, ...]
    turn: Turn | None
    number: int
    mark: bool = False

    def __str__(self) -> str:
        sheets = "|".join(map(sheet_text, self.sheets, self.wet))
        turn = "-" if self.turn is None else self.turn.text("!" if self.mark else "")
        return f"{sheets} {turn} {self.number}"


def sheet_text(sheet: Sheet, wet: Result | None = None) -> str:
    """Return the canonical text of a sheet. `wet`: its last result, which a correction may still
    move.
    """
    text = "/".join(map(_column_text, sheet.columns))
    if sheet.first_throw_yamms:
        text += f"+{sheet.first_throw_yamms}"
    return text if wet is None else f"{text}~{wet.cell}={wet.throws}:{wet.roll}"


@lru_cache(maxsize=4096)
def _column_text(column: tuple[Points, ...]) -> str:
    words: list[str] = []
    for points, cells in groupby(column):
        count = sum(1 for _ in cells)
        words += [f".{count}"] if points is None else ["x" if points == 0 else str(points)] * count
    return ",".join(words)


def draft_from_text(spec: SheetSpec, text: str) -> Draft:
    """Return the draft of a text.

    Raises `TextError` (`not-a-position`, `not-a-sheet`, `not-a-cell`, `not-a-turn-state`,
    `not-canonical`).
    """
    words = text.split(" ", 3)
    if len(words) != 3 or not _NUMBER.fullmatch(words[2]):
        raise TextError(TextCode.NOT_A_POSITION, text=text)
    read = [sheet_from_text(spec, sheet) for sheet in words[0].split("|", MOST_PLAYERS - 1)]
    turn, mark = (None, False) if words[1] == "-" else turn_from_text(words[1])
    draft = Draft(tuple(sheet for sheet, _ in read), tuple(wet for _, wet in read), turn, int(words[2]), mark)
    if str(draft) != text:
        raise TextError(TextCode.NOT_CANONICAL, text=text, canonical=str(draft))
    return draft


def sheet_from_text(spec: SheetSpec, text: str) -> tuple[Sheet, Result | None]:
    """Return the sheet of a text and its result that may still move. Raises `TextError`
    (`not-a-sheet`, `not-a-cell`).
    """
    match = _SHEET.fullmatch(text)
    if match is None:
        raise TextError(TextCode.NOT_A_SHEET, text=text)
    cells, yamms, wet_cell, throws, shown = match.groups()
    columns = tuple(_column_from_text(column, len(spec.rows)) for column in cells.split("/", len(spec.columns)))
    if len(columns) != len(spec.columns):
        raise TextError(TextCode.NOT_A_SHEET, text=text)
    sheet = Sheet(spec, columns, int(yamms or 0))
    if wet_cell is None:
        return sheet, None
    try:
        return sheet, Result(cell(wet_cell), int(throws), roll(shown))
    except DiceError:
        raise TextError(TextCode.NOT_A_SHEET, text=text) from None


def _column_from_text(text: str, rows: int) -> tuple[Points, ...]:
    """Return the cells of a column with `rows` rows. Raises `TextError` (`not-a-sheet`)."""
    column: list[Points] = []
    for word in text.split(",", rows):
        match = _CELLS.fullmatch(word)
        if match is None:
            raise TextError(TextCode.NOT_A_SHEET, text=text)
        empty, points = match.groups()
        column += [None] * int(empty) if empty else [int(points or 0)]
    if len(column) != rows:
        raise TextError(TextCode.NOT_A_SHEET, text=text)
    return tuple(column)
