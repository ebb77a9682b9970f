"""Several turns ahead: after-states that matter get the value of an exact turn of their own.

A way to write matters if, for some roll, it is at most `margin` points behind the best. The others
keep the value of the evaluation, raised by the mean change of those that matter. Work is counted in
exact turns.
"""

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.arrays import Integers, Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.turn.value_kernel import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import PLACES, TOTALS, Graph
from dicecup.engine.yamm.evaluation.turn_kernel import (
    COUNT,
    FIGURE_POINTS,
    HEIGHT,
    LANES,
    MOST_WRITES,
    ROLL_CLASSES,
    best_writes,
    list_writes,
    solve,
    stop_values,
)
from dicecup.engine.yamm.evaluation.value import Evaluation


@kernel
def search(
    graph: Graph,
    evaluation: Evaluation,
    nodes: Shorts,
    left: int,
    turns: int,
    margins: Singles,
    locked: bool,
    writes: Shorts,
    write_values: Singles,
    best: Singles,
    column: NDArray[np.int8],
    stops: Singles,
    lane: int,
) -> tuple[int, int]:
    """Search `turns` exact turns ahead, this one included.

    Filled are `writes`, `write_values`, `best`, `column` and lane `lane` of `stops` for the sheet.
    `margins[n]`: the margin where n further turns are searched. Return the number of ways to write,
    and the number of exact turns solved.
    """
    count = list_writes(graph, evaluation, nodes, left, writes, write_values)
    best_writes(writes, write_values, count, best, column)
    stop_values(best, stops, lane)
    if turns == 1 or left == 1:
        return count, 0
    chosen = np.empty(count, np.int64)
    matter = relevant(writes, write_values, count, stops, lane, margins[turns - 1], chosen)
    after = np.empty(PLACES, np.int16)
    after_writes = np.empty((MOST_WRITES, 4), np.int16)
    after_values = np.empty(MOST_WRITES, np.float32)
    after_best = np.empty((HEIGHT, TOTALS), np.float32)
    after_column = np.empty((HEIGHT, TOTALS), np.int8)
    after_stops = rows_of_lanes(2 * COUNT, LANES, np.float32)
    work = rows_of_lanes(462, LANES, np.float32)
    spare = rows_of_lanes(672, LANES, np.float32)
    keeps = rows_of_lanes(420, LANES, np.float32)
    out = np.empty(LANES, np.float32)
    after_stops[:] = 0
    solved = matter
    moved = np.float32(0)
    for first in range(0, matter, LANES):
        lanes = min(LANES, matter - first)
        for place in range(lanes):
            write = writes[chosen[first + place]]
            after[:] = nodes
            after[write[0]] = write[3]
            _, more = search(
                graph,
                evaluation,
                after,
                left - 1,
                turns - 1,
                margins,
                locked,
                after_writes,
                after_values,
                after_best,
                after_column,
                after_stops,
                place,
            )
            solved += more
        solve(work, spare, after_stops, keeps, out, locked)
        for place in range(lanes):
            at = chosen[first + place]
            step = graph.first[nodes[writes[at, 0]], writes[at, 1]] + writes[at, 2]
            better = graph.gain[step] + out[place]
            moved += better - write_values[at]
            write_values[at] = better
    moved /= matter
    for at in range(count):
        write_values[at] += moved
    for number in range(matter):
        write_values[chosen[number]] -= moved
    best_writes(writes, write_values, count, best, column)
    stop_values(best, stops, lane)
    return count, solved


@kernel
def relevant(
    writes: Shorts, write_values: Singles, count: int, stops: Singles, lane: int, margin: float, chosen: Integers
) -> int:
    """List in `chosen` the ways to write that come within `margin` of the best for some roll.
    Return their number.
    """
    least = np.full((HEIGHT, TOTALS), np.float32(np.inf))
    for roll in range(COUNT):
        for row in range(HEIGHT):
            kind = ROLL_CLASSES[roll, row]
            least[row, kind] = min(least[row, kind], stops[roll, lane] - FIGURE_POINTS[roll, row])
    matter = 0
    for at in range(count):
        if write_values[at] >= least[writes[at, 1], writes[at, 2]] - margin:
            chosen[matter] = at
            matter += 1
    return matter
