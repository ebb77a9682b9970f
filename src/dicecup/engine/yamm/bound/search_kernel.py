"""The kernels of the search: one turn of a block under prices, for all its states, and the
probabilities of the rolls that its best policy uses.

A block is a part of the sheet with dice of its own (`blocks`), laid out as a `Plan`. `later` holds
the value of the turns to come in each state. `gains` (252, lanes) is the gain of ending a turn with
each roll over passing. The prices of a turn: `first` (252) for a roll that ends it after throw 1;
for each class of the first keep (`classes`, 210) `second` (classes, 252) for a roll that ends it
after throw 2, and `third` (classes, 4116) for a keep before throw 3 and the roll that follows.
"""

import numpy as np

from dicecup.engine.arrays import Floats, Integers, Reals
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.sheets.plan import Plan
from dicecup.engine.sheets.solver_kernel import (
    Choices,
    ascending,
    fill_lanes,
    index_of,
    next_node,
    open_cells,
    roll_table,
    shape_of,
    store,
    throw,
)
from dicecup.engine.turn.arrays import ROLL_KEEPS, ROLL_KEEPS_AT, ROLL_WEIGHTS
from dicecup.engine.turn.lanes import best_of_rows, copy_rows, throw_mean
from dicecup.engine.turn.value_kernel import KEEPS, ROLLS, choose, spread
from dicecup.engine.yamm.bound.last_throw_kernel import PAIR_CHANCE, PAIR_KEEP, PAIR_ROLL, PAIRS_AT, excess, positive_parts
from dicecup.engine.yamm.bound.search_arrays import Flow, Played, Workspace

ORDERS = 7776
"""The number of orders of five dice."""
STOP = -1
"""The code in place of a keep for ending the turn and using it."""
PASS = -2
"""The code for leaving the turn to the other blocks."""
UNKNOWN = -3
"""The code for a choice that is not calculated yet."""


@kernel
def keeps_of_classes(
    gains: Reals, work: Reals, stop: Reals, keeps: Reals, classes: Integers, second: Reals, third: Reals, chances: Reals
) -> None:
    """Set the keeps' rows of `keeps` to the value of each keep after throw 1, given the gain of
    each roll (252, lanes).
    """
    lanes = work.shape[1]
    for kind in range(len(second)):
        positive_parts(work, gains, third[kind], PAIR_ROLL, chances, PAIRS_AT)
        excess(stop, gains, second[kind])
        choose(work, stop, 0)
        spread(work)
        for keep in range(KEEPS):
            if classes[keep] == kind:
                copy_rows(keeps, keep * lanes, work, keep * lanes, 1)


@kernel
def block_turn(
    plan: Plan,
    shapes: Integers,
    later: Reals,
    now: Reals,
    classes: Integers,
    first: Reals,
    second: Reals,
    third: Reals,
    chances: Reals,
    arrays: Workspace,
) -> None:
    """Write the values before a turn into `now`, given those after it, for all states of these
    shapes (shapes, S).

    The precision is that of the values. `chances`: `PAIR_CHANCE` in that precision.
    """
    sections, lanes = len(plan.stride), len(arrays.out)
    node, _, all_cells, starts, table, rows = arrays.choices
    nodes, base, keeps, gains, stop = arrays.nodes, arrays.base, arrays.keeps, arrays.gains, arrays.stop
    for at in range(len(shapes)):
        cells = all_cells[: open_cells(plan, shapes[at], all_cells)]
        roll_table(plan, cells, table, starts)
        for section in range(sections):
            node[section] = plan.first[plan.shape_at[section] + shapes[at, section]]
        filled = 0
        more = True
        while more:
            if ascending(plan, node):
                copy(nodes[filled], node)
                index = index_of(plan, node)
                base[filled] = later[index]
                fill_gains(plan, later, cells, starts, node, index, filled, rows)
                filled += 1
            more = next_node(plan, shapes[at], node)
            if filled == lanes or (filled and not more):
                fill_lanes(rows, filled)
                best_of_rows(gains, rows, table, ROLLS, len(cells))
                keeps_of_classes(gains, arrays.work, stop, keeps, classes, second, third, chances)
                excess(stop, gains, first)
                choose(keeps, stop, 0)
                throw_mean(keeps, arrays.out, 0)
                for lane in range(filled):
                    store(plan, now, nodes[lane], base[lane] + arrays.out[lane])
                filled = 0


@kernel
def fill_gains(
    plan: Plan, values: Reals, cells: Integers, starts: Integers, nodes: Integers, index: int, lane: int, rows: Reals
) -> None:
    """Write the gain over passing of writing every outcome into every open cell, with all that
    follows. `nodes` (S): of the state.
    """
    for choice in range(len(cells)):
        cell = cells[choice]
        stride = plan.stride[plan.section[cell]]
        node = nodes[plan.section[cell]]
        count = plan.outcomes[cell]
        at = plan.moves_at[cell] + node * count
        base = index - node * stride
        for outcome in range(count):
            gained = plan.gain[at + outcome] + (values[base + plan.step[at + outcome] * stride] - values[index])
            rows[starts[choice] + outcome, lane] = gained


