"""What is still to come from a sheet: points from now to its end, of the state after a turn.

The sum of a table over the 12 nodes, plus a layer of hidden units: each sums a table over the nodes and one over the turns left,
and counts where the sum is positive. So every column enters exactly, and how columns compete for the same throws is left to the
layer. Writing one cell changes one node, so one candidate costs two rows of tables.
"""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.yamm.evaluation.columns import PLACES
from dicecup.engine.yamm.evaluation.endgame_kernel import column_values, known_at, open_columns
from dicecup.engine.yamm.evaluation.value import FEW, HIDDEN

FAST = {"reassoc", "contract", "nsz", "arcp"}
"""What sums of products may do to be vectorised; not-a-number stays one."""


@njit(nogil=True, cache=True, fastmath=FAST)
def gather(weights: Any, nodes: Any, left: int, hidden: Any) -> Any:
    """`hidden` becomes the sums of the hidden units with `left` turns to come; returns the sum of the points."""
    for j in range(HIDDEN):
        hidden[j] = weights.time[left, j]
    points = weights.base[left]
    for place in range(PLACES):
        node = nodes[place]
        points += weights.points[node]
        for j in range(HIDDEN):
            hidden[j] += weights.hidden[node, j]
    return points


@njit(nogil=True, cache=True, fastmath=FAST)
def without(weights: Any, hidden: Any, node: int, rest: Any) -> None:
    """`rest` becomes the sums without this node."""
    for j in range(HIDDEN):
        rest[j] = hidden[j] - weights.hidden[node, j]


@njit(nogil=True, cache=True, fastmath=FAST)
def layer(weights: Any, rest: Any, node: int) -> Any:
    """What the hidden units add when `node` joins the others."""
    total = np.float32(0)
    for j in range(HIDDEN):
        total += weights.out[j] * max(rest[j] + weights.hidden[node, j], np.float32(0))
    return total


@njit(nogil=True, cache=True, fastmath=FAST)
def learned(weights: Any, nodes: Any, left: int) -> Any:
    """What the weights say is still to come."""
    if left == 0:
        return np.float32(0)
    hidden = np.empty(HIDDEN, np.float32)
    total = gather(weights, nodes, left, hidden)
    for j in range(HIDDEN):
        total += weights.out[j] * max(hidden[j], np.float32(0))
    return total


@njit(nogil=True, cache=True)
def value(evaluation: Any, nodes: Any, left: int) -> Any:
    """What is still to come from a sheet with `left` cells left."""
    if left == 0:
        return np.float32(0)
    if open_columns(evaluation.known, nodes) > FEW:
        return learned(evaluation.early, nodes, left)
    at = known_at(evaluation.known, nodes)
    if at >= 0:
        return evaluation.known.values[at]
    return column_values(evaluation.known, nodes) + learned(evaluation.late, nodes, left)


@njit(nogil=True, cache=True)
def late_sheets(known: Any, sheets: Any) -> Any:
    """Which of these sheets, shape (sheets, 12), are late."""
    late = np.empty(len(sheets), np.bool_)
    for at in range(len(sheets)):
        late[at] = open_columns(known, sheets[at]) <= FEW
    return late
