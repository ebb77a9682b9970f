"""The kernels of the search: one turn of a block under prices, for all its states, and where its policy goes.

A block is a part of the sheet with dice of its own (`blocks`), laid out as a `Plan`. `later` holds what the turns to come are
worth to it in each state. The prices of a turn: `first` (252) for a roll that ends it after throw 1; for each class of the first
keep (`classes`, 210) `second` (classes, 252) for a roll that ends it after throw 2, and `third` (classes, 4116) for a keep
before throw 3 and the roll that follows.
"""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.sheets.solver_kernel import ascending, next_node, open_cells, roll_table, shape_of, store, throw
from dicecup.engine.turn.arrays import ROLL_KEEPS, ROLL_KEEPS_AT, ROLL_WEIGHTS
from dicecup.engine.turn.lanes import best_of_rows, copy_rows, throw_mean
from dicecup.engine.turn.value_kernel import KEEPS, ROLLS, ROWS, choose, rows_of_lanes, spread
from dicecup.engine.yamm.bound.last_throw_kernel import PAIR_CHANCE, PAIR_KEEP, PAIR_ROLL, PAIRS_AT, excess, positive_parts

ORDERS = 7776
"""In so many orders five dice fall."""
STOP = -1
"""Instead of a keep: the turn ends, and the block uses it"""
PASS = -2
"""or leaves it to the others."""
UNKNOWN = -3


@njit(nogil=True, cache=True)
def keeps_of_classes(ends: Any, work: Any, stop: Any, keeps: Any, classes: Any, second: Any, third: Any, chances: Any) -> None:
    """The keeps' rows of `keeps` become what each keep after throw 1 is worth, given what each roll is (252, lanes)."""
    lanes = work.shape[1]
    for kind in range(len(second)):
        positive_parts(work, ends, third[kind], PAIR_ROLL, chances, PAIRS_AT)
        excess(stop, ends, second[kind])
        choose(work, stop, 0)
        spread(work)
        for keep in range(KEEPS):
            if classes[keep] == kind:
                copy_rows(keeps, keep * lanes, work, keep * lanes, 1)


@njit(nogil=True, cache=True)
def block_turn(
    plan: Any, shapes: Any, later: Any, now: Any, classes: Any, first: Any, second: Any, third: Any, chances: Any
) -> None:
    """`now` becomes what is worth having a turn before `later`, in all states of these shapes (shapes, S). Precision: that of
    the values; `chances`: `PAIR_CHANCE` in it."""
    lanes = 64 // later.itemsize
    sections = len(plan.stride)
    work = rows_of_lanes(ROWS, lanes, later.dtype)
    keeps = rows_of_lanes(ROWS, lanes, later.dtype)
    ends = rows_of_lanes(ROLLS, lanes, later.dtype)
    stop = rows_of_lanes(ROLLS, lanes, later.dtype)
    rows = rows_of_lanes(1 + plan.outcomes.sum(), lanes, later.dtype)
    out = np.empty(lanes, later.dtype)
    nodes = np.zeros((sections, lanes), np.int64)
    node = np.zeros(sections, np.int64)
    base = np.zeros(lanes, later.dtype)
    all_cells = np.empty(len(plan.section), np.int64)
    starts = np.empty(len(plan.section), np.int64)
    table = np.empty(ROLLS * len(plan.section), np.uint16)
    for at in range(len(shapes)):
        cells = all_cells[: open_cells(plan, shapes[at], all_cells)]
        roll_table(plan, cells, table, starts)
        for section in range(sections):
            node[section] = plan.first[plan.shape_at[section] + shapes[at, section]]
        filled = 0
        more = True
        while more:
            if ascending(plan, node):
                index = 0
                for section in range(sections):
                    nodes[section, filled] = node[section]
                    index += node[section] * plan.stride[section]
                base[filled] = later[index]
                fill_gains(plan, later, cells, starts, nodes, index, filled, rows)
                filled += 1
            more = next_node(plan, shapes[at], node)
            if filled == lanes or (filled and not more):
                for lane in range(filled, lanes):
                    rows[:, lane] = rows[:, 0]
                best_of_rows(ends, rows, table, ROLLS, len(cells))
                keeps_of_classes(ends, work, stop, keeps, classes, second, third, chances)
                excess(stop, ends, first)
                choose(keeps, stop, 0)
                throw_mean(keeps, out, 0)
                for lane in range(filled):
                    store(plan, now, nodes, lane, base[lane] + out[lane])
                filled = 0


@njit(nogil=True, cache=True)
def fill_gains(plan: Any, values: Any, cells: Any, starts: Any, nodes: Any, index: int, lane: int, rows: Any) -> None:
    """What writing every open cell with every number of points gains over passing, with all that follows."""
    for slot in range(len(cells)):
        cell = cells[slot]
        stride = plan.stride[plan.section[cell]]
        node = nodes[plan.section[cell], lane]
        count = plan.outcomes[cell]
        at = plan.moves_at[cell] + node * count
        base = index - node * stride
        for outcome in range(count):
            gained = plan.gain[at + outcome] + (values[base + plan.step[at + outcome] * stride] - values[index])
            rows[starts[slot] + outcome, lane] = gained


