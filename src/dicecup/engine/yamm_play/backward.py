"""Solving the sheets of `known`, those with the fewest cells left first: each by one exact turn on what is solved already."""

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dicecup.engine.kernels.turn import rows_of_lanes
from dicecup.engine.yamm_play.known import MOST_KNOWN, known, known_at, size
from dicecup.engine.yamm_play.nodes import ORDERED, THREE, TOTALS, UNITS, ends, graph, starts
from dicecup.engine.yamm_play.turn import COUNT, HEIGHT, LANES, MOST_WRITES, best_writes, end_values, list_writes, solve
from dicecup.engine.yamm_play.value import Evaluation, fresh

OPEN: Final = ((0, 1), (0, THREE), (THREE, THREE + 1), (ORDERED, ORDERED + THREE))
"""The places that may have cells left: two downward columns, one each way, two upward ones; the halves of a free one."""


def solve_known() -> NDArray[np.float32]:
    """The values of `known.Known`; takes some seconds."""
    values = np.zeros(size(), np.float32)
    evaluation = Evaluation(fresh(0), fresh(0), known(values))
    sheets = np.concatenate([sheets_with(*places) for places in OPEN])
    left = graph().left[sheets].sum(axis=1)
    for cells in range(1, MOST_KNOWN + 1):
        solve_sheets(graph(), evaluation, sheets[left == cells], cells)
    return values


def sheets_with(one: int, other: int) -> NDArray[np.int16]:
    """All sheets that have no cells left but in these places: shape (sheets, 12)."""
    first = [*sorted(set(starts().tolist())), len(graph().left)]
    ones, others = (np.arange(first[UNITS[place]], first[UNITS[place] + 1]) for place in (one, other))
    sheets = np.tile(ends(), (len(ones) * len(others), 1))
    sheets[:, one], sheets[:, other] = np.repeat(ones, len(others)), np.tile(others, len(ones))
    return sheets


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
