"""The weights of the evaluation: the points to come from now to the end of a sheet, of an
after-state.

The value is the sum of a table over the 12 nodes, plus a layer of hidden units. Each unit adds up a
table over the nodes and one over the turns left, and counts where the sum is positive. So every
column enters exactly, and the layer learns how columns compete for the same rolls. Writing one cell
changes one node, so the value of a candidate costs two rows of tables.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import graph
from dicecup.engine.yamm.evaluation.endgame import Endgame
from dicecup.yamm.sheet import SHEET

HIDDEN = 64
"""The number of hidden units."""
FEW = 3
"""The most open columns of a late sheet."""
TURNS = len(SHEET.cells)
VARIANCE_UNIT = 256.0
"""The unit, in square points, of the weights for the variance of the points to come."""


class Weights(NamedTuple):
    """The weights of one network, single precision.

    `points`: shape (nodes,); `hidden`: (nodes, HIDDEN); `time`: (TURNS + 1, HIDDEN), by turns left;
    `out`: (HIDDEN,); `base`: (TURNS + 1,).
    """

    points: NDArray[np.float32]
    hidden: NDArray[np.float32]
    time: NDArray[np.float32]
    out: NDArray[np.float32]
    base: NDArray[np.float32]


class Evaluation(NamedTuple):
    """The evaluation of all sheets.

    `early`: for sheets with more than `FEW` open columns. `late`: for the others, the difference to
    the sum of the values of their single columns. `endgame`: the exact values of nearly full
    sheets.
    """

    early: Weights
    late: Weights
    endgame: Endgame


def shapes() -> tuple[tuple[int, ...], ...]:
    """Return the shapes of `Weights`."""
    nodes = len(graph().left)
    return (nodes,), (nodes, HIDDEN), (TURNS + 1, HIDDEN), (HIDDEN,), (TURNS + 1,)


def fresh(seed: int) -> Weights:
    """Return untrained weights: all values are zero, and the hidden units are random."""
    draw = np.random.default_rng(seed)
    spreads = (0.0, 0.2, 0.2, 1.0, 0.0)
    return Weights(*(draw.normal(0, spread, shape).astype(np.float32) for spread, shape in zip(spreads, shapes(), strict=True)))