@njit(nogil=True, cache=True)
def common_turn(classes: Any, first: Any, second: Any, third: Any, bonus: Any, use1: Any, use2: Any, use3: Any) -> float:
    """The most that a turn can be thrown for at these prices, with `bonus` (252) for ending after throw 1; and how likely it
    then ends with each roll after throw 1 and 2, and with each pair after throw 3, shaped as the prices."""
    kinds = len(second)
    keeps1 = np.zeros(KEEPS)
    choice1, choice2 = np.empty(ROLLS, np.int64), np.empty((kinds, ROLLS), np.int64)
    values = np.empty(ROLLS)
    for kind in range(kinds):
        keeps2 = np.zeros(KEEPS)
        for pair in range(len(PAIR_KEEP)):
            keeps2[PAIR_KEEP[pair]] += PAIR_CHANCE[pair] * third[kind, pair]
        best(keeps2, second[kind].astype(np.float64), values, choice2[kind])
        for pair in range(len(PAIR_KEEP)):
            if classes[PAIR_KEEP[pair]] == kind:
                keeps1[PAIR_KEEP[pair]] += PAIR_CHANCE[pair] * values[PAIR_ROLL[pair]]
    best(keeps1, first + bonus, values, choice1)
    total = 0.0
    flow1, flow3 = np.zeros(KEEPS), np.zeros((kinds, KEEPS))
    for roll in range(ROLLS):
        total += ROLL_WEIGHTS[roll] * values[roll]
        if choice1[roll] == STOP:
            use1[roll] += ROLL_WEIGHTS[roll] / ORDERS
        else:
            flow1[choice1[roll]] += ROLL_WEIGHTS[roll] / ORDERS
    for pair in range(len(PAIR_KEEP)):
        part = flow1[PAIR_KEEP[pair]] * PAIR_CHANCE[pair]
        if part > 0.0:
            kind, roll = classes[PAIR_KEEP[pair]], PAIR_ROLL[pair]
            if choice2[kind, roll] == STOP:
                use2[kind, roll] += part
            else:
                flow3[kind, choice2[kind, roll]] += part
    for kind in range(kinds):
        for pair in range(len(PAIR_KEEP)):
            use3[kind, pair] += PAIR_CHANCE[pair] * flow3[kind, PAIR_KEEP[pair]]
    return float(total / ORDERS)


@njit(nogil=True, cache=True)
def best(keeps: Any, stop: Any, values: Any, choice: Any) -> None:
    """The better of ending and of the best keep, for all rolls."""
    for roll in range(ROLLS):
        value, chosen = stop[roll], STOP
        for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
            if keeps[ROLL_KEEPS[at]] > value:
                value, chosen = keeps[ROLL_KEEPS[at]], ROLL_KEEPS[at]
        values[roll], choice[roll] = value, chosen


@njit(nogil=True, cache=True)
def chosen(keeps: Any, lane: int, roll: int, value: float, end: float, price: float) -> int:
    """What makes a roll worth `value`: passing, ending, or one of the keeps."""
    if value <= 0.0:
        return PASS
    if end - price >= value:
        return STOP
    for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
        if keeps[ROLL_KEEPS[at], lane] >= value:
            return int(ROLL_KEEPS[at])
    return STOP


@njit(nogil=True, cache=True)
def state_ends(plan: Any, later: Any, node: Any, lane: int, ends: Any, sections: Any, moves: Any) -> None:
    """What ending a turn with each roll gains over passing in one state, minus infinity where nothing is open; and the move that
    it gains by: its section, and its place among the plan's moves. All (252, lanes)."""
    ends[:, lane] = -np.inf
    shape = np.empty(len(node), np.int64)
    shape_of(plan, node, shape)
    all_cells = np.empty(len(plan.section), np.int64)
    cells = all_cells[: open_cells(plan, shape, all_cells)]
    starts = np.empty(len(cells), np.int64)
    table = np.empty(ROLLS * len(cells), np.uint16)
    rows = np.empty((1 + plan.outcomes.sum(), 1), later.dtype)
    roll_table(plan, cells, table, starts)
    fill_gains(plan, later, cells, starts, node.reshape((-1, 1)), (node * plan.stride).sum(), 0, rows)
    for roll in range(ROLLS):
        for slot in range(len(cells)):
            row = table[roll * len(cells) + slot]
            if rows[row, 0] > ends[roll, lane]:
                ends[roll, lane] = rows[row, 0]
                section = plan.section[cells[slot]]
                sections[roll, lane] = section
                moves[roll, lane] = plan.moves_at[cells[slot]] + node[section] * plan.outcomes[cells[slot]] + row - starts[slot]


