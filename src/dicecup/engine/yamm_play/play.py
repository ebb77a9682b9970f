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
    KEEP_SIZES,
    LANES,
    MOST_WRITES,
    ROLL_CLASSES,
    best_cell,
    best_keep,
    solve,
)
from dicecup.yamm.rows import UPPER
from dicecup.yamm.sheet import SHEET

UPPER_HEIGHT = len(UPPER)
PLACE_COLUMNS = np.array(UNIT_COLUMNS, dtype=np.int64)
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
) -> bool:
    """Plays games `first`, `first + 1`, … to their end, LANES of them, all with `left` cells empty, looking `turns` exact turns
    ahead (`margins`: see `search`).

    `nodes` (LANES, 12) in and out. `scores` (LANES, SCORES) are added to. `luck` (left, LANES) becomes what the dice of each turn
    gave, `seen` (left, LANES, 12) and `expected` (left, LANES) the sheets before each turn and their exact expectations. False if something is not finite."""
    ends = rows_of_lanes(2 * COUNT, LANES, np.float32)
    work = rows_of_lanes(462, LANES, np.float32)
    spare = rows_of_lanes(672, LANES, np.float32)
    keeps = rows_of_lanes(420, LANES, np.float32)
    out = np.empty(LANES, np.float32)
    writes = np.empty((MOST_WRITES, 4), np.int16)
    worths = np.empty(MOST_WRITES, np.float32)
    best = np.empty((LANES, HEIGHT, TOTALS), np.float32)
    column = np.empty((LANES, HEIGHT, TOTALS), np.int8)
    for turn in range(left):
        for lane in range(LANES):
            seen[turn, lane] = nodes[lane]
            look(
                graph,
                weights,
                nodes[lane],
                left - turn,
                turns,
                margins,
                False,
                writes,
                worths,
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
            roll = throw(bits_of(seed, game, turn, 0), 0, 0) - FIRST_ROLL
            worth = ends[COUNT + roll, lane]
            yamm = 1 if worth > ends[roll, lane] else 0
            for thrown in range(1, THROWS):
                keep, most = best_keep(keeps, lane, thrown, roll)
                if worth >= most:
                    break
                roll = throw(bits_of(seed, game, turn, thrown), keep, KEEP_SIZES[keep]) - FIRST_ROLL
                worth = ends[roll, lane]
                yamm = 0
            place, row = best_cell(best[lane], column[lane], roll)
            step = graph.first[nodes[lane, place], row] + ROLL_CLASSES[roll, row]
            luck[turn, lane] = worth - out[lane]
            scores[lane, YAMMS_AT] += yamm
            scores[lane, PLACE_COLUMNS[place]] += graph.gain[step] + FIGURE_POINTS[roll, row]
            if row < UPPER_HEIGHT:
                scores[lane, BONUS_AT + PLACE_COLUMNS[place]] += graph.gain[step] - (row + 1) * ROLL_CLASSES[roll, row]
            nodes[lane, place] = graph.after[step]
    return True
