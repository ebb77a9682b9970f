"""The kernels that solve and play a score sheet.

The states of a sheet are numbered by their sections' nodes, in mixed radix. States with the same
open cells differ only in the values of the states that follow. They are solved side by side, one in
each lane. The rules reach these kernels as a `Plan`. A readable twin is in the tests.
"""

from typing import Any, NamedTuple

import numpy as np

from dicecup.engine.arrays import Floats, Integers, Reals, Rows
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.sheets.plan import NEVER, Plan
from dicecup.engine.turn.arrays import KEPT, MORE, ROLL_KEEPS, ROLL_KEEPS_AT
from dicecup.engine.turn.lanes import best_of_rows, copy_rows, lanes, throw_mean
from dicecup.engine.turn.value_kernel import KEEPS, ROLLS, ROWS, choose, spread
from dicecup.engine.workspaces import rows_of_lanes


class Choices(NamedTuple):
    """What may be written in one state of a sheet with S sections and C cells."""

    node: Integers
    """(S) the node of each section."""
    shape: Integers
    """(S) its shape."""
    cells: Integers
    """(C) the open cells first."""
    starts: Integers
    """(C) the row of `rows` with the first outcome of each open cell."""
    table: Rows
    """(252 × C) for each roll and open cell the row of `rows` with the outcome, 0 for none."""
    rows: Reals
    """(outcomes + 1, lanes) the value of each outcome, for each lane."""


class Workspace(NamedTuple):
    """The arrays in which the states of a sheet are solved, one in each lane."""

    choices: Choices
    nodes: Integers
    """(lanes, S) the nodes of the states."""
    numbers: Integers
    """(lanes,) their numbers."""
    extra: Reals
    """(lanes,) their bonuses for five equal dice."""
    work: Reals
    """462 rows of lanes."""
    stops: Reals
    """252 rows of lanes: the values of ending a turn."""
    out: Reals
    """(lanes,) the values of the states."""


def choices(plan: Plan, dtype: Any, lanes: int = 1) -> Choices:
    """Return the arrays for the choices in a state of this sheet, with values in this precision."""
    sections, cells = len(plan.stride), len(plan.section)
    rows = rows_of_lanes(1 + int(plan.outcomes.sum()), lanes, dtype)
    node, shape = np.zeros((2, sections), np.int64)
    opened, starts = np.zeros((2, cells), np.int64)
    return Choices(node, shape, opened, starts, np.zeros(ROLLS * cells, np.uint16), rows)


def workspace(plan: Plan, dtype: Any) -> Workspace:
    """Return the workspace for a sheet, with values in this precision."""
    count = lanes(dtype)
    return Workspace(
        choices(plan, dtype, count),
        np.zeros((count, len(plan.stride)), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, dtype),
        rows_of_lanes(ROWS, count, dtype),
        rows_of_lanes(ROLLS, count, dtype),
        np.zeros(count, dtype),
    )


@kernel
def roll_table(plan: Plan, cells: Integers, table: Rows, starts: Integers) -> None:
    """Write for every roll and open cell the row of `fill_values` with the value of the result.

    Row 0 means that the roll may not be written into the cell.
    """
    count = len(cells)
    opened = np.uint64(0)
    row = 1
    for choice in range(count):
        opened |= np.uint64(1) << np.uint64(cells[choice])
        starts[choice] = row
        for roll in range(ROLLS):
            table[roll * count + choice] = row + plan.classes[cells[choice], roll]
        row += plan.outcomes[cells[choice]]
    for joker in range(len(plan.joker_roll)):
        if plan.joker_written[joker] & opened == 0 and plan.joker_open[joker] & ~opened == 0:
            for choice in range(count):
                given = plan.joker_class[joker, cells[choice]]
                table[plan.joker_roll[joker] * count + choice] = 0 if given == NEVER else starts[choice] + given


@kernel
def fill_values(
    plan: Plan, values: Reals, cells: Integers, starts: Integers, nodes: Integers, index: int, lane: int, rows: Reals
) -> None:
    """Write the value of every outcome in every open cell: its gain and the next state's value.

    `nodes` (S): of the state. Row 0 is minus infinity.
    """
    rows[0, lane] = -np.inf
    for choice in range(len(cells)):
        cell = cells[choice]
        section = plan.section[cell]
        node = nodes[section]
        count = plan.outcomes[cell]
        at = plan.moves_at[cell] + node * count
        base = index - node * plan.stride[section]
        for outcome in range(count):
            following = base + plan.step[at + outcome] * plan.stride[section]
            rows[starts[choice] + outcome, lane] = plan.gain[at + outcome] + values[following]


