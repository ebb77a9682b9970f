"""What is still to come from a sheet: points from now to its end, of the state after a turn.

The sum of a table over the 12 nodes, plus a layer of hidden units: each sums a table over the nodes and one over the turns left,
and counts where the sum is positive. So every column enters exactly, and how columns compete for the same throws is left to the
layer. Writing one cell changes one node, so one candidate costs two rows of tables.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import graph
from dicecup.engine.yamm.evaluation.endgame import Known
from dicecup.yamm.sheet import SHEET

HIDDEN = 64
"""Hidden units."""
FEW = 3
"""Open columns of a sheet that is late, at most."""
TURNS = len(SHEET.cells)
VARIANCE_UNIT = 256.0
"""Square points: the unit of the evaluation that says how wide the ends of a sheet lie."""


class Weights(NamedTuple):
    """`points`: shape (nodes,); `hidden`: (nodes, HIDDEN); `time`: (TURNS + 1, HIDDEN), by turns left; `out`: (HIDDEN,);
    `base`: (TURNS + 1,). Single precision."""

    points: NDArray[np.float32]
    hidden: NDArray[np.float32]
    time: NDArray[np.float32]
    out: NDArray[np.float32]
    base: NDArray[np.float32]


class Evaluation(NamedTuple):
    """`early`: for sheets with more than `FEW` columns open; `late`: for the others, beyond what their columns would bring each by
    itself; `known`: what need not be learned."""

    early: Weights
    late: Weights
    known: Known


def shapes() -> tuple[tuple[int, ...], ...]:
    """The shapes of `Weights`."""
    nodes = len(graph().left)
    return (nodes,), (nodes, HIDDEN), (TURNS + 1, HIDDEN), (HIDDEN,), (TURNS + 1,)


def fresh(seed: int) -> Weights:
    """Untrained weights: nothing is worth anything yet, the hidden units are drawn at random."""
    draw = np.random.default_rng(seed)
    spreads = (0.0, 0.2, 0.2, 1.0, 0.0)
    return Weights(*(draw.normal(0, spread, shape).astype(np.float32) for spread, shape in zip(spreads, shapes(), strict=True)))
