"""Whole games, many side by side."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from dicecup.core.dice import DICE, FIRST_ROLL
from dicecup.core.turn import THROWS
from dicecup.engine.turn.arrays import ROLL_COUNTS
from dicecup.engine.turn.value_kernel import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import TOTALS, UNIT_COLUMNS
from dicecup.engine.yamm.evaluation.dice_kernel import MORE, bits_of, throw
from dicecup.engine.yamm.evaluation.search_kernel import look
from dicecup.engine.yamm.evaluation.turn_kernel import (
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


class Room(NamedTuple):
    """Where LANES turns are looked ahead and solved: see `search.look` and `turn.solve`."""

    ends: Any
    work: Any
    spare: Any
    keeps: Any
    out: Any
    writes: Any
    worths: Any
    counts: Any
    best: Any
    column: Any


@njit(nogil=True, cache=True)
def make_room() -> Room:
    """Room for the lanes that rows of single precision have."""
    return Room(
        rows_of_lanes(2 * COUNT, LANES, np.float32),
        rows_of_lanes(462, LANES, np.float32),
        rows_of_lanes(672, LANES, np.float32),
        rows_of_lanes(420, LANES, np.float32),
        np.empty(LANES, np.float32),
        np.empty((LANES, MOST_WRITES, 4), np.int16),
        np.empty((LANES, MOST_WRITES), np.float32),
        np.empty(LANES, np.int64),
        np.empty((LANES, HEIGHT, TOTALS), np.float32),
        np.empty((LANES, HEIGHT, TOTALS), np.int8),
    )


@njit(nogil=True, cache=True)
def play_games(
    graph: Any,
    evaluation: Any,
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
    """Plays the next turns of games `first`, `first + 1`, …, LANES of them, all with `left` cells empty, looking `turns` exact turns
    ahead (`margins`: see `search`). `temperature` 0 is best play; otherwise actions are drawn by what they lose, in points.

    `nodes` (LANES, 12) in and out. `scores` (LANES, SCORES) are added to. `luck` (turns, LANES) becomes what the dice of each turn
    gave, `seen` (turns, LANES, 12) and `expected` (turns, LANES) the sheets before each turn and their exact expectations. False
    if something is not finite."""
    room = make_room()
    for turn in range(len(luck)):
        for lane in range(LANES):
            seen[turn, lane] = nodes[lane]
            look_ahead(graph, evaluation, nodes[lane], left - turn, turns, margins, room, lane)
        if not solve(room.work, room.spare, room.ends, room.keeps, room.out, False):
            return False
        for lane in range(LANES):
            expected[turn, lane] = room.out[lane]
            luck[turn, lane], _ = play_turn(graph, seed, first + lane, turn, nodes[lane], scores[lane], temperature, room, lane)
    return True


@njit(nogil=True, cache=True)
def look_ahead(graph: Any, evaluation: Any, nodes: Any, left: int, turns: int, margins: Any, room: Any, lane: int) -> None:
    """`search.look` for one lane of the room."""
    room.counts[lane], _ = look(
        graph,
        evaluation,
        nodes,
        left,
        turns,
        margins,
        False,
        room.writes[lane],
        room.worths[lane],
        room.best[lane],
        room.column[lane],
        room.ends,
        lane,
    )


@njit(nogil=True, cache=True)
def play_turn(
    graph: Any, seed: int, game: int, turn: int, nodes: Any, scores: Any, temperature: float, room: Any, lane: int
) -> tuple[Any, int]:
    """Plays the turn that is solved in this lane of the room: changes `nodes`, adds to `scores`. Returns what the dice gave, and the
    roll that was written."""
    before, roll, keep, yamm = room.out[lane], 0, 0, 0
    luck = before - before
    place, row = -1, -1
    for thrown in range(1, THROWS + 1):
        roll = throw(bits_of(seed, game, turn, thrown - 1), keep, KEEP_SIZES[keep]) - FIRST_ROLL
        first_throw = thrown == 1
        worth = room.ends[roll + (COUNT if first_throw else 0), lane]
        yamm = 1 if worth > room.ends[roll, lane] else 0
        best_kept, most = best_keep(room.keeps, lane, thrown, roll) if thrown < THROWS else (-1, np.float32(-np.inf))
        luck += max(worth, most) - before
        if temperature > 0:
            bits = bits_of(seed, game, turn, CHOICE + thrown)
            keep, place, row = any_choice(
                room.writes[lane],
                room.worths[lane],
                room.counts[lane],
                nodes,
                room.keeps,
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
        before = room.keeps[(thrown - 1) * FIRST_ROLL + keep, lane]
    if temperature == 0:
        place, row = best_cell(room.best[lane], room.column[lane], roll)
    scores[YAMMS_AT] += yamm
    write(graph, nodes, scores, roll, place, row)
    return luck, roll


@njit(nogil=True, cache=True)
def write(graph: Any, nodes: Any, scores: Any, roll: int, place: int, row: int) -> None:
    """Writes a roll into a cell: changes `nodes`, adds to `scores`."""
    step = graph.first[nodes[place], row] + ROLL_CLASSES[roll, row]
    scores[PLACE_COLUMNS[place]] += graph.gain[step] + FIGURE_POINTS[roll, row]
    if row < UPPER_HEIGHT:
        scores[BONUS_AT + PLACE_COLUMNS[place]] += graph.gain[step] - (row + 1) * ROLL_CLASSES[roll, row]
    nodes[place] = graph.after[step]


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
    that it loses. At an infinite temperature `some_dice` are kept, and after the third throw, or where that is all, any cell is
    written."""
    values = np.empty(MOST_CHOICES, np.float64)
    choices = np.empty((MOST_CHOICES, 3), np.int64)
    found = 0
    if np.isinf(temperature) and thrown < THROWS:
        keep = some_dice(roll, bits)
        if KEEP_SIZES[keep] < DICE:
            return keep, -1, -1
    elif thrown < THROWS:
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


@njit(nogil=True, cache=True)
def some_dice(roll: int, bits: Any) -> int:
    """The keep that has each die of a roll with even chances."""
    keep = 0
    for face in range(ROLL_COUNTS.shape[1]):
        for _ in range(ROLL_COUNTS[roll, face]):
            if bits & np.uint64(1):
                keep = MORE[keep, face]
            bits >>= np.uint64(1)
    return keep
