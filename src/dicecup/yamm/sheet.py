"""The score sheet: its cells, the order in which they are written, and its totals (docs/rules.md,
Yamm, "Sheet").

The name of a cell is its column and row, `f1.FH`. The name of a column is its order and number,
`d1`: `d` is written from the top down, `u` from the bottom up, `f` in any order.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, NewType, Self, TypeAlias

from dicecup.core.dice import FIRST_ROLL, Roll
from dicecup.core.errors import GameError, TextCode, TextError
from dicecup.yamm import score
from dicecup.yamm.codes import ActionCode
from dicecup.yamm.rows import MOST, ROWS, UPPER, VALUES, YAMMS, Row

Column = NewType("Column", str)
"""The name of a column: its order and a number from 1 to 9."""
Cell = NewType("Cell", str)
"""The name of a cell: column, point, row."""
Points: TypeAlias = int | None
"""The content of a cell: its points, 0 if it is struck, `None` while it is empty."""


class Order(StrEnum):
    """The order in which a column is written: the first letter of its name."""

    DOWN = "d"
    UP = "u"
    FREE = "f"


_COLUMN: Final = re.compile(r"[duf][1-9]", re.ASCII)
CELLS: Final = {
    f"{order}{number}.{row}": Cell(f"{order}{number}.{row}") for order in Order for number in range(1, 10) for row in ROWS
}
"""Every name that a cell can have, on the printed sheet or a smaller one, by its text."""


def cell(text: str) -> Cell:
    """Return the cell of a name, on any sheet. Raises `TextError` (`not-a-cell`)."""
    try:
        return CELLS[text]
    except KeyError:
        raise TextError(TextCode.NOT_A_CELL, text=text) from None


@dataclass(frozen=True, slots=True)
class SheetSpec:
    """A kind of sheet: its columns from the left and its rows from the top.

    The column bonus counts the rows 1 to 6 that the sheet has. Raises `GameError` (`not-a-sheet`)
    unless there are columns and rows, each once, the rows in their order.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ROWS
    cells: tuple[Cell, ...] = field(init=False, repr=False, compare=False)
    """Every cell in the pinned order: columns from the left, each column from the top."""
    places: dict[Cell, tuple[int, int]] = field(init=False, repr=False, compare=False)
    """The index of the column and the index of the row of each cell."""
    orders: tuple[Order, ...] = field(init=False, repr=False, compare=False)
    partners: tuple[int | None, ...] = field(init=False, repr=False, compare=False)
    """For row H the index of row T, for row T the index of row H, for other rows `None`."""
    uppers: int = field(init=False, repr=False, compare=False)
    """The number of rows from 1 to 6."""

    def __post_init__(self) -> None:
        named = [row for row in ROWS if row in self.rows]
        proper = all(_COLUMN.fullmatch(column) for column in self.columns) and len(set(self.columns)) == len(self.columns)
        if not proper or not self.columns or not self.rows or list(self.rows) != named:
            raise GameError(TextCode.NOT_A_SHEET, text=f"{','.join(self.columns)} {','.join(self.rows)}")
        place = {row: at for at, row in enumerate(self.rows)}
        other = {Row.HIGH: place.get(Row.LOW), Row.LOW: place.get(Row.HIGH)}
        places = {
            CELLS[f"{column}.{row}"]: (left, top)
            for left, column in enumerate(self.columns)
            for top, row in enumerate(self.rows)
        }
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "cells", tuple(places))
        object.__setattr__(self, "orders", tuple(Order(column[0]) for column in self.columns))
        object.__setattr__(self, "partners", tuple(other.get(row) for row in self.rows))
        object.__setattr__(self, "uppers", sum(row in UPPER for row in self.rows))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the kind of sheet with these columns, such as `d1,u1`, and all eleven rows.

        Raises `GameError` (`not-a-sheet`).
        """
        return cls(tuple(Column(name) for name in text.split(",")))

    @property
    def empty(self) -> "Sheet":
        """Return the sheet before its first turn."""
        return Sheet(self, ((None,) * len(self.rows),) * len(self.columns))


SHEET: Final = SheetSpec.from_text("d1,d2,d3,u1,u2,u3,f1,f2,f3")
"""The printed sheet of Yamm: 99 cells."""


class Result(NamedTuple):
    """The result of a turn: the cell, the number of throws, and the dice."""

    cell: Cell
    throws: int
    roll: Roll

    @property
    def first_throw_yamm(self) -> bool:
        """Return whether the turn ended after its first throw with five equal dice."""
        return self.throws == 1 and self.roll in YAMMS


class Preview(NamedTuple):
    """The effect of writing a cell: its `points`, and whether H and T of the column are both
    struck.
    """

    points: int
    strikes_both: bool


@lru_cache(maxsize=8192)
def open_in_column(spec: SheetSpec, left: int, held: tuple[Points, ...]) -> tuple[Cell, ...]:
    """Return the cells of a column that may be written now, from the top.

    `left`: the index of the column. `held`: the contents of its cells.
    """
    empty = tuple(spec.cells[left * len(spec.rows) + top] for top, points in enumerate(held) if points is None)
    match spec.orders[left]:
        case Order.DOWN:
            return empty[:1]
        case Order.UP:
            return empty[-1:]
        case _:
            return empty


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet with its contents: `columns` from the left, each with its cells from the top, and the
    number of first-throw Yamms.
    """

    spec: SheetSpec
    columns: tuple[tuple[Points, ...], ...]
    first_throw_yamms: int = 0

    def __getitem__(self, name: Cell) -> Points:
        left, top = self.spec.places[name]
        return self.columns[left][top]

    @property
    def written(self) -> int:
        """Return the number of written cells, including struck ones."""
        return sum(len(column) - column.count(None) for column in self.columns)

    # Open cells

    @property
    def open_cells(self) -> Iterator[Cell]:
        """Yield the cells that may be written now, in the pinned order."""
        for left, column in enumerate(self.columns):
            yield from open_in_column(self.spec, left, column)

    def refusal(self, name: Cell) -> ActionCode | None:
        """Return why a cell may not be written (`no-such-cell`, `cell-written`,
        `cell-out-of-order`), `None` if it may.
        """
        place = self.spec.places.get(name)
        if place is None:
            return ActionCode.NO_SUCH_CELL
        left, top = place
        column = self.columns[left]
        if column[top] is not None:
            return ActionCode.CELL_WRITTEN
        order = self.spec.orders[left]
        before = column[:top] if order is Order.DOWN else column[top + 1 :] if order is Order.UP else ()
        return ActionCode.CELL_OUT_OF_ORDER if None in before else None

    # Writing

    def preview(self, name: Cell, roll: Roll) -> Preview:
        """Return the effect of writing a roll into a cell. The cell must be open; it is not
        checked.
        """
        left, top = self.spec.places[name]
        points = VALUES[self.spec.rows[top]][roll.index - FIRST_ROLL]
        partner = self.spec.partners[top]
        other = None if partner is None else self.columns[left][partner]
        if other is None:
            return Preview(points, strikes_both=False)
        high, low = (points, other) if self.spec.rows[top] is Row.HIGH else (other, points)
        return Preview(points, strikes_both=False) if high > low else Preview(0, strikes_both=True)

    def write(self, name: Cell, roll: Roll) -> "Sheet":
        """Return the sheet with a roll written into a cell. H and T are both struck unless H is
        greater than T.

        The cell must be open; it is not checked.
        """
        left, top = self.spec.places[name]
        points, strikes_both = self.preview(name, roll)
        column = self.columns[left]
        if strikes_both:
            column = tuple(0 if row in (Row.HIGH, Row.LOW) else held for row, held in zip(self.spec.rows, column, strict=True))
        else:
            column = (*column[:top], points, *column[top + 1 :])
        return Sheet(self.spec, (*self.columns[:left], column, *self.columns[left + 1 :]), self.first_throw_yamms)

    def with_result(self, result: Result) -> "Sheet":
        """Return the sheet after the result of a turn, with a first-throw Yamm counted. The cell
        must be open; it is not checked.
        """
        sheet = self.write(result.cell, result.roll)
        return Sheet(self.spec, sheet.columns, self.first_throw_yamms + result.first_throw_yamm)

    # Totals

    def upper(self, column: Column) -> int:
        """Return the sum of rows 1 to 6 so far."""
        return sum(filter(None, self._upper(column)))

    def bonus(self, column: Column) -> int | None:
        """Return the column bonus, `None` until rows 1 to 6 are written."""
        held = self._upper(column)
        return None if None in held else score.bonus(sum(filter(None, held)))

    def next_bonus(self, column: Column) -> score.NextBonus | None:
        """Return the next bonus, `None` if the empty cells of rows 1 to 6 cannot reach one."""
        held = self._upper(column)
        upper = sum(filter(None, held))
        open_rows = [MOST[row] for row, points in zip(self.spec.rows, held, strict=False) if points is None]
        return score.next_bonus(upper, upper + sum(open_rows))

    def column_total(self, column: Column) -> int | None:
        """Return the total of a column with its bonus, `None` until every cell is written."""
        return None if None in self._column(column) else self._known(column)

    @property
    def total(self) -> int:
        """Return all points so far: cells, bonuses of columns with rows 1 to 6 written, and
        first-throw Yamms.
        """
        return sum(map(self._known, self.spec.columns)) + score.FIRST_THROW_YAMM * self.first_throw_yamms

    def _known(self, column: Column) -> int:
        return sum(filter(None, self._column(column))) + (self.bonus(column) or 0)

    def _column(self, column: Column) -> tuple[Points, ...]:
        return self.columns[self.spec.columns.index(column)]

    def _upper(self, column: Column) -> tuple[Points, ...]:
        return self._column(column)[: self.spec.uppers]