@kernel
def common_turn(
    classes: Integers,
    first: Reals,
    second: Reals,
    third: Reals,
    bonus: Floats,
    flow: Flow,
    use1: Floats,
    use2: Floats,
    use3: Floats,
) -> float:
    """Return the highest mean of a turn at these prices, with `bonus` (252) for ending after throw
    1.

    `use1`, `use2` and `use3`, shaped as the prices, are raised by the probabilities that the turn
    ends with each roll after throw 1 and 2, and with each pair after throw 3.
    """
    kinds = len(second)
    keeps1, keeps2, flow1 = scratch(KEEPS, np.float64), scratch(KEEPS, np.float64), scratch(KEEPS, np.float64)
    stop, values, choice1 = scratch(ROLLS, np.float64), scratch(ROLLS, np.float64), scratch(ROLLS, np.int64)
    choice2, flow3 = flow.choices, flow.keeps
    keeps1[:] = 0.0
    for kind in range(kinds):
        keeps2[:] = 0.0
        for pair in range(len(PAIR_KEEP)):
            keeps2[PAIR_KEEP[pair]] += PAIR_CHANCE[pair] * third[kind, pair]
        copy(stop, second[kind])
        best(keeps2, stop, values, choice2[kind])
        for pair in range(len(PAIR_KEEP)):
            if classes[PAIR_KEEP[pair]] == kind:
                keeps1[PAIR_KEEP[pair]] += PAIR_CHANCE[pair] * values[PAIR_ROLL[pair]]
    for roll in range(ROLLS):
        stop[roll] = first[roll] + bonus[roll]
    best(keeps1, stop, values, choice1)
    total = 0.0
    flow1[:] = 0.0
    flow3[:] = 0.0
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


@kernel
def best(keeps: Reals, stop: Reals, values: Reals, choice: Integers) -> None:
    """Write for all rolls the value of the better of ending and the best keep, and the choice."""
    for roll in range(ROLLS):
        value, chosen = stop[roll], STOP
        for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
            if keeps[ROLL_KEEPS[at]] > value:
                value, chosen = keeps[ROLL_KEEPS[at]], ROLL_KEEPS[at]
        values[roll], choice[roll] = value, chosen


@kernel
def chosen(keeps: Reals, lane: int, roll: int, value: float, end: float, price: float) -> int:
    """Return the choice that gives a roll its `value`: passing, ending, or one of the keeps."""
    if value <= 0.0:
        return PASS
    if end - price >= value:
        return STOP
    for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
        if keeps[ROLL_KEEPS[at], lane] >= value:
            return int(ROLL_KEEPS[at])
    return STOP


@kernel
def gains_of_state(
    plan: Plan, later: Reals, arrays: Choices, lane: int, gains: Reals, sections: Integers, moves: Integers
) -> None:
    """Write the gain over passing of ending a turn with each roll in the state `arrays.node`, minus
    infinity where no cell is open.

    `sections` and `moves` get the section of the best move and its index among the plan's moves.
    All have shape (252, lanes).
    """
    gains[:, lane] = -np.inf
    node, shape, all_cells, starts, table, rows = arrays
    shape_of(plan, node, shape)
    cells = all_cells[: open_cells(plan, shape, all_cells)]
    roll_table(plan, cells, table, starts)
    fill_gains(plan, later, cells, starts, node, index_of(plan, node), 0, rows)
    for roll in range(ROLLS):
        for choice in range(len(cells)):
            row = table[roll * len(cells) + choice]
            if rows[row, 0] > gains[roll, lane]:
                gains[roll, lane] = rows[row, 0]
                section = plan.section[cells[choice]]
                sections[roll, lane] = section
                moves[roll, lane] = (
                    plan.moves_at[cells[choice]] + node[section] * plan.outcomes[cells[choice]] + row - starts[choice]
                )


@kernel
def follow_keeps(
    classes: Integers,
    flow1: Floats,
    gains: Reals,
    second: Reals,
    keeps2: Reals,
    values2: Reals,
    lane: int,
    choice2: Integers,
    use2: Floats,
    flow3: Floats,
) -> None:
    """Follow the probabilities `flow1` of the keeps through the second throw and its choices."""
    for keep in range(KEEPS):
        if flow1[keep] > 0.0:
            kind = classes[keep]
            for pair in range(PAIRS_AT[keep], PAIRS_AT[keep + 1]):
                roll = PAIR_ROLL[pair]
                if choice2[kind, roll] == UNKNOWN:
                    value = values2[kind, roll, lane]
                    choice2[kind, roll] = chosen(keeps2[kind], lane, roll, value, gains[roll, lane], second[kind, roll])
                if choice2[kind, roll] >= 0:
                    flow3[kind, choice2[kind, roll]] += flow1[keep] * PAIR_CHANCE[pair]
                elif choice2[kind, roll] == STOP:
                    use2[kind, roll] += flow1[keep] * PAIR_CHANCE[pair]


