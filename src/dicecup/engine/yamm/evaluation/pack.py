"""Sheets of `dicecup.yamm` as the 12 nodes that kernels use, and places and rows as cells."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import HIGH, LOW, LOWER_ROWS, UNIT_COLUMNS, UNITS, UPPER_ROWS, Kind, node
from dicecup.yamm.rows import ROWS, UPPER
from dicecup.yamm.sheet import SHEET, Cell, Sheet

_HALVES: Final = {Kind.FREE_UPPER: UPPER_ROWS, Kind.FREE_LOWER: LOWER_ROWS}
CELLS: Final = tuple(
    tuple(SHEET.cells[UNIT_COLUMNS[place] * len(ROWS) + row] for row in range(len(ROWS))) for place in range(len(UNITS))
)
"""The cell of each place and row. The halves of a free column have only their own rows."""


def pack(sheet: Sheet) -> NDArray[np.int16]:
    """Return the 12 nodes of a sheet. First-throw Yamms are not in them: they are
    points already.
    """
    return np.array([_node(kind, sheet, column) for kind, column in zip(UNITS, UNIT_COLUMNS, strict=True)], dtype=np.int16)


def place_of(cell: Cell) -> tuple[int, int]:
    """Return the place and the row of a cell."""
    column, row = SHEET.places[cell]
    halves = [place for place, of in enumerate(UNIT_COLUMNS) if of == column]
    return halves[row >= len(UPPER) and len(halves) > 1], row


def _node(kind: Kind, sheet: Sheet, column: int) -> int:
    written = sheet.columns[column]
    rows = _HALVES.get(kind, UPPER_ROWS | LOWER_ROWS)
    empty = sum(1 << row for row, points in enumerate(written) if points is None) & rows
    upper = sum(points or 0 for points in written[: len(UPPER)]) if empty & UPPER_ROWS else 0
    return node(kind, empty, upper, written[HIGH] or written[LOW] or 0)
