"""The targets of the evaluation for the sheets of played games, and the steps of the weights
towards them.

A target is the value plus the sum of the differences between the exact expectation of a turn and
the value, where each further turn counts `fade` times as much (TD(λ) with exact turns). The dice
cancel out, and what is left is the error of the evaluation. So even a `fade` near 1 brings hardly
any noise. Steps are taken only for rows that a batch has touched.
"""

from typing import NamedTuple

import numpy as np

from dicecup.engine.adam_kernel import MEAN_DECAY, SQUARE_DECAY, adam_step, start_correction
from dicecup.engine.arrays import Booleans, Floats, Integers, Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.yamm.evaluation.columns import PLACES
from dicecup.engine.yamm.evaluation.endgame_kernel import column_values, open_columns
from dicecup.engine.yamm.evaluation.value import FEW, HIDDEN, TURNS, Evaluation, Weights
from dicecup.engine.yamm.evaluation.value_kernel import FAST, gather, value

MEAN_GAIN, SQUARE_GAIN = np.float32(1) - np.float32(MEAN_DECAY), np.float32(1) - np.float32(SQUARE_DECAY)
TIMES = TURNS + 1
"""The numbers of turns left: 0 to `TURNS`."""


class Moments(NamedTuple):
    """The running means of every weight's gradient and of its square, and the gradient that is
    being summed.
    """

    mean: Weights
    square: Weights
    gradient: Weights


def fresh_moments(weights: Weights) -> Moments:
    """Return moments of zero."""
    zeros = [Weights(*map(np.zeros_like, weights)) for _ in range(3)]
    return Moments(*zeros)


@kernel
def targets(
    evaluation: Evaluation, seen: Shorts, expected: Singles, left: int, fade: float, values: Singles, wanted: Singles
) -> None:
    """Write the values of the sheets before each turn, and the targets of the weights, both (turns,
    lanes).

    The batch of games has `left` open cells at first.
    """
    for lane in range(expected.shape[1]):
        rest = 0.0
        for turn in range(len(expected) - 1, -1, -1):
            values[turn, lane] = value(evaluation, seen[turn, lane], left - turn)
            rest = expected[turn, lane] - values[turn, lane] + fade * rest
            wanted[turn, lane] = values[turn, lane] + rest
            if open_columns(evaluation.endgame, seen[turn, lane]) <= FEW:
                wanted[turn, lane] -= column_values(evaluation.endgame, seen[turn, lane])


@kernel(fastmath=FAST)
def add_gradient(
    weights: Weights, gradient: Weights, nodes: Shorts, left: int, target: float | np.float32, scale: float, hidden: Singles
) -> np.float32:
    """Add the gradient of half the squared error of one sheet. Return the error."""
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


@kernel(fastmath=FAST)
def step_row(weight: Singles, mean: Singles, square: Singles, gradient: Singles, rate: float) -> None:
    """Move one row of weights by a step of Adam and set its gradient to zero."""
    for j in range(len(weight)):
        adam_step(weight, mean, square, j, gradient[j], -np.float32(rate), MEAN_GAIN, SQUARE_GAIN)
        gradient[j] = 0


@kernel
def fit(
    weights: Weights,
    moments: Moments,
    nodes: Shorts,
    left: Integers,
    wanted: Singles,
    order: Integers,
    size: int,
    steps: int,
    rates: Floats,
    touched: Booleans,
) -> float:
    """Make one pass over the samples in this order, `size` at a time. Return the mean squared error
    before the steps.

    `steps`: the number of batches before this pass. `rates`: the step sizes of points, hidden and
    out. `touched` (nodes) marks the nodes of a batch: `False` before the call, and after it.
    """
    hidden, times = scratch(HIDDEN, np.float32), scratch(TIMES, np.bool_)
    times[:] = False
    squares = 0.0
    for start in range(0, len(order), size):
        stop = min(start + size, len(order))
        for at in order[start:stop]:
            error = add_gradient(weights, moments.gradient, nodes[at], left[at], wanted[at], 1.0 / size, hidden)
            squares += float(error * error)
            times[left[at]] = True
            for place in range(PLACES):
                touched[nodes[at, place]] = True
        steps += 1
        correction = start_correction(steps)
        for node in range(len(touched)):
            if touched[node]:
                touched[node] = False
                one = slice(node, node + 1)
                step_row(
                    weights.points[one],
                    moments.mean.points[one],
                    moments.square.points[one],
                    moments.gradient.points[one],
                    rates[0] * correction,
                )
                step_row(
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
                step_row(
                    weights.base[one],
                    moments.mean.base[one],
                    moments.square.base[one],
                    moments.gradient.base[one],
                    rates[0] * correction,
                )
                step_row(
                    weights.time[time],
                    moments.mean.time[time],
                    moments.square.time[time],
                    moments.gradient.time[time],
                    rates[1] * correction,
                )
        step_row(weights.out, moments.mean.out, moments.square.out, moments.gradient.out, rates[2] * correction)
    return squares / len(order)
