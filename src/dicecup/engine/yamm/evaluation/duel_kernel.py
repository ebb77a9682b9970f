"""Games between two sheets, many side by side. Each side plays for points or for the win, and may
correct its last result.
"""

import numpy as np

from dicecup.engine.arrays import Floats, Integers, Shorts, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.yamm.evaluation.columns import COLUMNS_PER_ORDER, PLACES, Graph
from dicecup.engine.yamm.evaluation.play_kernel import (
    BONUS_AT,
    SCORES,
    YAMMS_AT,
    Workspace,
    play_turn,
    search_lane,
    write,
)
from dicecup.engine.yamm.evaluation.turn_kernel import HEIGHT, LANES, solve
from dicecup.engine.yamm.evaluation.value import TURNS, VARIANCE_UNIT, Evaluation, Weights
from dicecup.engine.yamm.evaluation.value_kernel import learned, value
from dicecup.engine.yamm.evaluation.win_kernel import to_win_values, win_probability
from dicecup.yamm.score import FIRST_THROW_YAMM

SIDES = 2
MOST_OPEN = 6 + 3 * HEIGHT
"""The most open cells that can be written at once."""


@kernel
def play_duels(
    graph: Graph,
    evaluation: Evaluation,
    variance: Weights,
    seed: int,
    first: int,
    nodes: Shorts,
    scores: Floats,
    turns: Integers,
    margins: Singles,
    temperatures: Floats,
    moving: Floats,
    arrays: Workspace,
) -> int:
    """Play games `first`, `first + 1`, …, LANES of them. Return the number of corrections.

    By side: `nodes` (2, LANES, 12) in and out, `scores` (2, LANES, SCORES) are added to, `turns`,
    `margins` (2, ·) and `temperatures` as in `play_kernel.play_games`. `moving`: not-a-number plays
    for points; the others play for the win and correct a result that gains more than this number.
    """
    before, noted = scratch((SIDES, LANES, PLACES), np.int16), scratch((SIDES, LANES, SCORES), np.float64)
    rolls = scratch((SIDES, LANES), np.int64)
    means, variances = scratch((LANES, 1), np.float64), scratch((LANES, 1), np.float64)
    moved = 0
    for turn in range(SIDES * TURNS):
        side, other = turn % SIDES, 1 - turn % SIDES
        left, opposing = TURNS - turn // SIDES, TURNS - (turn + 1) // SIDES
        for_win, ahead = not np.isnan(moving[side]), margins[side, : turns[side]]
        if for_win:
            for lane in range(LANES):
                sheet = nodes[other, lane]
                means[lane, 0] = total(scores[other, lane]) + value(evaluation, sheet, opposing)
                variances[lane, 0] = spread(variance, sheet, opposing)
                if left < TURNS and moving[side] < np.inf:
                    moved += correct_last(
                        graph,
                        evaluation,
                        variance,
                        nodes[side, lane],
                        scores[side, lane],
                        before[side, lane],
                        noted[side, lane],
                        rolls[side, lane],
                        left,
                        means[lane],
                        variances[lane],
                        moving[side],
                        arrays,
                    )
        for lane in range(LANES):
            sheet, own = nodes[side, lane], total(scores[side, lane])
            search_lane(graph, evaluation, sheet, left, turns[side], ahead, arrays, lane)
            if for_win:
                rest = spread(variance, sheet, left) * (left - 1) / left
                near = win_probability(own + value(evaluation, sheet, left), rest, means[lane], variances[lane])
                to_win_values(arrays.stops[:, lane], own, rest, means[lane], variances[lane], near)
        solve(arrays.work, arrays.spare, arrays.stops, arrays.keeps, arrays.out, False)
        for lane in range(LANES):
            sheet, row = nodes[side, lane], scores[side, lane]
            copy(before[side, lane], sheet)
            copy(noted[side, lane], row)
            _, rolls[side, lane] = play_turn(graph, seed, first + lane, turn, sheet, row, temperatures[side], arrays, lane)
    return moved


@kernel
def total(scores: Floats) -> float:
    """Return the grand total of the figures of a game."""
    points = 0.0
    for column in range(BONUS_AT):
        points += scores[column]
    return points + FIRST_THROW_YAMM * scores[YAMMS_AT]


@kernel
def spread(variance: Weights, nodes: Shorts, left: int) -> float:
    """Return the variance of the points to come."""
    return max(float(learned(variance, nodes, left)) * VARIANCE_UNIT, 0.0)


@kernel
def correct_last(
    graph: Graph,
    evaluation: Evaluation,
    variance: Weights,
    nodes: Shorts,
    scores: Floats,
    before: Shorts,
    noted: Floats,
    roll: int,
    left: int,
    means: Floats,
    variances: Floats,
    least: float,
    arrays: Workspace,
) -> int:
    """Move the last result of a sheet where that gains more than `least`. Return 1 if it was moved,
    otherwise 0.

    The result was this roll on the sheet `before` with the score `noted`. A correction changes
    `nodes` and `scores`.
    """
    places, rows = scratch(MOST_OPEN, np.int64), scratch(MOST_OPEN, np.int64)
    count = 0
    for place in range(PLACES):
        seen = False
        for alike in range(place - place % COLUMNS_PER_ORDER, place):
            seen |= before[alike] == before[place]
        for row in range(HEIGHT):
            if not seen and graph.first[before[place], row] >= 0:
                places[count], rows[count] = place, row
                count += 1
    rest = spread(variance, nodes, left) * (left - 1) / left
    near = win_probability(total(scores) + value(evaluation, nodes, left), rest, means, variances)
    sheets, totals = scratch((LANES, PLACES), np.int16), scratch((LANES, SCORES), np.float64)
    best_sheet, best_scores, margins = scratch(PLACES, np.int16), scratch(SCORES, np.float64), scratch(1, np.float32)
    best, now, margins[0] = -np.inf, -np.inf, 0
    for first in range(0, count, LANES):
        lanes = min(LANES, count - first)
        for lane in range(lanes):
            copy(sheets[lane], before)
            copy(totals[lane], noted)
            write(graph, sheets[lane], totals[lane], roll, places[first + lane], rows[first + lane])
            totals[lane, YAMMS_AT] = scores[YAMMS_AT]
            search_lane(graph, evaluation, sheets[lane], left, 1, margins, arrays, lane)
            to_win_values(arrays.stops[:, lane], total(totals[lane]), rest, means, variances, near)
        solve(arrays.work, arrays.spare, arrays.stops, arrays.keeps, arrays.out, False)
        for lane in range(lanes):
            if arrays.out[lane] > best:
                best = arrays.out[lane]
                copy(best_sheet, sheets[lane])
                copy(best_scores, totals[lane])
            if same_sheet(sheets[lane], nodes):
                now = arrays.out[lane]
    if best - now <= least:
        return 0
    copy(nodes, best_sheet)
    copy(scores, best_scores)
    return 1


@kernel
def same_sheet(one: Shorts, other: Shorts) -> bool:
    """Return whether two sheets are equal but for the order of equal columns."""
    for place in range(PLACES):
        first = place - place % COLUMNS_PER_ORDER
        more = 0
        for alike in range(first, first + COLUMNS_PER_ORDER):
            more += (one[alike] == one[place]) - (other[alike] == one[place])
        if more != 0:
            return False
    return True
