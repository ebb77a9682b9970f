"""Several turns ahead: after-states that matter get the value of an exact turn of their own.

A way to write matters if, for some roll, it is at most `margin` points behind the best. The others
keep the value of the evaluation, raised by the mean change of those that matter. Work is counted in
exact turns.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.arrays import Integers, Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.workspaces import one_a_thread, rows_of_lanes
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


class Ahead(NamedTuple):
    """The arrays in which further turns are searched.

    Those with an axis `turns` have an entry for each turn after the first, the last one first.
    """

    chosen: Integers
    """(turns, MOST_WRITES): the ways to write that are searched."""
    writes: Shorts
    """(turns, MOST_WRITES, 4) as in `turn_kernel.list_writes`."""
    write_values: Singles
    """(turns, MOST_WRITES)."""
    best: Singles
    """(turns, 11, 26) as in `turn_kernel.best_writes`."""
    column: NDArray[np.int8]
    """(turns, 11, 26)."""
    stops: Singles
    """(turns, 504, lanes) as in `turn_kernel.stop_values`."""
    work: Singles
    """462 rows of lanes."""
    spare: Singles
    """672 rows."""
    keeps: Singles
    """420 rows."""
    out: Singles
    """(lanes,)."""


@one_a_thread
def ahead(turns: int) -> Ahead:
    """Return the arrays for a search of at most so many turns ahead, the first one included."""
    further = max(turns - 1, 1)
    return Ahead(
        np.zeros((further, MOST_WRITES), np.int64),
        np.zeros((further, MOST_WRITES, 4), np.int16),
        np.zeros((further, MOST_WRITES), np.float32),
        np.zeros((further, HEIGHT, TOTALS), np.float32),
        np.zeros((further, HEIGHT, TOTALS), np.int8),
        rows_of_lanes(further * 2 * COUNT, LANES, np.float32).reshape((further, 2 * COUNT, LANES)),
        rows_of_lanes(462, LANES, np.float32),
        rows_of_lanes(672, LANES, np.float32),
        rows_of_lanes(420, LANES, np.float32),
        np.zeros(LANES, np.float32),
    )


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
    arrays: Ahead,
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
    further = turns - 2
    chosen, after_stops = arrays.chosen[further], arrays.stops[further]
    matter = relevant(writes, write_values, count, stops, lane, margins[turns - 1], chosen)
    after = scratch(PLACES, np.int16)
    after_stops[:] = 0
    solved = matter
    moved = np.float32(0)
    for first in range(0, matter, LANES):
        lanes = min(LANES, matter - first)
        for place in range(lanes):
            write = writes[chosen[first + place]]
            copy(after, nodes)
            after[write[0]] = write[3]
            _, more = search(
                graph,
                evaluation,
                after,
                left - 1,
                turns - 1,
                margins,
                locked,
                arrays.writes[further],
                arrays.write_values[further],
                arrays.best[further],
                arrays.column[further],
                after_stops,
                place,
                arrays,
            )
            solved += more
        solve(arrays.work, arrays.spare, after_stops, arrays.keeps, arrays.out, locked)
        for place in range(lanes):
            at = chosen[first + place]
            step = graph.first[nodes[writes[at, 0]], writes[at, 1]] + writes[at, 2]
            better = graph.gain[step] + arrays.out[place]
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
    least = scratch((HEIGHT, TOTALS), np.float32)
    least[:] = np.inf
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
