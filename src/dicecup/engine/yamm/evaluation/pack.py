"""Sheets of `dicecup.yamm` as the 12 nodes that kernels use, and places and rows as cells."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, HIGH, KIND_OF_PLACE, LOW, LOWER_ROWS, UPPER_ROWS, Kind, node
from dicecup.yamm.rows import ROWS, UPPER
from dicecup.yamm.sheet import SHEET, Cell, Sheet

_HALVES: Final = {Kind.FREE_UPPER: UPPER_ROWS, Kind.FREE_LOWER: LOWER_ROWS}
CELLS: Final = tuple(
    tuple(SHEET.cells[COLUMN_OF_PLACE[place] * len(ROWS) + row] for row in range(len(ROWS)))
    for place in range(len(KIND_OF_PLACE))
)
"""The cell of each place and row. The halves of a free column have only their own rows."""


def pack(sheet: Sheet) -> NDArray[np.int16]:
    """Return the 12 nodes of a sheet. First-throw Yamms are not in them: they are
    points already.
    """
    return np.array(
        [_node(kind, sheet, column) for kind, column in zip(KIND_OF_PLACE, COLUMN_OF_PLACE, strict=True)], dtype=np.int16
    )


def place_of(cell: Cell) -> tuple[int, int]:
    """Return the place and the row of a cell."""
    column, row = SHEET.places[cell]
    halves = [place for place, of in enumerate(COLUMN_OF_PLACE) if of == column]
    return halves[row >= len(UPPER) and len(halves) > 1], row


def _node(kind: Kind, sheet: Sheet, column: int) -> int:
    """Return the node of a column of the sheet, or of a half of it."""
    written = sheet.columns[column]
    rows = _HALVES.get(kind, UPPER_ROWS | LOWER_ROWS)
    empty = sum(1 << row for row, points in enumerate(written) if points is None) & rows
    upper = sum(points or 0 for points in written[: len(UPPER)]) if empty & UPPER_ROWS else 0
    return node(kind, empty, upper, written[HIGH] or written[LOW] or 0)
