"""The gradient of the evaluation and the step of its weights."""

import numpy as np

from dicecup.engine.adam_kernel import MEAN_DECAY, SQUARE_DECAY, adam_step, start_correction
from dicecup.engine.arrays import Booleans, Integers, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.yam_master.evaluation.model import HIDDEN, MOST_POINTS, MOST_SHAPES, SECOND, SUPPLIES, Model
from dicecup.engine.yam_master.evaluation.values_kernel import active_rows, output, sum_rows
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_LINES, SIDE
from dicecup.engine.yam_master.rules.state_kernel import line_contents, opposing_of, opposing_supply, own_of, own_supply

MEAN_GAIN, SQUARE_GAIN = np.float32(1 - MEAN_DECAY), np.float32(1 - SQUARE_DECAY)


@kernel
def gradients(
    rules: Rules, model: Model, into: Model, states: Integers, targets: Singles, active: Booleans
) -> tuple[float, int]:
    """Add to `into` the gradient (ascent of the negative cross entropy) of the active states and
    their targets.

    Return the sum of squared errors, and the first state whose value or target is not a number, or
    -1.
    """
    shapes = len(model.shape_first)
    rows = scratch(MOST_SHAPES, np.int64)[:shapes]
    lines, changed = scratch(MOST_LINES, np.int64), scratch((2, 1), np.int64)
    hidden, total, back = scratch(HIDDEN, np.float32), scratch(HIDDEN, np.float32), scratch(HIDDEN, np.float32)
    second = scratch(SECOND, np.float32)
    squared = 0.0
    for number in range(len(states)):
        if not active[number]:
            continue
        state = states[number]
        side = state >> SIDE & 1 if rules.full_round else 0
        own_left, opposing_left = own_supply(state), opposing_supply(state)
        points = line_contents(rules, own_of(state), lines) - line_contents(rules, opposing_of(state), lines)
        active_rows(model, own_of(state), opposing_of(state), rows)
        alone = sum_rows(model, rows, hidden)
        error = targets[number] - output(model, side, own_left, opposing_left, points, alone, hidden, changed, 0)
        if not np.isfinite(error):
            return squared, number
        squared += error * error
        points = min(max(points, -MOST_POINTS), MOST_POINTS) + MOST_POINTS
        supplies = model.supplies_first + (side * SUPPLIES + own_left) * SUPPLIES + opposing_left
        for row in range(HIDDEN):
            total[row] = hidden[row] + model.rows[supplies, row] + model.rows[model.points_first + points, row]
        into.standing[side, own_left, opposing_left, points] += error
        for at in range(SECOND):
            second[at] = model.second[HIDDEN, at]
        for row in range(HIDDEN):
            value = max(total[row], np.float32(0))
            for at in range(SECOND):
                second[at] += value * model.second[row, at]
        for at in range(SECOND):
            if second[at] > 0:
                into.third[at] += error * second[at]
                second[at] = error * model.third[at]
            else:
                second[at] = 0
            into.second[HIDDEN, at] += second[at]
        for row in range(HIDDEN):
            back[row] = 0
            if total[row] > 0:
                sum_back = np.float32(0)
                for at in range(SECOND):
                    into.second[row, at] += total[row] * second[at]
                    sum_back += model.second[row, at] * second[at]
                back[row] = sum_back
        for shape in range(shapes + 2):
            if shape < shapes:
                entry = rows[shape]
            elif shape == shapes:
                entry = supplies
            else:
                entry = model.points_first + points
            into.alone[entry] += error
            for row in range(HIDDEN):
                into.rows[entry, row] += back[row]
    return squared, -1


@kernel
def step_weights(
    weights: Singles, gradient: Singles, mean: Singles, square: Singles, scale: float, rate: float, steps: int
) -> None:
    """Move the weights by a step of Adam along `scale` times the gradient, and set the gradient to
    zero.

    All arrays are flat. Weights whose gradient is zero stay as they are. `steps`: the number of
    this step, from 1.
    """
    size = np.float32(rate * start_correction(steps))
    for at in range(len(weights)):
        if gradient[at] != 0:
            adam_step(weights, mean, square, at, gradient[at] * np.float32(scale), size, MEAN_GAIN, SQUARE_GAIN)
            gradient[at] = 0
