"""Solving the sheets of `known`, those with the fewest cells left first: each by one exact turn on what is solved already."""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.turn.value_kernel import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import TOTALS
from dicecup.engine.yamm.evaluation.endgame_kernel import known_at
from dicecup.engine.yamm.evaluation.turn_kernel import (
    COUNT,
    HEIGHT,
    LANES,
    MOST_WRITES,
    best_writes,
    end_values,
    list_writes,
    solve,
)


@njit(nogil=True, cache=True)
def solve_sheets(graph: Any, evaluation: Any, sheets: Any, left: int) -> None:
    """Enters the values of these sheets, which all have `left` cells left."""
    ends = rows_of_lanes(2 * COUNT, LANES, np.float32)
    work = rows_of_lanes(462, LANES, np.float32)
    spare = rows_of_lanes(672, LANES, np.float32)
    keeps = rows_of_lanes(420, LANES, np.float32)
    out = np.empty(LANES, np.float32)
    writes = np.empty((MOST_WRITES, 4), np.int16)
    worths = np.empty(MOST_WRITES, np.float32)
    best = np.empty((HEIGHT, TOTALS), np.float32)
    column = np.empty((HEIGHT, TOTALS), np.int8)
    ends[:] = 0
    for first in range(0, len(sheets), LANES):
        lanes = min(LANES, len(sheets) - first)
        for lane in range(lanes):
            count = list_writes(graph, evaluation, sheets[first + lane], left, writes, worths)
            best_writes(writes, worths, count, best, column)
            end_values(best, ends, lane)
        solve(work, spare, ends, keeps, out, False)
        for lane in range(lanes):
            evaluation.known.values[known_at(evaluation.known, sheets[first + lane])] = out[lane]
