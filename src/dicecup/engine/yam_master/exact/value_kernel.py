"""The value of every node of a set, for both sides to move, given the values of the nodes that follow.

A value is the expectation of 1 for a win, 0 for a draw and -1 for a loss, for the side to move. What placing and
removing lead to is taken as it stands; passing leads to the same node with the other side to move. So there is a circle in each
node: what x can reach depends on what passing is worth, that is on o's value, and the other way round. Both dependences are
monotone, and linear between the points where the best play changes: iterating from passing = draw, with secant steps, finds the
fixed point in a few turns. Endless passing counts as a draw.

Eight nodes are solved side by side, one in each lane of the turn kernels.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dicecup.engine.turn.lanes import copy_rows, raise_rows, throw_mean
from dicecup.engine.turn.value_kernel import KEEPS, NOWHERE, ROLLS, ROWS, choose, rerolls, rows_of_lanes
from dicecup.engine.yam_master.evaluation.values_kernel import class_values
from dicecup.engine.yam_master.exact.nodes_kernel import MISSING, Integers, Slots, find, node_of
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import SIDE
from dicecup.engine.yam_master.rules.state_kernel import (
    after,
    change,
    line_contents,
    opposing_of,
    own_of,
    own_supply,
    supply_ends,
)

Floats = NDArray[np.float64]

X: Final = 0
O: Final = 1  # noqa: E741 the side is called o everywhere
LANES: Final = 8
NOT_ALLOWED: Final = -2.0
"""Instead of the value of what cannot be done: below every value."""
ACCURACY: Final = 1e-13
"""How far passing may be from the other side's value."""
_ROUNDS: Final = 1000


class Table(NamedTuple):
    """Nodes and their values, shape (nodes, 2): x to move, o to move."""

    keys: Integers
    slots: Slots
    values: Floats


class Room(NamedTuple):
    """Arrays of lanes that a thread works in."""

    work: Floats
    """462 rows."""
    spare: Floats
    """882 rows."""
    ends: Floats
    """3 × 252 rows: ending the turn after the first throw, after a later one, under a Défi."""
    keeps: Floats
    """840 rows: the values of the keeps after throw 1 and 2, and the same under a Défi."""
    classes: Floats
    """(2, classes, lanes): for each side what ending with a class of dice is worth without passing."""
    out: Floats
    """(lanes)."""


@njit(nogil=True, cache=True)
def room(classes: int) -> Room:
    """Room for games with so many classes of dice."""
    return Room(
        rows_of_lanes(ROWS, LANES, np.float64),
        rows_of_lanes(ROWS + 2 * KEEPS, LANES, np.float64),
        rows_of_lanes(3 * ROLLS, LANES, np.float64),
        rows_of_lanes(4 * KEEPS, LANES, np.float64),
        np.empty((2, classes, LANES)),
        np.empty(LANES),
    )


@njit(nogil=True, cache=True)
def last_turn(rules: Rules, node: int) -> bool:
    """Whether the turn that begins here is the last, whatever is done in it; it is o's."""
    state = node | O << SIDE
    return supply_ends(rules, state, own_supply(state))


@njit(nogil=True, cache=True)
def slot_values(rules: Rules, node: int, side: int, placed: Table, removed: Table, lines: Integers, out: Floats) -> None:
    """`out`, a value a slot: what placing on each square and removing from each is worth, `NOT_ALLOWED` where it cannot be done.
    Removing is not allowed where its node is not among `removed`: so a closure ends. Passing is left to the caller,
    `NOT_ALLOWED` unless this is the last turn. `lines`: room for (2, lines)."""
    squares = rules.squares
    state = node | side << SIDE
    own, opposing, supply = own_of(state), opposing_of(state), own_supply(state)
    ahead = line_contents(rules, own, lines[0]) - line_contents(rules, opposing, lines[1])
    last, full = supply_ends(rules, state, supply), supply_ends(rules, state, supply - 1)
    out[:] = NOT_ALLOWED
    if last:
        out[2 * squares] = np.sign(ahead)
    for square in range(squares):
        if opposing >> square & 1:
            slot = square + squares
            if last:
                out[slot] = np.sign(ahead - change(rules, lines[1], square)[0])
                continue
            at = find(removed.keys, removed.slots, node_of(after(rules, state, slot)))
            if at != MISSING:
                out[slot] = -removed.values[at, 1 - side]
        elif not own >> square & 1:
            gained, wins = change(rules, lines[0], square)
            if wins:
                out[square] = 1.0
            elif full:
                out[square] = np.sign(ahead + gained)
            else:
                at = find(placed.keys, placed.slots, node_of(after(rules, state, square)))
                if at == MISSING:
                    raise KeyError("a node that was never found")
                out[square] = -placed.values[at, 1 - side]


