"""The value of every node of a set, for both sides to move, given the values of the nodes that
follow.

A value is the expectation of 1 for a win, 0 for a draw and -1 for a loss, for the side to move. The
values after placing and removing are given. Passing leads to the same node with the other side to
move, so each node has a cycle: the value for x depends on the value of passing, which is the value
for o, and the other way round. Both dependences are monotone, and linear between the points where
the best play changes. Iterating from passing = draw, with secant steps, finds the fixed point in a
few turns. Endless passing counts as a draw.

Eight nodes are solved side by side, one in each lane of the turn kernels.
"""

from typing import Final, NamedTuple

import numpy as np

from dicecup.engine.arrays import Booleans, Floats, Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.turn.lanes import copy_rows, raise_rows, throw_mean
from dicecup.engine.turn.value_kernel import KEEPS, NOWHERE, ROLLS, ROWS, SPARE, choose, rerolls
from dicecup.engine.workspaces import one_a_thread, rows_of_lanes
from dicecup.engine.yam_master.evaluation.values_kernel import class_values
from dicecup.engine.yam_master.exact.nodes_kernel import MISSING, Slots, find, node_of
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_LINES, MOST_MOVES, SIDE
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    opposing_of,
    own_of,
    own_supply,
)

X: Final = 0
O: Final = 1  # noqa: E741 the side is called o everywhere
LANES: Final = 8
NOT_ALLOWED: Final = -2.0
"""The value of a move that is not possible, below every other value."""
ACCURACY: Final = 1e-13
"""The allowed difference between the value of passing and the other side's value."""
_ROUNDS: Final = 1000


class Table(NamedTuple):
    """Nodes and their values, shape (nodes, 2): x to move, o to move. `slots`: see
    `nodes.Nodes`.
    """

    keys: Integers
    slots: Slots
    values: Floats


class Workspace(NamedTuple):
    """The arrays in which the turns of eight nodes are solved."""

    work: Floats
    """462 rows."""
    spare: Floats
    """882 rows."""
    stops: Floats
    """3 × 252 rows: ending the turn after the first throw, after a later one, under a Défi."""
    keeps: Floats
    """840 rows: the values of the keeps after throws 1 and 2, and the same under a Défi."""
    classes: Floats
    """(2, classes, lanes): for each side the value of ending with a class of dice, passing left
    out.
    """
    out: Floats
    """(lanes,)."""


@one_a_thread
def workspace(classes: int) -> Workspace:
    """Return the workspace for a game with this number of classes of dice."""
    return Workspace(
        rows_of_lanes(ROWS, LANES, np.float64),
        rows_of_lanes(SPARE, LANES, np.float64),
        rows_of_lanes(3 * ROLLS, LANES, np.float64),
        rows_of_lanes(4 * KEEPS, LANES, np.float64),
        np.zeros((2, classes, LANES)),
        np.zeros(LANES),
    )


@kernel
def last_turn(rules: Rules, node: int) -> bool:
    """Return whether every move of this turn ends the game. The turn is then o's."""
    state = node | O << SIDE
    return ends_by_supply(rules, state, own_supply(state))


@kernel
def move_values(rules: Rules, node: int, side: int, placed: Table, removed: Table, out: Floats) -> None:
    """Write the value of placing on each square and of removing from each square, `NOT_ALLOWED`
    where it is not possible.

    Removing is not allowed where its node is not among `removed`; there a closure ends. Passing is
    left to the caller: `NOT_ALLOWED` unless this is the last turn.
    """
    lines = scratch((2, MOST_LINES), np.int64)
    squares = rules.squares
    state = node | side << SIDE
    own, opposing, supply = own_of(state), opposing_of(state), own_supply(state)
    ahead = line_contents(rules, own, lines[0]) - line_contents(rules, opposing, lines[1])
    last, full = ends_by_supply(rules, state, supply), ends_by_supply(rules, state, supply - 1)
    out[:] = NOT_ALLOWED
    if last:
        out[2 * squares] = np.sign(ahead)
    for square in range(squares):
        if opposing >> square & 1:
            move = square + squares
            if last:
                out[move] = np.sign(ahead - line_change(rules, lines[1], square)[0])
                continue
            at = find(removed.keys, removed.slots, node_of(after_state(rules, state, move)))
            if at != MISSING:
                out[move] = -removed.values[at, 1 - side]
        elif not own >> square & 1:
            gained, wins = line_change(rules, lines[0], square)
            if wins:
                out[square] = 1.0
            elif full:
                out[square] = np.sign(ahead + gained)
            else:
                at = find(placed.keys, placed.slots, node_of(after_state(rules, state, square)))
                if at == MISSING:
                    raise KeyError("a node that was never found")
                out[square] = -placed.values[at, 1 - side]


