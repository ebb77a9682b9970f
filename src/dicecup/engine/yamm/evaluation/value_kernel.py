"""The value of a sheet by the evaluation."""

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.arrays import Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.yamm.evaluation.columns import PLACES
from dicecup.engine.yamm.evaluation.endgame import Endgame
from dicecup.engine.yamm.evaluation.endgame_kernel import column_values, endgame_index, open_columns
from dicecup.engine.yamm.evaluation.value import FEW, HIDDEN, Evaluation, Weights

FAST = {"reassoc", "contract", "nsz", "arcp"}
"""The freedom of the compiler to vectorise sums of products. Not-a-number stays not-a-number."""


@kernel(fastmath=FAST)
def gather(weights: Weights, nodes: Shorts, left: int, hidden: Singles) -> np.float32:
    """Write the sums of the hidden units with `left` turns to come. Return the sum of
    the points.
    """
    for j in range(HIDDEN):
        hidden[j] = weights.time[left, j]
    points = weights.base[left]
    for place in range(PLACES):
        node = nodes[place]
        points += weights.points[node]
        for j in range(HIDDEN):
            hidden[j] += weights.hidden[node, j]
    return points


@kernel(fastmath=FAST)
def without(weights: Weights, hidden: Singles, node: int, rest: Singles) -> None:
    """Write the sums of the hidden units without this node into `rest`."""
    for j in range(HIDDEN):
        rest[j] = hidden[j] - weights.hidden[node, j]


@kernel(fastmath=FAST)
def layer(weights: Weights, rest: Singles, node: int) -> np.float32:
    """Return what the hidden units add when `node` joins the others."""
    total = np.float32(0)
    for j in range(HIDDEN):
        total += weights.out[j] * max(rest[j] + weights.hidden[node, j], np.float32(0))
    return total


@kernel(fastmath=FAST)
def learned(weights: Weights, nodes: Shorts, left: int) -> np.float32:
    """Return the points to come by these weights."""
    if left == 0:
        return np.float32(0)
    hidden = scratch(HIDDEN, np.float32)
    total = gather(weights, nodes, left, hidden)
    for j in range(HIDDEN):
        total += weights.out[j] * max(hidden[j], np.float32(0))
    return total


@kernel
def value(evaluation: Evaluation, nodes: Shorts, left: int) -> np.float32:
    """Return the points to come from a sheet with `left` open cells."""
    if left == 0:
        return np.float32(0)
    if open_columns(evaluation.endgame, nodes) > FEW:
        return learned(evaluation.early, nodes, left)
    at = endgame_index(evaluation.endgame, nodes)
    if at >= 0:
        return evaluation.endgame.values[at]
    return column_values(evaluation.endgame, nodes) + learned(evaluation.late, nodes, left)


def late_sheets(endgame: Endgame, sheets: Shorts) -> NDArray[np.bool_]:
    """Return which of these sheets, shape (sheets, 12), are late."""
    late = np.empty(len(sheets), np.bool_)
    mark_late(endgame, sheets, late)
    return late


@kernel
def mark_late(endgame: Endgame, sheets: Shorts, late: NDArray[np.bool_]) -> None:
    """Write which of these sheets, shape (sheets, 12), are late."""
    for at in range(len(sheets)):
        late[at] = open_columns(endgame, sheets[at]) <= FEW
