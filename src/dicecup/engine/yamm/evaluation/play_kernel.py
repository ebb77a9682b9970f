"""Whole games of one sheet, many side by side."""

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FIRST_ROLL
from dicecup.core.turn import THROWS
from dicecup.engine.arrays import Floats, Integers, Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.turn.arrays import KEPT, MORE, ROLL_COUNTS, ROLL_KEEPS, ROLL_KEEPS_AT
from dicecup.engine.workspaces import one_a_thread, rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, TOTALS, Graph
from dicecup.engine.yamm.evaluation.dice_kernel import bits_of, throw
from dicecup.engine.yamm.evaluation.search_kernel import Ahead, ahead, search
from dicecup.engine.yamm.evaluation.turn_kernel import (
    COUNT,
    FIGURE_POINTS,
    HEIGHT,
    LANES,
    MOST_WRITES,
    ROLL_CLASSES,
    best_cell,
    best_keep,
    solve,
)
from dicecup.engine.yamm.evaluation.value import Evaluation
from dicecup.yamm.rows import UPPER
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import SHEET

UPPER_HEIGHT = len(UPPER)
PLACE_COLUMNS = np.array(COLUMN_OF_PLACE, dtype=np.int64)
CHOICE = 8
"""The number in place of a throw's number for the random bits of a choice
(`dice_kernel.bits_of`).
"""
MOST_CHOICES = 31 + len(SHEET.cells)
"""The most keeps and cells to choose from."""
BONUS_AT = len(SHEET.columns)
YAMMS_AT = 2 * len(SHEET.columns)
SCORES = YAMMS_AT + 1
"""The figures of a game: the points of each column, the bonus of each, and the number of
first-throw Yamms.
"""


class Workspace(NamedTuple):
    """The arrays in which LANES turns are searched and solved (see `search_kernel.search` and
    `turn_kernel.solve`).
    """

    stops: Singles
    work: Singles
    spare: Singles
    keeps: Singles
    out: Singles
    writes: Shorts
    write_values: Singles
    counts: Integers
    best: Singles
    column: NDArray[np.int8]
    ahead: Ahead


@one_a_thread
def workspace(turns: int) -> Workspace:
    """Return the workspace for as many lanes as a row of single precision has, and for a search of
    at most so many turns ahead.
    """
    return Workspace(
        rows_of_lanes(2 * COUNT, LANES, np.float32),
        rows_of_lanes(462, LANES, np.float32),
        rows_of_lanes(672, LANES, np.float32),
        rows_of_lanes(420, LANES, np.float32),
        np.zeros(LANES, np.float32),
        np.zeros((LANES, MOST_WRITES, 4), np.int16),
        np.zeros((LANES, MOST_WRITES), np.float32),
        np.zeros(LANES, np.int64),
        np.zeros((LANES, HEIGHT, TOTALS), np.float32),
        np.zeros((LANES, HEIGHT, TOTALS), np.int8),
        ahead(turns),
    )


@kernel
def play_games(
    graph: Graph,
    evaluation: Evaluation,
    seed: int,
    first: int,
    nodes: Shorts,
    left: int,
    scores: Floats,
    luck: Singles,
    seen: Shorts,
    expected: Singles,
    turns: int,
    margins: Singles,
    temperature: float,
    arrays: Workspace,
) -> bool:
    """Play the next turns of games `first`, `first + 1`, …, LANES of them. Return False if a value
    is not finite.

    All games have `left` open cells and are searched `turns` exact turns ahead (`margins`: see
    `search_kernel`). `temperature` 0 is best play; otherwise actions are drawn by their loss in
    points.

    `nodes` (LANES, 12): the sheets, in and out. `scores` (LANES, SCORES) are added to. Written are
    `luck` (turns, LANES), the gain by the dice of each turn, `seen` (turns, LANES, 12), the sheets
    before each turn, and `expected` (turns, LANES), their exact expectations.
    """
    for turn in range(len(luck)):
        for lane in range(LANES):
            copy(seen[turn, lane], nodes[lane])
            search_lane(graph, evaluation, nodes[lane], left - turn, turns, margins, arrays, lane)
        if not solve(arrays.work, arrays.spare, arrays.stops, arrays.keeps, arrays.out, False):
            return False
        for lane in range(LANES):
            expected[turn, lane] = arrays.out[lane]
            luck[turn, lane], _ = play_turn(
                graph, seed, first + lane, turn, nodes[lane], scores[lane], temperature, arrays, lane
            )
    return True


@kernel
def search_lane(
    graph: Graph, evaluation: Evaluation, nodes: Shorts, left: int, turns: int, margins: Singles, arrays: Workspace, lane: int
) -> None:
    """Call `search_kernel.search` for one lane of the workspace."""
    arrays.counts[lane], _ = search(
        graph,
        evaluation,
        nodes,
        left,
        turns,
        margins,
        False,
        arrays.writes[lane],
        arrays.write_values[lane],
        arrays.best[lane],
        arrays.column[lane],
        arrays.stops,
        lane,
        arrays.ahead,
    )