@njit(nogil=True, cache=True)
def defi_pays(pairs: Integers, classes: Floats) -> bool:
    """Whether a Défi opens more than it closes for any dice in any lane; otherwise it is never worth declaring. `pairs`: the
    classes that the same dice have without a Défi and under it."""
    for pair in pairs:
        for lane in range(LANES):
            if classes[pair[1], lane] > classes[pair[0], lane]:
                return True
    return False


@njit(nogil=True, cache=True)
def fill_ends(rules: Rules, classes: Floats, passed: Floats, ends: Floats, defi: bool) -> None:
    """What ending the turn with each roll is worth, given what passing is worth in each lane."""
    for stage in range(3 if defi else 2):
        for roll in range(ROLLS):
            row = rules.roll_class[stage, roll]
            for lane in range(LANES):
                best = classes[row, lane]
                ends[stage * ROLLS + roll, lane] = max(passed[lane], best)


@njit(nogil=True, cache=True)
def solve_turns(rules: Rules, space: Room, defi: bool, wanted: bool) -> None:
    """`space.out`: the value of a turn in every lane; with `wanted` also `space.keeps`."""
    work, spare, ends = space.work, space.spare, space.ends
    for stage in range(2 if defi else 1, 0, -1):
        at = stage * ROLLS * LANES
        keeps_at = (stage - 1) * 2 * KEEPS * LANES if wanted else NOWHERE
        rerolls(work, spare, ends, at, at, space.keeps, keeps_at, rules.locked)
        if stage == 2:
            copy_rows(spare, (ROWS + KEEPS) * LANES, work, 0, KEEPS)
    if defi:
        raise_rows(work, 0, spare, (ROWS + KEEPS) * LANES, KEEPS)
    choose(work, ends, 0)
    throw_mean(work, space.out, 0)


@njit(nogil=True, cache=True)
def solve_nodes(
    rules: Rules, pairs: Integers, this: Table, placed: Table, removed: Table, order: Integers, start: int, stop: int
) -> float:
    """Sets `this.values` of the nodes `order[start:stop]`; how far they moved at most."""
    space = room(len(rules.class_yam))
    slots, lines = np.empty(2 * rules.squares + 1), np.empty((2, rules.lines), np.int64)
    last = np.zeros(LANES, np.bool_)
    passed = np.zeros((2, LANES))
    defi = np.zeros(2, np.bool_)
    moved = 0.0
    for begin in range(start, stop, LANES):
        count = min(LANES, stop - begin)
        for lane in range(LANES):
            node = this.keys[order[begin + min(lane, count - 1)]]
            last[lane] = last_turn(rules, node)
            for side in range(2):
                if last[lane] and side == X:
                    space.classes[X, :, lane] = 0.0
                else:
                    slot_values(rules, node, side, placed, removed, lines, slots)
                    class_values(rules, slots, space.classes[side], lane)
            passed[X, lane] = -this.values[order[begin + min(lane, count - 1)], O]
            if last[lane]:
                passed[X, lane], passed[O, lane] = 0.0, slots[2 * rules.squares]
        for side in range(2):
            defi[side] = defi_pays(pairs, space.classes[side])
        balance(rules, space, defi, last, passed)
        for lane in range(count):
            at = order[begin + lane]
            for side in range(2):
                value = -passed[1 - side, lane]
                if last[lane]:
                    value = 0.0 if side == X else space.out[lane]
                moved = max(moved, abs(value - this.values[at, side]))
                this.values[at, side] = value
    return moved


@njit(nogil=True, cache=True)
def balance(rules: Rules, space: Room, defi: Any, last: Any, passed: Floats) -> None:
    """Finds what passing is worth to both sides in every lane: `passed`, which holds a first guess for x. In lanes whose turn is
    the `last` passing is worth what it says there. `space.out` ends as o's values."""
    before, answer_before = np.zeros(LANES), np.zeros(LANES)
    for tried in range(_ROUNDS):
        for side in range(2):
            fill_ends(rules, space.classes[side], passed[side], space.ends, defi[side])
            solve_turns(rules, space, defi[side], False)
            if side == X:
                for lane in range(LANES):
                    if not last[lane]:
                        passed[O, lane] = -space.out[lane]
        settled = True
        for lane in range(LANES):
            guess, answer = passed[X, lane], -space.out[lane]
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
