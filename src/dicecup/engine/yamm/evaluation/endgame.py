"""The endgame table: the values of nearly full sheets.

These sheets have open cells in one free column alone, or in at most two ordered columns.
`endgame_solver` calculates the values, and the evaluation looks them up.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import COLUMNS_PER_ORDER, ORDERED, empty_sheet, full_sheet, graph
from dicecup.yamm.rows import ROWS

MOST_CELLS: Final = 2 * len(ROWS)
"""The most open cells of such a sheet."""


class Endgame(NamedTuple):
    """The endgame table.

    `values`: the points to come by `endgame_index`, single precision; empty where there is no
    table. `full`: the 12 nodes of the full sheet. `upper` and `lower`: the first nodes of upper
    halves and of lower halves. `end`: the end of the latter.
    """

    values: NDArray[np.float32]
    full: NDArray[np.int16]
    upper: int
    lower: int
    end: int


def endgame(values: NDArray[np.float32] | None = None) -> Endgame:
    """Return the table with these values, or without values an empty one."""
    upper, lower, end = int(empty_sheet()[ORDERED]), int(empty_sheet()[ORDERED + COLUMNS_PER_ORDER]), len(graph().left)
    if values is None:
        return Endgame(np.zeros(0, np.float32), full_sheet(), upper, lower, end)
    return Endgame(values, full_sheet(), upper, lower, end)


def endgame_size() -> int:
    """Return the number of values in the table of late sheets."""
    nothing = endgame()
    return nothing.upper**2 + (nothing.lower - nothing.upper) * (nothing.end - nothing.lower)
