"""Solving the sheets of `known`, those with the fewest cells left first: each by one exact turn on what is solved already."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import ORDERED, THREE, UNITS, ends, graph, starts
from dicecup.engine.yamm.evaluation.endgame import MOST_KNOWN, known, size
from dicecup.engine.yamm.evaluation.endgame_solver_kernel import solve_sheets
from dicecup.engine.yamm.evaluation.value import Evaluation, fresh

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
