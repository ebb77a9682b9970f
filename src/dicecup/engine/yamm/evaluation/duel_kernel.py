"""Games between two, many side by side: each plays for points or for the win, and may look back at its last result."""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.yamm.evaluation.columns import PLACES, THREE
from dicecup.engine.yamm.evaluation.play_kernel import BONUS_AT, SCORES, YAMMS_AT, look_ahead, make_room, play_turn, write
from dicecup.engine.yamm.evaluation.search_kernel import NO_MARGINS
from dicecup.engine.yamm.evaluation.turn_kernel import HEIGHT, LANES, solve
from dicecup.engine.yamm.evaluation.value import TURNS, VARIANCE_UNIT
from dicecup.engine.yamm.evaluation.value_kernel import learned, value
from dicecup.engine.yamm.evaluation.win_kernel import aim, chance
from dicecup.yamm.score import FIRST_THROW_YAMM

SIDES = 2
MOST_OPEN = 6 + 3 * HEIGHT
"""Cells of a sheet that can be open at once."""


@njit(nogil=True, cache=True)
def play_duels(
    graph: Any,
    evaluation: Any,
    variance: Any,
    seed: int,
    first: int,
    nodes: Any,
    scores: Any,
    turns: Any,
    margins: Any,
    temperatures: Any,
    moving: Any,
) -> int:
    """Plays games `first`, `first + 1`, …, LANES of them. By side: `nodes` (2, LANES, 12) in and out, `scores` (2, LANES, SCORES)
    are added to, `turns`, `margins` (2, ·) and `temperatures` as `play.play_games` knows them; `moving`: not-a-number plays for
    points, the others for the win, and move a result that gains more than this. Returns how many were moved."""
    room = make_room()
    before, noted = nodes.copy(), scores.copy()
    rolls = np.zeros((SIDES, LANES), np.int64)
    moved = 0
    for turn in range(SIDES * TURNS):
        side, other = turn % SIDES, 1 - turn % SIDES
        left, opposing = TURNS - turn // SIDES, TURNS - (turn + 1) // SIDES
        for_win, ahead = not np.isnan(moving[side]), margins[side, : turns[side]]
        means, variances = np.zeros((LANES, 1)), np.zeros((LANES, 1))
        if for_win:
            for lane in range(LANES):
                sheet = nodes[other, lane]
                means[lane, 0] = total(scores[other, lane]) + value(evaluation, sheet, opposing)
                variances[lane, 0] = spread(variance, sheet, opposing)
                if left < TURNS and moving[side] < np.inf:
                    moved += reconsider(
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
                        room,
                    )
        for lane in range(LANES):
            sheet, own = nodes[side, lane], total(scores[side, lane])
            look_ahead(graph, evaluation, sheet, left, turns[side], ahead, room, lane)
            if for_win:
                rest = spread(variance, sheet, left) * (left - 1) / left
                near = chance(own + value(evaluation, sheet, left), rest, means[lane], variances[lane])
                aim(room.ends[:, lane], own, rest, means[lane], variances[lane], near)
        solve(room.work, room.spare, room.ends, room.keeps, room.out, False)
        before[side], noted[side] = nodes[side], scores[side]
        for lane in range(LANES):
            sheet, row = nodes[side, lane], scores[side, lane]
            _, rolls[side, lane] = play_turn(graph, seed, first + lane, turn, sheet, row, temperatures[side], room, lane)
    return moved


@njit(nogil=True, cache=True)
def total(scores: Any) -> Any:
    """The grand total of what is noted of a game."""
    return scores[:BONUS_AT].sum() + FIRST_THROW_YAMM * scores[YAMMS_AT]


@njit(nogil=True, cache=True)
def spread(variance: Any, nodes: Any, left: int) -> Any:
    """The variance of what is to come."""
    return max(learned(variance, nodes, left) * VARIANCE_UNIT, 0.0)


@njit(nogil=True, cache=True)
def reconsider(
    graph: Any,
    evaluation: Any,
    variance: Any,
    nodes: Any,
    scores: Any,
    before: Any,
    noted: Any,
    roll: int,
    left: int,
    means: Any,
    variances: Any,
    least: float,
    room: Any,
) -> int:
    """Moves the last result of a sheet, which was this roll on the sheet `before` with the score `noted`, where that gains more than
    `least`: changes `nodes` and `scores` and returns 1, or 0."""
    places, rows = np.empty(MOST_OPEN, np.int64), np.empty(MOST_OPEN, np.int64)
    count = 0
    for place in range(PLACES):
        seen = False
        for alike in range(place - place % THREE, place):
            seen |= before[alike] == before[place]
        for row in range(HEIGHT):
            if not seen and graph.first[before[place], row] >= 0:
                places[count], rows[count] = place, row
                count += 1
    rest = spread(variance, nodes, left) * (left - 1) / left
    near = chance(total(scores) + value(evaluation, nodes, left), rest, means, variances)
    sheets, totals = np.empty((LANES, PLACES), np.int16), np.empty((LANES, SCORES))
    best_sheet, best_scores, best, now = before.copy(), noted.copy(), -np.inf, -np.inf
    for first in range(0, count, LANES):
        lanes = min(LANES, count - first)
        for lane in range(lanes):
            sheets[lane], totals[lane] = before, noted
            write(graph, sheets[lane], totals[lane], roll, places[first + lane], rows[first + lane])
            totals[lane, YAMMS_AT] = scores[YAMMS_AT]
            look_ahead(graph, evaluation, sheets[lane], left, 1, NO_MARGINS, room, lane)
            aim(room.ends[:, lane], total(totals[lane]), rest, means, variances, near)
        solve(room.work, room.spare, room.ends, room.keeps, room.out, False)
        for lane in range(lanes):
            if room.out[lane] > best:
                best = room.out[lane]
                best_sheet[:], best_scores[:] = sheets[lane], totals[lane]
            if same_sheet(sheets[lane], nodes):
                now = room.out[lane]
    if best - now <= least:
        return 0
    nodes[:], scores[:] = best_sheet, best_scores
    return 1


@njit(nogil=True, cache=True)
def same_sheet(one: Any, other: Any) -> bool:
    """Whether two sheets are alike but for the order of equal columns."""
    for first in range(0, PLACES, THREE):
        if not np.array_equal(np.sort(one[first : first + THREE]), np.sort(other[first : first + THREE])):
            return False
    return True
