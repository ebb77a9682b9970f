"""Whole games, many side by side."""

from typing import Any

import numpy as np
from numba import njit

from dicecup.core.dice import FIRST_ROLL
from dicecup.core.turn import THROWS
from dicecup.engine.kernels.turn import rows_of_lanes
from dicecup.engine.yamm_play.dice import bits_of, throw
from dicecup.engine.yamm_play.nodes import TOTALS, UNIT_COLUMNS
from dicecup.engine.yamm_play.search import look
from dicecup.engine.yamm_play.turn import (
    COUNT,
    FIGURE_POINTS,
    HEIGHT,
    KEEP_LISTS,
    KEEP_SIZES,
    KEEP_STARTS,
    LANES,
    MOST_WRITES,
    ROLL_CLASSES,
    best_cell,
    best_keep,
    solve,
)
from dicecup.yamm.rows import UPPER
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import SHEET

UPPER_HEIGHT = len(UPPER)
PLACE_COLUMNS = np.array(UNIT_COLUMNS, dtype=np.int64)
CHOICE = 8
"""The place of the draws for choices among those of a turn (`dice.bits_of`)."""
MOST_CHOICES = 31 + len(SHEET.cells)
"""Keeps and cells that there are to choose from, at most."""
BONUS_AT = len(SHEET.columns)
YAMMS_AT = 2 * len(SHEET.columns)
SCORES = YAMMS_AT + 1
"""What is noted of a game: the points of each column, the bonus of each, first-throw Yamms."""


@njit(nogil=True, cache=True)
def play_games(
    graph: Any,
    weights: Any,
    seed: int,
    first: int,
    nodes: Any,
    left: int,
    scores: Any,
    luck: Any,
    seen: Any,
    expected: Any,
    turns: int,
    margins: Any,
    temperature: float,
) -> bool:
    """Plays games `first`, `first + 1`, … to their end, LANES of them, all with `left` cells empty, looking `turns` exact turns
    ahead (`margins`: see `search`). `temperature` 0 is best play; otherwise actions are drawn by what they lose, in points.

    `nodes` (LANES, 12) in and out. `scores` (LANES, SCORES) are added to. `luck` (left, LANES) becomes what the dice of each turn
    gave, `seen` (left, LANES, 12) and `expected` (left, LANES) the sheets before each turn and their exact expectations. False
    if something is not finite."""
    ends = rows_of_lanes(2 * COUNT, LANES, np.float32)
    work = rows_of_lanes(462, LANES, np.float32)
    spare = rows_of_lanes(672, LANES, np.float32)
    keeps = rows_of_lanes(420, LANES, np.float32)
    out = np.empty(LANES, np.float32)
    writes = np.empty((LANES, MOST_WRITES, 4), np.int16)
    worths = np.empty((LANES, MOST_WRITES), np.float32)
    counts = np.empty(LANES, np.int64)
    best = np.empty((LANES, HEIGHT, TOTALS), np.float32)
    column = np.empty((LANES, HEIGHT, TOTALS), np.int8)
    for turn in range(left):
        for lane in range(LANES):
            seen[turn, lane] = nodes[lane]
            counts[lane], _ = look(
                graph,
                weights,
                nodes[lane],
                left - turn,
                turns,
                margins,
                False,
                writes[lane],
                worths[lane],
                best[lane],
                column[lane],
                ends,
                lane,
            )
        if not solve(work, spare, ends, keeps, out, False):
            return False
        for lane in range(LANES):
            expected[turn, lane] = out[lane]
            game = first + lane
            before, roll, keep, yamm = out[lane], 0, 0, 0
            luck[turn, lane] = 0
            place, row = -1, -1
            for thrown in range(1, THROWS + 1):
                roll = throw(bits_of(seed, game, turn, thrown - 1), keep, KEEP_SIZES[keep]) - FIRST_ROLL
                first_throw = thrown == 1
                worth = ends[roll + (COUNT if first_throw else 0), lane]
                yamm = 1 if worth > ends[roll, lane] else 0
                best_kept, most = best_keep(keeps, lane, thrown, roll) if thrown < THROWS else (-1, np.float32(-np.inf))
                luck[turn, lane] += max(worth, most) - before
                if temperature > 0:
                    bits = bits_of(seed, game, turn, CHOICE + thrown)
                    keep, place, row = any_choice(
                        writes[lane],
                        worths[lane],
                        counts[lane],
                        nodes[lane],
                        keeps,
                        lane,
                        thrown,
                        roll,
                        yamm,
                        temperature,
                        bits,
                    )
                else:
                    keep = best_kept if most > worth else -1
                if keep < 0:
                    break
                before = keeps[(thrown - 1) * FIRST_ROLL + keep, lane]
            if temperature == 0:
                place, row = best_cell(best[lane], column[lane], roll)
            step = graph.first[nodes[lane, place], row] + ROLL_CLASSES[roll, row]
            scores[lane, YAMMS_AT] += yamm
            scores[lane, PLACE_COLUMNS[place]] += graph.gain[step] + FIGURE_POINTS[roll, row]
            if row < UPPER_HEIGHT:
                scores[lane, BONUS_AT + PLACE_COLUMNS[place]] += graph.gain[step] - (row + 1) * ROLL_CLASSES[roll, row]
            nodes[lane, place] = graph.after[step]
    return True


@njit(nogil=True, cache=True)
def any_choice(
    writes: Any,
    worths: Any,
    count: int,
    nodes: Any,
    keeps: Any,
    lane: int,
    thrown: int,
    roll: int,
    yamm: int,
    temperature: float,
    bits: Any,
) -> tuple[int, int, int]:
    """A keep, or -1 with the place and the row to write: each action with a weight that falls by e for every `temperature` points
    that it loses."""
    values = np.empty(MOST_CHOICES, np.float64)
    choices = np.empty((MOST_CHOICES, 3), np.int64)
    found = 0
    if thrown < THROWS:
        for at in range(KEEP_STARTS[roll], KEEP_STARTS[roll + 1]):
            choices[found, 0] = KEEP_LISTS[at]
            values[found] = keeps[(thrown - 1) * FIRST_ROLL + KEEP_LISTS[at], lane]
            found += 1
    for at in range(count):
        row = np.int64(writes[at, 1])
        if ROLL_CLASSES[roll, row] != writes[at, 2]:
            continue
        first = writes[at, 0] - writes[at, 0] % 3
        for place in range(first, first + 3):
            if nodes[place] == nodes[writes[at, 0]]:
                choices[found, 0], choices[found, 1], choices[found, 2] = -1, place, row
                values[found] = worths[at] + FIGURE_POINTS[roll, row] + FIRST_THROW_YAMM * yamm
                found += 1
    best = values[:found].max()
    weights = np.exp((values[:found] - best) / temperature)
    drawn = (bits >> np.uint64(11)) * (1.0 / (1 << 53)) * weights.sum()
    chosen = 0
    for at in range(found):
        if weights[at] > 0:
            chosen = at
            drawn -= weights[at]
            if drawn < 0:
                break
    return choices[chosen, 0], choices[chosen, 1], choices[chosen, 2]