@kernel
def extra_of(plan: Plan, nodes: Integers) -> float:
    """Return the bonus for five equal dice in this state."""
    extra = 0.0
    for section in range(len(plan.stride)):
        extra += plan.extra[plan.extra_at[section] + nodes[section]]
    return extra


@kernel
def index_of(plan: Plan, nodes: Integers) -> int:
    """Return the number of the state with these nodes."""
    index = 0
    for section in range(len(plan.stride)):
        index += nodes[section] * plan.stride[section]
    return index


@kernel
def open_cells(plan: Plan, shape: Integers, cells: Integers) -> int:
    """Write the open cells of a sheet with these section shapes. Return their number."""
    count = 0
    for section in range(len(shape)):
        at = plan.shape_at[section] + shape[section]
        for place in range(plan.cells_at[at], plan.cells_at[at + 1]):
            cells[count] = plan.cells[place]
            count += 1
    return count


@kernel
def solve_shapes(plan: Plan, values: Reals, shapes: Integers, arrays: Workspace) -> None:
    """Solve all states of these shapes (shapes, S), in this order. The states that follow them must
    be solved.
    """
    sections, lanes = len(plan.stride), len(arrays.out)
    node, _, all_cells, starts, table, rows = arrays.choices
    nodes, numbers, extra, work, stops = arrays.nodes, arrays.numbers, arrays.extra, arrays.work, arrays.stops
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
                numbers[filled] = index_of(plan, node)
                filled += 1
            more = next_node(plan, shapes[at], node)
            if filled == lanes or (filled and not more):
                for lane in range(filled):
                    fill_values(plan, values, cells, starts, nodes[lane], numbers[lane], lane, rows)
                    extra[lane] = extra_of(plan, nodes[lane])
                fill_lanes(rows, filled)
                best_of_rows(stops, rows, table, ROLLS, len(cells))
                for roll in plan.five_equal:
                    for lane in range(lanes):
                        stops[roll, lane] += extra[lane]
                copy_rows(work, KEEPS * lanes, stops, 0, ROLLS)
                spread(work)
                choose(work, stops, 0)
                spread(work)
                for roll in plan.five_equal:
                    for lane in range(lanes):
                        stops[roll, lane] += plan.first_throw
                choose(work, stops, 0)
                throw_mean(work, arrays.out, 0)
                for lane in range(filled):
                    store(plan, values, nodes[lane], arrays.out[lane])
                filled = 0


@kernel
def fill_lanes(rows: Reals, filled: int) -> None:
    """Copy the first lane to those that hold no state."""
    for lane in range(filled, rows.shape[1]):
        copy(rows[:, lane], rows[:, 0])


@kernel
def ascending(plan: Plan, node: Integers) -> bool:
    """Return whether the nodes of equal sections ascend. Only this order of them is solved."""
    for section in range(1, len(node)):
        if plan.alike[section] == plan.alike[section - 1] and node[section] < node[section - 1]:
            return False
    return True


@kernel
def next_node(plan: Plan, shape: Integers, node: Integers) -> bool:
    """Move on to the next state of this shape. Return False after the last."""
    for section in range(len(node) - 1, -1, -1):
        at = plan.shape_at[section] + shape[section]
        node[section] += 1
        if node[section] < plan.first[at] + plan.sizes[at]:
            return True
        node[section] = plan.first[at]
    return False


@kernel
def store(plan: Plan, values: Reals, nodes: Integers, value: float) -> None:
    """Store the value of a state for all orders of its equal sections."""
    for order in range(len(plan.orders)):
        index = 0
        for section in range(len(plan.stride)):
            index += nodes[plan.orders[order, section]] * plan.stride[section]
        values[index] = value


@kernel
def shape_of(plan: Plan, node: Integers, shape: Integers) -> None:
    """Write the shape of each section's node."""
    for section in range(len(node)):
        at = plan.shape_at[section]
        while node[section] >= plan.first[at] + plan.sizes[at]:
            at += 1
        shape[section] = at - plan.shape_at[section]


