"""The kernel that solves sheets of the endgame table."""

import numpy as np

from dicecup.engine.arrays import Shorts
from dicecup.engine.kernel import kernel
from dicecup.engine.turn.value_kernel import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import TOTALS, Graph
from dicecup.engine.yamm.evaluation.endgame_kernel import endgame_index
from dicecup.engine.yamm.evaluation.turn_kernel import (
    COUNT,
    HEIGHT,
    LANES,
    MOST_WRITES,
    best_writes,
    list_writes,
    solve,
    stop_values,
)
from dicecup.engine.yamm.evaluation.value import Evaluation


@kernel
def solve_sheets(graph: Graph, evaluation: Evaluation, sheets: Shorts, left: int) -> None:
    """Enter the values of these sheets, which all have `left` open cells."""
    stops = rows_of_lanes(2 * COUNT, LANES, np.float32)
    work = rows_of_lanes(462, LANES, np.float32)
    spare = rows_of_lanes(672, LANES, np.float32)
    keeps = rows_of_lanes(420, LANES, np.float32)
    out = np.empty(LANES, np.float32)
    writes = np.empty((MOST_WRITES, 4), np.int16)
    write_values = np.empty(MOST_WRITES, np.float32)
    best = np.empty((HEIGHT, TOTALS), np.float32)
    column = np.empty((HEIGHT, TOTALS), np.int8)
    stops[:] = 0
    for first in range(0, len(sheets), LANES):
        lanes = min(LANES, len(sheets) - first)
        for lane in range(lanes):
            count = list_writes(graph, evaluation, sheets[first + lane], left, writes, write_values)
            best_writes(writes, write_values, count, best, column)
            stop_values(best, stops, lane)
        solve(work, spare, stops, keeps, out, False)
        for lane in range(lanes):
            evaluation.endgame.values[endgame_index(evaluation.endgame, sheets[first + lane])] = out[lane]
