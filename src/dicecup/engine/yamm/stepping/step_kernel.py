"""Steps of many games of one sheet."""

from typing import Any

import numpy as np

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.arrays import Booleans, Integers, Shorts
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy
from dicecup.engine.stepping.mask_kernel import TURN_BYTES, write_keeps, write_turn
from dicecup.engine.turn.arrays import KEPT
from dicecup.engine.yamm.evaluation.dice_kernel import bits_of, throw
from dicecup.engine.yamm.evaluation.turn_kernel import FIGURE_POINTS, HEIGHT, ROLL_CLASSES, YAMM
from dicecup.engine.yamm.stepping.games import Answers, Games, Sheet
from dicecup.yamm.score import FIRST_THROW_YAMM


@kernel
def begin(sheet: Sheet, games: Games, which: Booleans, seed: int, answers: Answers) -> None:
    """Begin these games with their first throw, and write what the agent sees."""
    for at in range(len(which)):
        if which[at]:
            copy(games.nodes[at], sheet.start)
            games.turn[at] = games.total[at] = 0
            answers.over[at] = False
            answers.rewards[at] = 0
            for column in range(len(sheet.column_upper)):
                _write_column(sheet, games, at, column, answers.observations[at], answers.masks[at])
            _write_counts(sheet, games, at, answers.observations[at])
            _throw(sheet, games, at, 0, 0, seed)
            _write_turn(sheet, games, at, answers)


@kernel
def step(sheet: Sheet, games: Games, actions: Integers, seed: int, answers: Answers) -> int:
    """Play one action in each game that is not over, and write what the agent sees.

    Nothing is played if one of the actions is illegal: the index of its game is returned, and -1
    otherwise. `answers` must be those of the step before.
    """
    most = FIRST_ROLL + len(sheet.cell_place)
    for at in range(len(actions)):
        action = actions[at]
        if not answers.over[at] and (action < 0 or action >= most or answers.masks[at, action] == 0):
            return at
    for at in range(len(actions)):
        answers.rewards[at] = 0
        if answers.over[at]:
            continue
        if actions[at] < FIRST_ROLL:
            _throw(sheet, games, at, actions[at], games.throws[at], seed)
        else:
            _write(sheet, games, at, actions[at] - FIRST_ROLL, answers)
            answers.over[at] = games.turn[at] == len(sheet.cell_place)
            if not answers.over[at]:
                _throw(sheet, games, at, 0, 0, seed)
        _write_turn(sheet, games, at, answers)
    return -1


@kernel
def _throw(sheet: Sheet, games: Games, at: int, keep: int, thrown: int, seed: int) -> None:
    """Throw all dice but the kept ones. `thrown`: the throws of the turn before."""
    bits = bits_of(seed, games.number[at], games.turn[at], thrown)
    games.roll[at] = throw(bits, keep, KEPT[keep]) - FIRST_ROLL
    games.throws[at] = thrown + 1
    games.locked[at] = keep if sheet.locked and thrown == 1 else 0


@kernel
def _write(sheet: Sheet, games: Games, at: int, cell: int, answers: Answers) -> None:
    """Write the dice into a cell."""
    place, row, roll = sheet.cell_place[cell], sheet.cell_row[cell], games.roll[at]
    nodes: Shorts = games.nodes[at]
    taken = sheet.graph.first[nodes[place], row] + ROLL_CLASSES[roll, row]
    points = np.int64(sheet.graph.gain[taken] + FIGURE_POINTS[roll, row])
    if games.throws[at] == 1 and FIGURE_POINTS[roll, YAMM] > 0:
        points += FIRST_THROW_YAMM
    nodes[place] = sheet.graph.after[taken]
    games.total[at] += points
    games.turn[at] += 1
    answers.rewards[at] = points
    _write_column(sheet, games, at, cell // HEIGHT, answers.observations[at], answers.masks[at])
    _write_counts(sheet, games, at, answers.observations[at])


@kernel
def _write_column(sheet: Sheet, games: Games, at: int, column: int, observation: Any, mask: Any) -> None:
    """Write the empty and the open cells of a column, and what it holds."""
    nodes: Shorts = games.nodes[at]
    for row in range(HEIGHT):
        cell = column * HEIGHT + row
        node = nodes[sheet.cell_place[cell]]
        observation[cell] = sheet.node_empty[node] >> row & 1
        mask[FIRST_ROLL + cell] = sheet.graph.first[node, row] >= 0
    end = len(sheet.cell_place) + column
    observation[end] = sheet.node_upper[nodes[sheet.column_upper[column]]]
    observation[end + len(sheet.column_upper)] = sheet.node_held[nodes[sheet.column_held[column]]]


@kernel
def _write_counts(sheet: Sheet, games: Games, at: int, observation: Any) -> None:
    """Write the points so far and the number of finished turns."""
    end = len(sheet.cell_place) + 2 * len(sheet.column_upper)
    observation[end] = games.total[at] // 100
    observation[end + 1] = games.total[at] % 100
    observation[end + 2 + TURN_BYTES] = games.turn[at] // 100
    observation[end + 3 + TURN_BYTES] = games.turn[at] % 100


@kernel
def _write_turn(sheet: Sheet, games: Games, at: int, answers: Answers) -> None:
    """Write the dice, the throws and the legal keeps; all 0 after the end."""
    end = len(sheet.cell_place) + 2 * len(sheet.column_upper) + 2
    if answers.over[at]:
        answers.observations[at, end : end + TURN_BYTES] = 0
        answers.masks[at] = 0
        return
    write_keeps(answers.masks[at, :FIRST_ROLL], games.throws[at], games.roll[at], games.locked[at])
    write_turn(answers.observations[at, end : end + TURN_BYTES], games.throws[at], games.roll[at], games.locked[at])
