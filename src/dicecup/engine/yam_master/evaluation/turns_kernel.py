"""Kernels over many states: the values of their moves, the expectations of their turns, and the
turns played.

`values` always has shape (states, moves), float32, as `values_kernel.move_values` fills it. Sixteen
turns are solved side by side.
"""

from typing import NamedTuple

import numpy as np

from dicecup.engine.arrays import Floats, Integers, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.turn.lanes import copy_rows, raise_rows, throw_mean
from dicecup.engine.turn.value_kernel import KEEPS, NOWHERE, ROLLS, ROWS, SPARE, choose, rerolls
from dicecup.engine.workspaces import one_a_thread, rows_of_lanes
from dicecup.engine.yam_master.evaluation.dice_kernel import MOST_OPTIONS, decide, ordered_dice
from dicecup.engine.yam_master.evaluation.model import Model
from dicecup.engine.yam_master.evaluation.values_kernel import class_values, greedy_move_values, move_values, sign
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import ALL_SQUARES, MOST_LINES, O_SHIFT
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    opposing_of,
    own_of,
    own_supply,
)

LANES = 16
FIRST, LATER, UNDER_DEFI = 0, 1, 2
CAPPED, LINE, TOKENS = 0, 1, 2


class Workspace(NamedTuple):
    """The arrays in which sixteen turns are solved."""

    work: Singles
    """462 rows of lanes."""
    spare: Singles
    """882 rows."""
    stops: Singles
    """3 × 252 rows: ending the turn after the first throw, after a later one, under a Défi."""
    keeps: Singles
    """840 rows: the values of the keeps after throws 1 and 2, and the same under a Défi."""
    classes: Singles
    """(classes, lanes): the value of ending with a class of dice."""
    out: Singles
    """(lanes,) the expectations."""


@one_a_thread
def workspace(classes: int) -> Workspace:
    """Return the workspace for a game with this number of classes of dice."""
    return Workspace(
        rows_of_lanes(ROWS, LANES, np.float32),
        rows_of_lanes(SPARE, LANES, np.float32),
        rows_of_lanes(3 * ROLLS, LANES, np.float32),
        rows_of_lanes(4 * KEEPS, LANES, np.float32),
        np.zeros((classes, LANES), np.float32),
        np.zeros(LANES, np.float32),
    )


@kernel
def values_by_model(rules: Rules, model: Model, states: Integers, values: Singles) -> None:
    """Write the values of all moves of every state by the network."""
    for at in range(len(states)):
        move_values(rules, model, states[at], values[at])


@kernel
def values_by_greed(rules: Rules, states: Integers, values: Singles) -> None:
    """Write the values of all moves of every state for the greedy player."""
    for at in range(len(states)):
        greedy_move_values(rules, states[at], values[at])


@kernel
def _fill_stops(rules: Rules, values: Singles, at: int, count: int, classes: Singles, stops: Singles) -> None:
    """Write 3 × 252 rows of lanes: the value of ending the turn after the first throw, after a
    later one, and under a Défi.
    """
    for lane in range(count):
        class_values(rules, values[at + lane], classes, lane)
    for stage in range(3):
        for roll in range(ROLLS):
            number = rules.roll_class[stage, roll]
            for lane in range(LANES):
                stops[stage * ROLLS + roll, lane] = classes[number, lane]


@kernel
def _solve_turns(rules: Rules, arrays: Workspace, wanted: bool) -> None:
    """Write the expectations of sixteen turns to `arrays.out`; with `wanted` also
    `arrays.keeps`.
    """
    work, spare, stops, keeps = arrays.work, arrays.spare, arrays.stops, arrays.keeps
    later, under_defi = ROLLS * LANES, 2 * ROLLS * LANES
    rerolls(work, spare, stops, under_defi, under_defi, keeps, 2 * KEEPS * LANES if wanted else NOWHERE, rules.locked)
    copy_rows(spare, (ROWS + KEEPS) * LANES, work, 0, KEEPS)
    rerolls(work, spare, stops, later, later, keeps, 0 if wanted else NOWHERE, rules.locked)
    raise_rows(work, 0, spare, (ROWS + KEEPS) * LANES, KEEPS)
    choose(work, stops, 0)
    throw_mean(work, arrays.out, 0)


