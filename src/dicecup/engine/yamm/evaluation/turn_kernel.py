"""One exact turn on the evaluation, for 16 sheets side by side.

The value of ending with a roll is that of the best open cell: its points and the points to come
from the sheet after it. In a row only the class of a roll matters (the number of dice, the sum, or
whether the figure holds). So a turn needs the values of some hundred after-states in place of 252
times forty. Arrays: `best` (11, 26), the best value of each row and class, and `column` (11, 26),
the place that gives it.
"""

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FIRST_ROLL, ROLLS
from dicecup.engine.arrays import Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.turn.arrays import ROLL_COUNTS, ROLL_KEEPS, ROLL_KEEPS_AT, ROLL_TOTALS
from dicecup.engine.turn.lanes import throw_mean
from dicecup.engine.turn.value_kernel import choose, rerolls
from dicecup.engine.yamm.evaluation.columns import CLASSES, HIGH, LOW, PLACES, TOTALS, Graph, roll_classes
from dicecup.engine.yamm.evaluation.endgame_kernel import open_columns
from dicecup.engine.yamm.evaluation.value import FEW, HIDDEN, Evaluation
from dicecup.engine.yamm.evaluation.value_kernel import FAST, gather, layer, value, without
from dicecup.yamm.rows import ROWS, YAMMS, Row
from dicecup.yamm.score import FIRST_THROW_YAMM

LANES = 16
COUNT = len(ROLLS)
HEIGHT = len(ROWS)
FULL_HOUSE, STRAIGHT, YAMM = (ROWS.index(row) for row in (Row.FULL_HOUSE, Row.STRAIGHT, Row.YAMM))
ROW_CLASSES = np.array(CLASSES, dtype=np.int64)
ROLL_CLASSES, FIGURE_POINTS = roll_classes()
_SPECIAL = [[roll for roll in range(COUNT) if FIGURE_POINTS[roll, row] > 0] for row in (FULL_HOUSE, STRAIGHT, YAMM)]
SPECIAL_ROLLS = np.array([roll for rolls in _SPECIAL for roll in rolls], dtype=np.int64)
SPECIAL_ROWS = np.array(
    [row for row, rolls in zip((FULL_HOUSE, STRAIGHT, YAMM), _SPECIAL, strict=True) for _ in rolls], dtype=np.int64
)
"""The rolls that hold FH, ST or Y, and the row of each."""
PAIRS = np.ascontiguousarray(ROLL_COUNTS[:, 0::2] * (DICE + 1) + ROLL_COUNTS[:, 1::2])
"""How many dice show 1 and 2, 3 and 4, 5 and 6, each pair as one number."""
SUMS_OF_ROLLS = ROLL_TOTALS - DICE
YAMM_ROLLS = np.array([roll.index - FIRST_ROLL for roll in sorted(YAMMS)], dtype=np.int64)
MOST_WRITES = 3 * sum(CLASSES) + 6 * TOTALS
"""The most ways to write a sheet offers: all rows of the free columns, one row of each
ordered one.
"""
PAIR_NUMBERS = (DICE + 1) * (DICE + 1)
NEVER = np.float32(-1e9)
"""The value of a row that cannot be written."""


@kernel(fastmath=FAST)
def list_writes(graph: Graph, evaluation: Evaluation, nodes: Shorts, left: int, writes: Shorts, write_values: Singles) -> int:
    """List every way to write a cell of a sheet with `left` > 0 open cells, and return their
    number.

    `writes` (MOST_WRITES, 4): place, row, class and node after. `write_values`: the points and the
    points to come. FH, ST and Y are without their points. Of equal columns only the first counts.
    """
    weights, late = evaluation.early, open_columns(evaluation.endgame, nodes) <= FEW + 1
    sheet, hidden, rest = scratch(PLACES, np.int16), scratch(HIDDEN, np.float32), scratch(HIDDEN, np.float32)
    copy(sheet, nodes)
    points = gather(weights, nodes, left - 1, hidden)
    count = 0
    for place in range(PLACES):
        node = nodes[place]
        seen = False
        for other in range(place - place % 3, place):
            seen |= nodes[other] == node
        if seen or graph.left[node] == 0:
            continue
        without(weights, hidden, node, rest)
        base = points - weights.points[node]
        for row in range(HEIGHT):
            step = graph.first[node, row]
            if step < 0:
                continue
            for kind in range(ROW_CLASSES[row]):
                after = graph.after[step + kind]
                writes[count, 0] = place
                writes[count, 1] = row
                writes[count, 2] = kind
                writes[count, 3] = after
                if late:
                    sheet[place] = after
                    to_come = value(evaluation, sheet, left - 1)
                else:
                    to_come = base + weights.points[after] + layer(weights, rest, after)
                write_values[count] = graph.gain[step + kind] + to_come
                count += 1
        sheet[place] = node
    return count