@njit(nogil=True, cache=True)
def follow_keeps(
    classes: Any, flow1: Any, ends: Any, second: Any, keeps2: Any, values2: Any, lane: int, choice2: Any, use2: Any, flow3: Any
) -> None:
    """The second throw: where the keeps' flow goes, with the choices that it meets."""
    for keep in range(KEEPS):
        if flow1[keep] > 0.0:
            kind = classes[keep]
            for pair in range(PAIRS_AT[keep], PAIRS_AT[keep + 1]):
                roll = PAIR_ROLL[pair]
                if choice2[kind, roll] == UNKNOWN:
                    value = values2[kind, roll, lane]
                    choice2[kind, roll] = chosen(keeps2[kind], lane, roll, value, ends[roll, lane], second[kind, roll])
                if choice2[kind, roll] >= 0:
                    flow3[kind, choice2[kind, roll]] += flow1[keep] * PAIR_CHANCE[pair]
                elif choice2[kind, roll] == STOP:
                    use2[kind, roll] += flow1[keep] * PAIR_CHANCE[pair]


@njit(nogil=True, cache=True)
def follow_last(flow3: Any, ends: Any, third: Any, lane: int, use3: Any) -> None:
    """The last throw: which pairs of a keep and a roll are used."""
    for kind in range(len(third)):
        for keep in range(KEEPS):
            if flow3[kind, keep] > 0.0:
                for pair in range(PAIRS_AT[keep], PAIRS_AT[keep + 1]):
                    if ends[PAIR_ROLL[pair], lane] > third[kind, pair]:
                        use3[kind, pair] += flow3[kind, keep] * PAIR_CHANCE[pair]


@njit(nogil=True, cache=True)
def throw_turn(classes: Any, choice1: Any, choice2: Any, ends: Any, third: Any, lane: int, generator: Any) -> int:
    """Throws a turn by these choices: the roll that the block uses, or `PASS`."""
    roll = throw(0, generator)
    keep = choice1[roll]
    if keep >= 0:
        kind = classes[keep]
        roll = throw(keep, generator)
        keep = choice2[kind, roll]
        if keep >= 0:
            roll = throw(keep, generator)
            pair = PAIRS_AT[keep] + np.searchsorted(PAIR_ROLL[PAIRS_AT[keep] : PAIRS_AT[keep + 1]], roll)
            keep = STOP if ends[roll, lane] > third[kind, pair] else PASS
    return roll if keep == STOP else PASS


@njit(nogil=True, cache=True)
def sample_turn(
    plan: Any,
    later: Any,
    nodes: Any,
    classes: Any,
    first: Any,
    second: Any,
    third: Any,
    chances: Any,
    generator: Any,
    use1: Any,
    use2: Any,
    use3: Any,
) -> None:
    """Plays a turn of a block by its best policy in each of some states, `nodes` (S, games), which move on at random, and adds
    how likely the turn is used how, all that can happen within it followed exactly."""
    lanes = 64 // later.itemsize
    kinds = len(second)
    work = rows_of_lanes(ROWS, lanes, later.dtype)
    keeps = rows_of_lanes(ROWS, lanes, later.dtype)
    kept = rows_of_lanes(ROWS, lanes, later.dtype)
    ends = rows_of_lanes(ROLLS, lanes, later.dtype)
    stop = rows_of_lanes(ROLLS, lanes, later.dtype)
    keeps2 = np.empty((kinds, KEEPS, lanes), later.dtype)
    values2 = np.empty((kinds, ROLLS, lanes), later.dtype)
    sections, moves = np.empty((ROLLS, lanes), np.int64), np.empty((ROLLS, lanes), np.int64)
    flow1, flow3 = np.empty(KEEPS), np.empty((kinds, KEEPS))
    choice1, choice2 = np.empty(ROLLS, np.int64), np.empty((kinds, ROLLS), np.int64)
    games = nodes.shape[1]
    for game in range(0, games, lanes):
        count = min(lanes, games - game)
        ends[:] = 0.0
        for lane in range(count):
            state_ends(plan, later, nodes[:, game + lane].copy(), lane, ends, sections, moves)
        for kind in range(kinds):
            positive_parts(work, ends, third[kind], PAIR_ROLL, chances, PAIRS_AT)
            keeps2[kind] = work[:KEEPS]
            excess(stop, ends, second[kind])
            choose(work, stop, 0)
            values2[kind] = work[KEEPS:]
            spread(work)
            for keep in range(KEEPS):
                if classes[keep] == kind:
                    copy_rows(keeps, keep * lanes, work, keep * lanes, 1)
        excess(stop, ends, first)
        kept[:] = keeps
        choose(keeps, stop, 0)
        for lane in range(count):
            flow1[:], flow3[:], choice2[:] = 0.0, 0.0, UNKNOWN
            for roll in range(ROLLS):
                part = ROLL_WEIGHTS[roll] / ORDERS / games
                choice1[roll] = chosen(kept, lane, roll, keeps[KEEPS + roll, lane], ends[roll, lane], first[roll])
                if choice1[roll] >= 0:
                    flow1[choice1[roll]] += part
                elif choice1[roll] == STOP:
                    use1[roll] += part
            follow_keeps(classes, flow1, ends, second, keeps2, values2, lane, choice2, use2, flow3)
            follow_last(flow3, ends, third, lane, use3)
            roll = throw_turn(classes, choice1, choice2, ends, third, lane, generator)
            if roll != PASS:
                nodes[sections[roll, lane], game + lane] = plan.step[moves[roll, lane]]
