"""More turns ahead: the sheets after that matter are valued by exact turns of their own.

A way to write matters if, for some roll, it comes within `margin` points of the best. The others keep the table's value, moved by as much as
those that matter were moved on average. Work is counted in exact turns.
"""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.turn.value_kernel import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import PLACES, TOTALS
from dicecup.engine.yamm.evaluation.turn_kernel import (
    COUNT,
    FIGURE_POINTS,
    HEIGHT,
    LANES,
    MOST_WRITES,
    ROLL_CLASSES,
    best_writes,
    end_values,
    list_writes,
    solve,
)

NO_MARGINS = np.zeros(1, np.float32)
"""For one turn ahead."""


@njit(nogil=True, cache=True)
def look(
    graph: Any,
    evaluation: Any,
    nodes: Any,
    left: int,
    turns: int,
    margins: Any,
    locked: bool,
    writes: Any,
    worths: Any,
    best: Any,
    column: Any,
    ends: Any,
    lane: int,
) -> tuple[int, int]:
    """Looks `turns` exact turns ahead, this one included: fills `writes`, `worths`, `best`, `column` and lane `lane` of `ends` for
    a sheet. `margins[n]`: the margin where n further turns are looked ahead. Returns how many ways to write there are, and how
    many exact turns were solved."""
    count = list_writes(graph, evaluation, nodes, left, writes, worths)
    best_writes(writes, worths, count, best, column)
    end_values(best, ends, lane)
    if turns == 1 or left == 1:
        return count, 0
    chosen = np.empty(count, np.int64)
    matter = relevant(writes, worths, count, ends, lane, margins[turns - 1], chosen)
    after = np.empty(PLACES, np.int16)
    after_writes = np.empty((MOST_WRITES, 4), np.int16)
    after_worths = np.empty(MOST_WRITES, np.float32)
    after_best = np.empty((HEIGHT, TOTALS), np.float32)
    after_column = np.empty((HEIGHT, TOTALS), np.int8)
    after_ends = rows_of_lanes(2 * COUNT, LANES, np.float32)
    work = rows_of_lanes(462, LANES, np.float32)
    spare = rows_of_lanes(672, LANES, np.float32)
    keeps = rows_of_lanes(420, LANES, np.float32)
    out = np.empty(LANES, np.float32)
    after_ends[:] = 0
    solved = matter
    moved = np.float32(0)
    for first in range(0, matter, LANES):
        lanes = min(LANES, matter - first)
        for place in range(lanes):
            write = writes[chosen[first + place]]
            after[:] = nodes
            after[write[0]] = write[3]
            _, more = look(
                graph,
                evaluation,
                after,
                left - 1,
                turns - 1,
                margins,
                locked,
                after_writes,
                after_worths,
                after_best,
                after_column,
                after_ends,
                place,
            )
            solved += more
        solve(work, spare, after_ends, keeps, out, locked)
        for place in range(lanes):
            at = chosen[first + place]
            step = graph.first[nodes[writes[at, 0]], writes[at, 1]] + writes[at, 2]
            better = graph.gain[step] + out[place]
            moved += better - worths[at]
            worths[at] = better
    moved /= matter
    for at in range(count):
        worths[at] += moved
    for number in range(matter):
        worths[chosen[number]] -= moved
    best_writes(writes, worths, count, best, column)
    end_values(best, ends, lane)
    return count, solved


@njit(nogil=True, cache=True)
def relevant(writes: Any, worths: Any, count: int, ends: Any, lane: int, margin: float, chosen: Any) -> int:
    """Lists in `chosen` the ways to write that come within `margin` of the best for some roll; returns how many."""
    least = np.full((HEIGHT, TOTALS), np.float32(np.inf))
    for roll in range(COUNT):
        for row in range(HEIGHT):
            kind = ROLL_CLASSES[roll, row]
            least[row, kind] = min(least[row, kind], ends[roll, lane] - FIGURE_POINTS[roll, row])
    matter = 0
    for at in range(count):
        if worths[at] >= least[writes[at, 1], writes[at, 2]] - margin:
            chosen[matter] = at
            matter += 1
    return matter