@kernel
def best_writes(writes: Shorts, write_values: Singles, count: int, best: Singles, column: NDArray[np.int8]) -> None:
    """Fill `best` and `column` from the list."""
    best[:] = NEVER
    column[:] = -1
    for at in range(count):
        row, kind = writes[at, 1], writes[at, 2]
        if write_values[at] > best[row, kind]:
            best[row, kind] = write_values[at]
            column[row, kind] = writes[at, 0]


@kernel
def stop_values(best: Singles, stops: Singles, lane: int) -> None:
    """Fill column `lane` of `stops`, shape (504, LANES): the values of ending with each roll after
    a later throw, then after the first.
    """
    pairs, sums = scratch((3, PAIR_NUMBERS), np.float32), scratch(TOTALS, np.float32)
    for pair in range(3):
        for one in range(DICE + 1):
            for other in range(DICE + 1 - one):
                pairs[pair, one * (DICE + 1) + other] = max(best[2 * pair, one], best[2 * pair + 1, other])
    strike = max(best[FULL_HOUSE, 0], best[STRAIGHT, 0], best[YAMM, 0])
    for total in range(TOTALS):
        sums[total] = max(strike, best[HIGH, total], best[LOW, total])
    for roll in range(COUNT):
        upper = max(pairs[0, PAIRS[roll, 0]], pairs[1, PAIRS[roll, 1]], pairs[2, PAIRS[roll, 2]])
        stops[roll, lane] = max(upper, sums[SUMS_OF_ROLLS[roll]])
    for number in range(len(SPECIAL_ROLLS)):
        roll, row = SPECIAL_ROLLS[number], SPECIAL_ROWS[number]
        stops[roll, lane] = max(stops[roll, lane], best[row, 0] + FIGURE_POINTS[roll, row])
    for roll in range(COUNT):
        stops[COUNT + roll, lane] = stops[roll, lane]
    for number in range(len(YAMM_ROLLS)):
        stops[COUNT + YAMM_ROLLS[number], lane] += np.float32(FIRST_THROW_YAMM)


@kernel
def solve(work: Singles, spare: Singles, stops: Singles, keeps: Singles, out: Singles, locked: bool) -> bool:
    """Solve the turns of all lanes, given `stops`. Return False if a value is not finite.

    `keeps` (420, LANES) becomes the values of the keeps after throws 1 and 2, and `out` (LANES,)
    the expectations. `work`: 462 rows, `spare`: 672.
    """
    finite = rerolls(work, spare, stops, 0, 0, keeps, 0, locked)
    choose(work, stops, COUNT * LANES)
    throw_mean(work, out, 0)
    return finite


@kernel
def best_cell(best: Singles, column: NDArray[np.int8], roll: int) -> tuple[int, int]:
    """Return the place and the row of the best cell for this roll."""
    place, chosen, most = -1, -1, np.float32(-np.inf)
    for row in range(HEIGHT):
        kind = ROLL_CLASSES[roll, row]
        value = best[row, kind] + FIGURE_POINTS[roll, row]
        if column[row, kind] >= 0 and value > most:
            place, chosen, most = column[row, kind], row, value
    return place, chosen


@kernel
def best_keep(keeps: Singles, lane: int, throws: int, roll: int) -> tuple[int, np.float32]:
    """Return the best keep of a roll after `throws` (1 or 2) throws, and its value."""
    chosen, most = -1, np.float32(-np.inf)
    for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
        keep = ROLL_KEEPS[at]
        value = keeps[(throws - 1) * FIRST_ROLL + keep, lane]
        if value > most:
            chosen, most = keep, value
    return chosen, most
