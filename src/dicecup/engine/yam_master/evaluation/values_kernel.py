"""The value of every move of a state for the side to move, by the network or by greed.

Values by the network are expected results, from -1 (lost) to 1 (won). The value of a move that ends
the game is exact.
"""

import math

import numpy as np

from dicecup.engine.arrays import Integers, Reals, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.yam_master.evaluation.model import HIDDEN, MOST_POINTS, MOST_SHAPES, SUPPLIES, Model
from dicecup.engine.yam_master.evaluation.network_kernel import network
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_LINES, SIDE
from dicecup.engine.yam_master.rules.state_kernel import (
    ends_by_supply,
    line_change,
    line_contents,
    opposing_of,
    opposing_supply,
    own_of,
    own_supply,
)

NEVER = np.float32(-np.inf)
GREEDY_LINE = np.float32(100)
GREEDY_TOKEN = np.float32(1 / 32)


@kernel
def squash(total: np.float32) -> np.float32:
    """Return tanh in single precision."""
    bounded = min(max(total, np.float32(-9)), np.float32(9))
    return np.float32(1) - np.float32(2) / (np.float32(1) + np.float32(math.exp(np.float32(2) * bounded)))


@kernel
def sign(difference: int) -> np.float32:
    """Return the result of a game that ends with this difference in points."""
    return np.float32((difference > 0) - (difference < 0))


@kernel
def active_rows(model: Model, own: int, opposing: int, into: Integers) -> None:
    """Write the index of the weight row that each shape's content selects.

    A square counts 1 for a token of the side to move, 2 for an opposing one.
    """
    copy(into, model.shape_first)
    for square in range(len(model.square_count)):
        digit = (own >> square & 1) + 2 * (opposing >> square & 1)
        if digit:
            for at in range(model.square_count[square]):
                into[model.square_shapes[square, at]] += digit * model.square_powers[square, at]


@kernel
def sum_rows(model: Model, active: Integers, hidden: Singles) -> np.float32:
    """Write the sum of the selected rows and return the sum of their direct weights."""
    alone = np.float32(0)
    hidden[:] = 0
    for row in active:
        alone += model.alone[row]
        for at in range(HIDDEN):
            hidden[at] += model.rows[row, at]
    return alone


@kernel
def output(
    model: Model,
    side: int,
    own: int,
    opposing: int,
    points: int,
    alone: np.float32,
    hidden: Singles,
    changed: Integers,
    count: int,
) -> np.float32:
    """Return the value of a state for the side to move.

    `own` and `opposing` are the supplies, `points` the difference in points. `alone` and `hidden`
    are the sums of `sum_rows`, in which the first `count` rows `changed[0]` replace those of
    `changed[1]`.
    """
    points = min(max(points, -MOST_POINTS), MOST_POINTS) + MOST_POINTS
    supplies = model.supplies_first + (side * SUPPLIES + own) * SUPPLIES + opposing
    for at in range(count):
        alone += model.alone[changed[0, at]] - model.alone[changed[1, at]]
    found = network(
        hidden, model.rows, changed[0], changed[1], count, supplies, model.points_first + points, model.second, model.third
    )
    return squash(alone + model.standing[side, own, opposing, points] + found)


@kernel
def _change(model: Model, active: Integers, square: int, digit: int, changed: Integers) -> int:
    """Write the rows that replace others when the content of this square changes by `digit`.

    Return their number.
    """
    count = model.square_count[square]
    for at in range(count):
        old = active[model.square_shapes[square, at]]
        changed[1, at] = old
        changed[0, at] = old + digit * model.square_powers[square, at]
    return count