@kernel
def stop_values(plan: Plan, values: Reals, arrays: Choices, stops: Floats, best: Integers, points: Integers) -> float:
    """Write the value of ending a turn with each of the 252 rolls in the state `arrays.node`, the
    best cell for it, and the index of its points.

    Return the bonus of five equal dice after the first throw, which is not in `stops`. The sheet
    must have an open cell.
    """
    node, shape, all_cells, starts, table, rows = arrays
    shape_of(plan, node, shape)
    cells = all_cells[: open_cells(plan, shape, all_cells)]
    roll_table(plan, cells, table, starts)
    fill_values(plan, values, cells, starts, node, index_of(plan, node), 0, rows)
    for roll in range(ROLLS):
        stops[roll] = -np.inf
        for choice in range(len(cells)):
            row = table[roll * len(cells) + choice]
            if rows[row, 0] > stops[roll]:
                stops[roll] = rows[row, 0]
                best[roll] = cells[choice]
                points[roll] = row - starts[choice]
    extra = extra_of(plan, node)
    for roll in plan.five_equal:
        stops[roll] += extra
    return float(plan.first_throw)


@kernel
def play(plan: Plan, values: Reals, start: Integers, faces: Integers, used: Integers, totals: Floats, arrays: Choices) -> None:
    """Play `len(totals)` games by the solution and write their totals. `faces`, `used` as in
    `throw`.
    """
    stops, best, points = scratch(ROLLS, np.float64), scratch(ROLLS, np.int64), scratch(ROLLS, np.int64)
    work, first, second = scratch(ROWS, np.float64), scratch(KEEPS, np.float64), scratch(KEEPS, np.float64)
    five_equal = scratch(ROLLS, np.bool_)
    five_equal[:] = False
    for roll in plan.five_equal:
        five_equal[roll] = True
    node = arrays.node
    copy(node, start)
    turns = turns_of(plan, arrays)
    for game in range(len(totals)):
        copy(node, start)
        totals[game] = 0.0
        for _ in range(turns):
            first_throw = stop_values(plan, values, arrays, stops, best, points)
            copy_rows(work, KEEPS, stops, 0, ROLLS)
            spread(work)
            copy(second, work[:KEEPS])
            choose(work, stops, 0)
            spread(work)
            copy(first, work[:KEEPS])
            roll = throw(0, faces, used)
            bonus = first_throw if five_equal[roll] else 0.0
            keep = best_keep(first, roll, stops[roll] + bonus)
            if keep >= 0:
                bonus = 0.0
                roll = throw(keep, faces, used)
                keep = best_keep(second, roll, stops[roll])
                if keep >= 0:
                    roll = throw(keep, faces, used)
            if five_equal[roll]:
                bonus += extra_of(plan, node)
            section = plan.section[best[roll]]
            at = plan.moves_at[best[roll]] + node[section] * plan.outcomes[best[roll]] + points[roll]
            totals[game] += plan.gain[at] + bonus
            node[section] = plan.step[at]


@kernel
def turns_of(plan: Plan, arrays: Choices) -> int:
    """Return the number of cells that are written from the state `arrays.node` on. The nodes end as
    those of the full sheet.
    """
    node, shape, cells = arrays.node, arrays.shape, arrays.cells
    turns = 0
    while True:
        shape_of(plan, node, shape)
        if open_cells(plan, shape, cells) == 0:
            return turns
        section = plan.section[cells[0]]
        node[section] = plan.step[plan.moves_at[cells[0]] + node[section] * plan.outcomes[cells[0]]]
        turns += 1


@kernel
def throw(keep: int, faces: Integers, used: Integers) -> int:
    """Return the roll that falls when all dice but `keep` are thrown.

    `faces`: random faces from 0 to 5. `used` (1,): how many of them have fallen.
    """
    for _ in range(KEPT[keep], 5):
        keep = MORE[keep, faces[used[0]]]
        used[0] += 1
    return keep - KEEPS


@kernel
def best_keep(keeps: Floats, roll: int, end: float) -> int:
    """Return the best keep of a roll, or -1 where stopping is as good."""
    chosen = -1
    for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
        if keeps[ROLL_KEEPS[at]] > end:
            chosen, end = ROLL_KEEPS[at], keeps[ROLL_KEEPS[at]]
    return chosen
