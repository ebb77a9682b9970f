"""Learning the evaluation: what it should have said of the sheets of played games, and the steps of the weights towards that.

A target is the value plus the sum, each further turn weighing `fade` times as much, of the differences between the exact turn expectation
and the value. The dice cancel out: what is left is the evaluation's own error, so even `fade` near 1 brings hardly any noise. The steps
are Adam's (Kingma & Ba, 2015), taken only for rows that a batch has touched.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from dicecup.engine.yamm.evaluation.columns import PLACES
from dicecup.engine.yamm.evaluation.endgame_kernel import column_values, open_columns
from dicecup.engine.yamm.evaluation.value import FEW, HIDDEN, Weights
from dicecup.engine.yamm.evaluation.value_kernel import FAST, gather, value

FIRST_DECAY, SECOND_DECAY, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)


class Moments(NamedTuple):
    """Of every weight the running mean of its gradient and of the gradient's square, and the gradient that is being summed."""

    mean: Weights
    square: Weights
    gradient: Weights


def fresh_moments(weights: Weights) -> Moments:
    """All zero."""
    zeros = [Weights(*map(np.zeros_like, weights)) for _ in range(3)]
    return Moments(*zeros)


@njit(nogil=True, cache=True)
def targets(evaluation: Any, seen: Any, expected: Any, left: int, fade: float, values: Any, wanted: Any) -> None:
    """Of one batch of games, with `left` cells left at first, the values of the sheets before each turn, and what the weights
    should have said of them: both (turns, lanes)."""
    for lane in range(expected.shape[1]):
        rest = 0.0
        for turn in range(len(expected) - 1, -1, -1):
            values[turn, lane] = value(evaluation, seen[turn, lane], left - turn)
            rest = expected[turn, lane] - values[turn, lane] + fade * rest
            wanted[turn, lane] = values[turn, lane] + rest
            if open_columns(evaluation.known, seen[turn, lane]) <= FEW:
                wanted[turn, lane] -= column_values(evaluation.known, seen[turn, lane])


@njit(nogil=True, cache=True, fastmath=FAST)
def add_gradient(weights: Any, gradient: Any, nodes: Any, left: int, target: float, scale: float, hidden: Any) -> Any:
    """Adds one sheet's gradient of half the squared error; returns the error."""
    total = gather(weights, nodes, left, hidden)
    for j in range(HIDDEN):
        total += weights.out[j] * max(hidden[j], np.float32(0))
    error = np.float32(total - target)
    step = np.float32(error * scale)
    gradient.base[left] += step
    for j in range(HIDDEN):
        active = np.float32(1) if hidden[j] > 0 else np.float32(0)
        gradient.out[j] += step * active * hidden[j]
        hidden[j] = step * active * weights.out[j]
        gradient.time[left, j] += hidden[j]
    for place in range(PLACES):
        node = nodes[place]
        gradient.points[node] += step
        for j in range(HIDDEN):
            gradient.hidden[node, j] += hidden[j]
    return error


@njit(nogil=True, cache=True, fastmath=FAST)
def adam(weight: Any, mean: Any, square: Any, gradient: Any, rate: float) -> None:
    """One step for one row of weights; the gradient is zero afterwards. `rate` holds the correction of the moments' start."""
    for j in range(len(weight)):
        mean[j] += (np.float32(1) - FIRST_DECAY) * (gradient[j] - mean[j])
        square[j] += (np.float32(1) - SECOND_DECAY) * (gradient[j] * gradient[j] - square[j])
        weight[j] -= np.float32(rate) * mean[j] / (np.sqrt(square[j]) + TINY)
        gradient[j] = 0


@njit(nogil=True, cache=True)
def fit(weights: Any, moments: Any, nodes: Any, left: Any, wanted: Any, order: Any, size: int, steps: int, rates: Any) -> Any:
    """One pass over the samples in this order, `size` at a time. `steps`: batches before this pass; `rates`: of points, hidden,
    out. Returns the mean squared error before the steps."""
    hidden = np.empty(HIDDEN, np.float32)
    touched = np.zeros(len(weights.points), np.bool_)
    times = np.zeros(len(weights.base), np.bool_)
    squares = 0.0
    for start in range(0, len(order), size):
        stop = min(start + size, len(order))
        for at in order[start:stop]:
            error = add_gradient(weights, moments.gradient, nodes[at], left[at], wanted[at], 1.0 / size, hidden)
            squares += error * error
            times[left[at]] = True
            for place in range(PLACES):
                touched[nodes[at, place]] = True
        steps += 1
        correction = np.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
        for node in range(len(touched)):
            if touched[node]:
                touched[node] = False
                one = slice(node, node + 1)
                adam(
                    weights.points[one],
                    moments.mean.points[one],
                    moments.square.points[one],
                    moments.gradient.points[one],
                    rates[0] * correction,
                )
                adam(
                    weights.hidden[node],
                    moments.mean.hidden[node],
                    moments.square.hidden[node],
                    moments.gradient.hidden[node],
                    rates[1] * correction,
                )
        for time in range(len(times)):
            if times[time]:
                times[time] = False
                one = slice(time, time + 1)
                adam(
                    weights.base[one],
                    moments.mean.base[one],
                    moments.square.base[one],
                    moments.gradient.base[one],
                    rates[0] * correction,
                )
                adam(
                    weights.time[time],
                    moments.mean.time[time],
                    moments.square.time[time],
                    moments.gradient.time[time],
                    rates[1] * correction,
                )
        adam(weights.out, moments.mean.out, moments.square.out, moments.gradient.out, rates[2] * correction)
    return squares / len(order)