@kernel
def defi_pays(pairs: Integers, classes: Floats) -> bool:
    """Return whether a Défi opens more than it closes for any dice in any lane. Otherwise it is
    never worth declaring.

    `pairs`: the classes that the same dice have without a Défi and under it.
    """
    for pair in pairs:
        for lane in range(LANES):
            if classes[pair[1], lane] > classes[pair[0], lane]:
                return True
    return False


@kernel
def fill_stops(rules: Rules, classes: Floats, passed: Floats, stops: Floats, defi: bool) -> None:
    """Write the values of ending the turn with each roll, given the value of passing in
    each lane.
    """
    for stage in range(3 if defi else 2):
        for roll in range(ROLLS):
            row = rules.roll_class[stage, roll]
            for lane in range(LANES):
                best = classes[row, lane]
                stops[stage * ROLLS + roll, lane] = max(passed[lane], best)


@kernel
def solve_turns(rules: Rules, arrays: Workspace, defi: bool, wanted: bool) -> None:
    """Write the value of a turn in every lane to `arrays.out`; with `wanted` also
    `arrays.keeps`.
    """
    work, spare, stops = arrays.work, arrays.spare, arrays.stops
    for stage in range(2 if defi else 1, 0, -1):
        at = stage * ROLLS * LANES
        keeps_at = (stage - 1) * 2 * KEEPS * LANES if wanted else NOWHERE
        rerolls(work, spare, stops, at, at, arrays.keeps, keeps_at, rules.locked)
        if stage == 2:
            copy_rows(spare, (ROWS + KEEPS) * LANES, work, 0, KEEPS)
    if defi:
        raise_rows(work, 0, spare, (ROWS + KEEPS) * LANES, KEEPS)
    choose(work, stops, 0)
    throw_mean(work, arrays.out, 0)


@kernel
def solve_nodes(
    rules: Rules,
    pairs: Integers,
    this: Table,
    placed: Table,
    removed: Table,
    order: Integers,
    start: int,
    stop: int,
    arrays: Workspace,
) -> float:
    """Set `this.values` of the nodes `order[start:stop]`. Return the largest change."""
    moves = scratch(MOST_MOVES, np.float64)[: 2 * rules.squares + 1]
    last, defi, passed = scratch(LANES, np.bool_), scratch(2, np.bool_), scratch((2, LANES), np.float64)
    moved = 0.0
    for begin in range(start, stop, LANES):
        count = min(LANES, stop - begin)
        for lane in range(LANES):
            node = this.keys[order[begin + min(lane, count - 1)]]
            last[lane] = last_turn(rules, node)
            for side in range(2):
                if last[lane] and side == X:
                    arrays.classes[X, :, lane] = 0.0
                else:
                    move_values(rules, node, side, placed, removed, moves)
                    class_values(rules, moves, arrays.classes[side], lane)
            passed[X, lane] = -this.values[order[begin + min(lane, count - 1)], O]
            if last[lane]:
                passed[X, lane], passed[O, lane] = 0.0, moves[2 * rules.squares]
        for side in range(2):
            defi[side] = defi_pays(pairs, arrays.classes[side])
        balance(rules, arrays, defi, last, passed)
        for lane in range(count):
            at = order[begin + lane]
            for side in range(2):
                value = -passed[1 - side, lane]
                if last[lane]:
                    value = 0.0 if side == X else arrays.out[lane]
                moved = max(moved, abs(value - this.values[at, side]))
                this.values[at, side] = value
    return moved


@kernel
def balance(rules: Rules, arrays: Workspace, defi: Booleans, last: Booleans, passed: Floats) -> None:
    """Write the value of passing for both sides in every lane.

    `passed` holds a first guess for x. In lanes whose turn is the `last` the value of passing is
    given there. `arrays.out` ends as the values for o.
    """
    before, answer_before = scratch(LANES, np.float64), scratch(LANES, np.float64)
    before[:] = 0.0
    answer_before[:] = 0.0
    for tried in range(_ROUNDS):
        for side in range(2):
            fill_stops(rules, arrays.classes[side], passed[side], arrays.stops, defi[side])
            solve_turns(rules, arrays, defi[side], False)
            if side == X:
                for lane in range(LANES):
                    if not last[lane]:
                        passed[O, lane] = -arrays.out[lane]
        settled = True
        for lane in range(LANES):
            guess, answer = passed[X, lane], -arrays.out[lane]
            if last[lane] or abs(answer - guess) <= ACCURACY:
                before[lane], answer_before[lane] = guess, answer
                continue
            settled = False
            slope = (answer - answer_before[lane]) / (guess - before[lane]) if tried and guess != before[lane] else 0.0
            before[lane], answer_before[lane] = guess, answer
            step = (answer - guess) / (1 - slope) if 0 < slope < 0.999999 else answer - guess
            passed[X, lane] = min(1.0, max(-1.0, guess + step))
        if settled:
            return