@kernel
def expectations(rules: Rules, values: Singles, out: Singles, arrays: Workspace) -> None:
    """Write the value of the turn of every state for the side to move."""
    for at in range(0, len(values), LANES):
        count = min(LANES, len(values) - at)
        _fill_stops(rules, values, at, count, arrays.classes, arrays.stops)
        _solve_turns(rules, arrays, False)
        copy(out[at : at + count], arrays.out[:count])


@kernel
def play_turns(
    rules: Rules,
    values: Singles,
    temperatures: Floats,
    keys: Integers,
    numbers: Integers,
    moves: Integers,
    out: Singles,
    decisions: Integers,
    arrays: Workspace,
) -> None:
    """Play one turn of every game, with dice that follow from its key and turn number.

    `moves` becomes the move that ends each turn, `out` the value of the turn before its first
    throw, and `decisions` is raised by the number of choices. `temperatures`: of the player to
    move, 0 for the best choice.
    """
    for at in range(0, len(values), LANES):
        count = min(LANES, len(values) - at)
        _fill_stops(rules, values, at, count, arrays.classes, arrays.stops)
        _solve_turns(rules, arrays, True)
        copy(out[at : at + count], arrays.out[:count])
        for lane in range(count):
            game = at + lane
            locked, declared = 0, False
            roll = ordered_dice(keys[game], numbers[game], 1, 0)
            for throws in range(1, 4):
                stage = UNDER_DEFI if declared else FIRST if throws == 1 else LATER
                decisions[game] += 1
                chosen = decide(
                    rules,
                    values[game],
                    arrays.keeps,
                    lane,
                    throws,
                    roll,
                    stage,
                    locked,
                    temperatures[game],
                    keys[game],
                    numbers[game],
                )
                if chosen < MOST_OPTIONS:
                    moves[game] = chosen
                    break
                declared |= chosen >= 2 * MOST_OPTIONS
                kept = chosen % MOST_OPTIONS
                locked = kept if rules.locked else 0
                roll = ordered_dice(keys[game], numbers[game], throws + 1, kept)


@kernel
def advance(rules: Rules, states: Integers, moves: Integers, results: Singles, endings: Integers) -> None:
    """End the turns.

    `states` become the next ones. Where the game is over, `endings` becomes the reason and
    `results` the result for the side that moved last.
    """
    lines = scratch(MOST_LINES, np.int64)
    for at in range(len(states)):
        before, move = states[at], moves[at]
        states[at] = after_state(rules, before, move)
        endings[at] = CAPPED
        if move < rules.squares:
            line_contents(rules, own_of(before), lines)
            _, wins = line_change(rules, lines, move)
            if wins:
                endings[at], results[at] = LINE, 1
                continue
        if ends_by_supply(rules, before, own_supply(before) - (move < rules.squares)):
            own, opposing = opposing_of(states[at]), own_of(states[at])
            endings[at] = TOKENS
            results[at] = sign(line_contents(rules, own, lines) - line_contents(rules, opposing, lines))


def points_of(rules: Rules, states: Integers) -> Integers:
    """Return the points of x and o, (states, 2)."""
    points = np.empty((len(states), 2), np.int64)
    write_points(rules, states, points)
    return points


@kernel
def write_points(rules: Rules, states: Integers, points: Integers) -> None:
    """Write the points of x and o, (states, 2)."""
    lines = scratch(MOST_LINES, np.int64)
    for at in range(len(states)):
        points[at, 0] = line_contents(rules, states[at] & ALL_SQUARES, lines)
        points[at, 1] = line_contents(rules, states[at] >> O_SHIFT & ALL_SQUARES, lines)
