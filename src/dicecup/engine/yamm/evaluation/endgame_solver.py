"""The values of the endgame table, from the sheets with the fewest open cells on.

Each value takes one exact turn on the values that are solved before.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import COLUMNS_PER_ORDER, KIND_OF_PLACE, ORDERED, empty_sheet, full_sheet, graph
from dicecup.engine.yamm.evaluation.endgame import MOST_CELLS, endgame, endgame_size
from dicecup.engine.yamm.evaluation.endgame_solver_kernel import solve_sheets
from dicecup.engine.yamm.evaluation.play_kernel import workspace
from dicecup.engine.yamm.evaluation.value import Evaluation, fresh

OPEN: Final = (
    (0, 1),
    (0, COLUMNS_PER_ORDER),
    (COLUMNS_PER_ORDER, COLUMNS_PER_ORDER + 1),
    (ORDERED, ORDERED + COLUMNS_PER_ORDER),
)
"""The places with open cells: two downward columns, one each way, two upward ones, the halves of a
free one.
"""


def solve_endgame(most: int = MOST_CELLS) -> NDArray[np.float32]:
    """Return the values of `endgame.Endgame`, which takes some seconds.

    Only sheets with at most `most` open cells are solved.
    """
    values = np.zeros(endgame_size(), np.float32)
    evaluation = Evaluation(fresh(0), fresh(0), endgame(values))
    sheets = np.concatenate([sheets_with(*places) for places in OPEN])
    left = graph().left[sheets].sum(axis=1)
    for cells in range(1, most + 1):
        solve_sheets(graph(), evaluation, sheets[left == cells], cells, workspace(1))
    return values


def sheets_with(one: int, other: int) -> NDArray[np.int16]:
    """Return all sheets whose open cells are in these two places, shape (sheets, 12)."""
    first = [*sorted(set(empty_sheet().tolist())), len(graph().left)]
    ones, others = (np.arange(first[KIND_OF_PLACE[place]], first[KIND_OF_PLACE[place] + 1]) for place in (one, other))
    sheets = np.tile(full_sheet(), (len(ones) * len(others), 1))
    sheets[:, one], sheets[:, other] = np.repeat(ones, len(others)), np.tile(others, len(ones))
    return sheets