@kernel
def move_values(rules: Rules, model: Model, state: int, values: Singles) -> None:
    """Write the value of every move: minus infinity where there is nothing to place on or to
    capture.
    """
    active = scratch(MOST_SHAPES, np.int64)[: len(model.shape_first)]
    changed, lines = scratch((2, MOST_SHAPES), np.int64), scratch((2, MOST_LINES), np.int64)
    hidden = scratch(HIDDEN, np.float32)
    squares = rules.squares
    side = state >> SIDE & 1
    other = 1 - side if rules.full_round else 0
    own, opposing = own_of(state), opposing_of(state)
    own_left, opposing_left = own_supply(state), opposing_supply(state)
    own_points = line_contents(rules, own, lines[0])
    opposing_points = line_contents(rules, opposing, lines[1])
    points = opposing_points - own_points  # for the other side, which moves next
    active_rows(model, opposing, own, active)
    alone = sum_rows(model, active, hidden)

    if ends_by_supply(rules, state, own_left):  # no move of this turn continues the game
        values[2 * squares] = sign(-points)
    else:
        values[2 * squares] = -output(model, other, opposing_left, own_left, points, alone, hidden, changed, 0)

    over = ends_by_supply(rules, state, own_left - 1)
    for square in range(squares):
        if (own | opposing) >> square & 1:
            values[square] = NEVER
            continue
        gained, wins = line_change(rules, lines[0], square)
        if wins:
            values[square] = 1
        elif over:
            values[square] = sign(gained - points)
        else:
            count = _change(model, active, square, 2, changed)
            values[square] = -output(model, other, opposing_left, own_left - 1, points - gained, alone, hidden, changed, count)

    values[squares : 2 * squares] = NEVER
    if not opposing:
        return
    back = opposing_left + 1 if rules.returned else opposing_left
    over = ends_by_supply(rules, state, own_left)
    for square in range(squares):
        if opposing >> square & 1:
            gained, _ = line_change(rules, lines[1], square)
            if over:
                values[squares + square] = sign(-points - gained)
            else:
                count = _change(model, active, square, -1, changed)
                values[squares + square] = -output(model, other, back, own_left, points + gained, alone, hidden, changed, count)


@kernel
def greedy_move_values(rules: Rules, state: int, values: Singles) -> None:
    """Write the value of every move for the greedy player: a line, then points, own less opposing,
    then a token.
    """
    lines = scratch((2, MOST_LINES), np.int64)
    squares = rules.squares
    own, opposing = own_of(state), opposing_of(state)
    line_contents(rules, own, lines[0])
    line_contents(rules, opposing, lines[1])
    values[2 * squares] = 0
    for square in range(squares):
        values[square] = values[squares + square] = NEVER
        if opposing >> square & 1:
            gained, _ = line_change(rules, lines[1], square)
            values[squares + square] = GREEDY_TOKEN - np.float32(gained)
        elif not own >> square & 1:
            gained, wins = line_change(rules, lines[0], square)
            values[square] = GREEDY_TOKEN + (GREEDY_LINE if wins else np.float32(gained))


@kernel
def class_values(rules: Rules, values: Reals, into: Reals, lane: int) -> None:
    """Set `into[c, lane]` to the value of ending the turn with a roll of class c: the best move
    that it allows.
    """
    squares = rules.squares
    pass_value = values[2 * squares]
    taken = pass_value
    for square in range(squares, 2 * squares):
        taken = max(taken, values[square])
    for number in range(len(rules.class_yam)):
        best = taken if rules.class_yam[number] else pass_value
        for at in range(rules.class_first[number], rules.class_first[number + 1]):
            best = max(best, values[rules.class_squares[at]])
        into[number, lane] = best


@kernel
def best_move(rules: Rules, values: Reals, roll_class: int) -> int:
    """Return the best move that ends the turn with a roll of this class.

    Of equal moves a placed token comes first, and of equal squares the one with the lowest index.
    """
    squares = rules.squares
    best = 2 * squares
    if rules.class_yam[roll_class]:
        for move in range(squares, 2 * squares):
            if values[move] > values[best]:
                best = move
    placed = -1
    for at in range(rules.class_first[roll_class], rules.class_first[roll_class + 1]):
        square = rules.class_squares[at]
        if values[square] >= values[best] and (placed < 0 or values[square] > values[best]):
            best = placed = square
    return best