@kernel
def play_turn(
    graph: Graph,
    seed: int,
    game: int,
    turn: int,
    nodes: Shorts,
    scores: Floats,
    temperature: float,
    arrays: Workspace,
    lane: int,
) -> tuple[float, int]:
    """Play the solved turn of this lane: change `nodes` and add to `scores`. Return the luck of the
    dice and the roll written.
    """
    before, roll, keep, yamm = arrays.out[lane], 0, 0, 0
    luck = before - before
    place, row = -1, -1
    for thrown in range(1, THROWS + 1):
        roll = throw(bits_of(seed, game, turn, thrown - 1), keep, KEPT[keep]) - FIRST_ROLL
        first_throw = thrown == 1
        stop_value = arrays.stops[roll + (COUNT if first_throw else 0), lane]
        yamm = 1 if stop_value > arrays.stops[roll, lane] else 0
        best_kept, most = best_keep(arrays.keeps, lane, thrown, roll) if thrown < THROWS else (-1, np.float32(-np.inf))
        luck += max(stop_value, most) - before
        if temperature > 0:
            bits = bits_of(seed, game, turn, CHOICE + thrown)
            keep, place, row = draw_action(
                arrays.writes[lane],
                arrays.write_values[lane],
                arrays.counts[lane],
                nodes,
                arrays.keeps,
                lane,
                thrown,
                roll,
                yamm,
                temperature,
                bits,
            )
        else:
            keep = best_kept if most > stop_value else -1
        if keep < 0:
            break
        before = arrays.keeps[(thrown - 1) * FIRST_ROLL + keep, lane]
    if temperature == 0:
        place, row = best_cell(arrays.best[lane], arrays.column[lane], roll)
    scores[YAMMS_AT] += yamm
    write(graph, nodes, scores, roll, place, row)
    return luck, roll


@kernel
def write(graph: Graph, nodes: Shorts, scores: Floats, roll: int, place: int, row: int) -> None:
    """Write a roll into a cell: change `nodes` and add to `scores`."""
    step = graph.first[nodes[place], row] + ROLL_CLASSES[roll, row]
    scores[PLACE_COLUMNS[place]] += graph.gain[step] + FIGURE_POINTS[roll, row]
    if row < UPPER_HEIGHT:
        scores[BONUS_AT + PLACE_COLUMNS[place]] += graph.gain[step] - (row + 1) * ROLL_CLASSES[roll, row]
    nodes[place] = graph.after[step]


@kernel
def draw_action(
    writes: Shorts,
    write_values: Singles,
    count: int,
    nodes: Shorts,
    keeps: Singles,
    lane: int,
    thrown: int,
    roll: int,
    yamm: int,
    temperature: float,
    bits: np.uint64,
) -> tuple[int, int, int]:
    """Return a drawn action: a keep, or -1 with the place and the row to write.

    The weight of an action falls by the factor e for every `temperature` points of loss. At an
    infinite temperature `draw_keep` chooses the dice to keep; after the third throw, or where it
    keeps all dice, every open cell is equally likely.
    """
    values, weights = scratch(MOST_CHOICES, np.float64), scratch(MOST_CHOICES, np.float64)
    choices = scratch((MOST_CHOICES, 3), np.int64)
    found = 0
    if np.isinf(temperature) and thrown < THROWS:
        keep = draw_keep(roll, bits)
        if KEPT[keep] < DICE:
            return keep, -1, -1
    elif thrown < THROWS:
        for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
            choices[found, 0] = ROLL_KEEPS[at]
            values[found] = keeps[(thrown - 1) * FIRST_ROLL + ROLL_KEEPS[at], lane]
            found += 1
    for at in range(count):
        row = np.int64(writes[at, 1])
        if ROLL_CLASSES[roll, row] != writes[at, 2]:
            continue
        first = writes[at, 0] - writes[at, 0] % 3
        for place in range(first, first + 3):
            if nodes[place] == nodes[writes[at, 0]]:
                choices[found, 0], choices[found, 1], choices[found, 2] = -1, place, row
                values[found] = write_values[at] + FIGURE_POINTS[roll, row] + FIRST_THROW_YAMM * yamm
                found += 1
    best, total = -np.inf, 0.0
    for at in range(found):
        best = max(best, values[at])
    for at in range(found):
        weights[at] = exp((values[at] - best) / temperature)
        total += weights[at]
    drawn = (bits >> np.uint64(11)) * (1.0 / (1 << 53)) * total
    chosen = 0
    for at in range(found):
        if weights[at] > 0:
            chosen = at
            drawn -= weights[at]
            if drawn < 0:
                break
    return choices[chosen, 0], choices[chosen, 1], choices[chosen, 2]


@kernel
def draw_keep(roll: int, bits: np.uint64) -> int:
    """Return the keep that has each die of a roll with probability 1/2."""
    keep = 0
    for face in range(ROLL_COUNTS.shape[1]):
        for _ in range(ROLL_COUNTS[roll, face]):
            if bits & np.uint64(1):
                keep = MORE[keep, face]
            bits >>= np.uint64(1)
    return keep