@kernel
def follow_last(flow3: Floats, gains: Reals, third: Reals, lane: int, use3: Floats) -> None:
    """Follow the probabilities `flow3` of the keeps through the last throw to the pairs that are
    used.
    """
    for kind in range(len(third)):
        for keep in range(KEEPS):
            if flow3[kind, keep] > 0.0:
                for pair in range(PAIRS_AT[keep], PAIRS_AT[keep + 1]):
                    if gains[PAIR_ROLL[pair], lane] > third[kind, pair]:
                        use3[kind, pair] += flow3[kind, keep] * PAIR_CHANCE[pair]


@kernel
def throw_turn(
    classes: Integers,
    choice1: Integers,
    choice2: Integers,
    gains: Reals,
    third: Reals,
    lane: int,
    faces: Integers,
    used: Integers,
) -> int:
    """Throw a turn by these choices. Return the roll that the block uses, or `PASS`."""
    roll = throw(0, faces, used)
    keep = choice1[roll]
    if keep >= 0:
        kind = classes[keep]
        roll = throw(keep, faces, used)
        keep = choice2[kind, roll]
        if keep >= 0:
            roll = throw(keep, faces, used)
            pair = PAIRS_AT[keep]
            while PAIR_ROLL[pair] < roll:
                pair += 1
            keep = STOP if gains[roll, lane] > third[kind, pair] else PASS
    return roll if keep == STOP else PASS


@kernel
def sample_turn(
    plan: Plan,
    later: Reals,
    nodes: Integers,
    classes: Integers,
    first: Reals,
    second: Reals,
    third: Reals,
    chances: Reals,
    faces: Integers,
    used: Integers,
    arrays: Played,
    use1: Floats,
    use2: Floats,
    use3: Floats,
) -> None:
    """Play one turn of a block by its best policy in the states `nodes` (S, games).

    `nodes` become the states after the turn. `faces`, `used`: the dice, as in `throw`.

    `use1`, `use2` and `use3` are raised by the probabilities of the uses of the turn. Everything
    within the turn is followed exactly.
    """
    kinds, lanes = len(second), arrays.gains.shape[1]
    work, keeps, kept, gains, stop = arrays.work, arrays.keeps, arrays.kept, arrays.gains, arrays.stop
    keeps2, values2, sections, moves = arrays.second_keeps, arrays.second_rolls, arrays.sections, arrays.moves
    choice1, flow1 = scratch(ROLLS, np.int64), scratch(KEEPS, np.float64)
    choice2, flow3 = arrays.flow.choices, arrays.flow.keeps
    games = nodes.shape[1]
    for game in range(0, games, lanes):
        count = min(lanes, games - game)
        gains[:] = 0.0
        for lane in range(count):
            copy(arrays.choices.node, nodes[:, game + lane])
            gains_of_state(plan, later, arrays.choices, lane, gains, sections, moves)
        for kind in range(kinds):
            positive_parts(work, gains, third[kind], PAIR_ROLL, chances, PAIRS_AT)
            copy_rows(keeps2[kind], 0, work, 0, KEEPS)
            excess(stop, gains, second[kind])
            choose(work, stop, 0)
            copy_rows(values2[kind], 0, work, KEEPS * lanes, ROLLS)
            spread(work)
            for keep in range(KEEPS):
                if classes[keep] == kind:
                    copy_rows(keeps, keep * lanes, work, keep * lanes, 1)
        excess(stop, gains, first)
        copy_rows(kept, 0, keeps, 0, KEEPS)
        choose(keeps, stop, 0)
        for lane in range(count):
            flow1[:] = 0.0
            flow3[:] = 0.0
            choice2[:] = UNKNOWN
            for roll in range(ROLLS):
                part = ROLL_WEIGHTS[roll] / ORDERS / games
                choice1[roll] = chosen(kept, lane, roll, keeps[KEEPS + roll, lane], gains[roll, lane], first[roll])
                if choice1[roll] >= 0:
                    flow1[choice1[roll]] += part
                elif choice1[roll] == STOP:
                    use1[roll] += part
            follow_keeps(classes, flow1, gains, second, keeps2, values2, lane, choice2, use2, flow3)
            follow_last(flow3, gains, third, lane, use3)
            roll = throw_turn(classes, choice1, choice2, gains, third, lane, faces, used)
            if roll != PASS:
                nodes[sections[roll, lane], game + lane] = plan.step[moves[roll, lane]]
