"""Kernels: an evaluation moves towards what the turn after a state turned out to be worth."""

import math
from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.yam_master.evaluation.model import HIDDEN, MOST_POINTS, SECOND, SUPPLIES, Model
from dicecup.engine.yam_master.evaluation.values_kernel import contents, output, sum_of_rows
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import SIDE
from dicecup.engine.yam_master.rules.state_kernel import line_contents, opposing_of, opposing_supply, own_of, own_supply


@njit(nogil=True, cache=True)
def gradients(rules: Rules, model: Model, into: Model, states: Any, targets: Any, active: Any) -> tuple[float, int]:
    """Adds to `into` how every number of the evaluation should move for the active states to come closer to their targets
    (descent of the cross entropy). Returns the sum of squared errors, and the first state whose value or target is not a number, or -1."""
    shapes = len(model.shape_first)
    entries = np.empty(shapes, np.int64)
    lines = np.empty(rules.lines, np.int64)
    moved = np.empty((2, 1), np.int64)
    hidden = np.empty(HIDDEN, np.float32)
    total = np.empty(HIDDEN, np.float32)
    second = np.empty(SECOND, np.float32)
    back = np.empty(HIDDEN, np.float32)
    squared = 0.0
    for number in range(len(states)):
        if not active[number]:
            continue
        state = states[number]
        side = state >> SIDE & 1 if rules.full_round else 0
        mine, theirs = own_supply(state), opposing_supply(state)
        points = line_contents(rules, own_of(state), lines) - line_contents(rules, opposing_of(state), lines)
        contents(model, own_of(state), opposing_of(state), entries)
        alone = sum_of_rows(model, entries, hidden)
        error = targets[number] - output(model, side, mine, theirs, points, alone, hidden, moved, 0)
        if not np.isfinite(error):
            return squared, number
        squared += error * error
        points = min(max(points, -MOST_POINTS), MOST_POINTS) + MOST_POINTS
        supplies = model.supplies_first + (side * SUPPLIES + mine) * SUPPLIES + theirs
        for row in range(HIDDEN):
            total[row] = hidden[row] + model.rows[supplies, row] + model.rows[model.points_first + points, row]
        into.standing[side, mine, theirs, points] += error
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
                entry = entries[shape]
            elif shape == shapes:
                entry = supplies
            else:
                entry = model.points_first + points
            into.alone[entry] += error
            for row in range(HIDDEN):
                into.rows[entry, row] += back[row]
    return squared, -1


@njit(nogil=True, cache=True)
def move(numbers: Any, gradient: Any, mean: Any, square: Any, scale: float, rate: float, step: int) -> None:
    """One step of Adam (Kingma & Ba 2015) along `scale` times the gradient, flat arrays; numbers without a gradient stay, and
    `gradient` is emptied."""
    size = np.float32(rate * math.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    for at in range(len(numbers)):
        if gradient[at] != 0:
            slope = gradient[at] * np.float32(scale)
            mean[at] += np.float32(0.1) * (slope - mean[at])
            square[at] += np.float32(0.001) * (slope * slope - square[at])
            numbers[at] += size * mean[at] / (np.float32(math.sqrt(square[at])) + np.float32(1e-8))
            gradient[at] = 0
