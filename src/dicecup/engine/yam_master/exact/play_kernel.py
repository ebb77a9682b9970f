"""One turn of many games that are played with a solved space."""

from typing import Final, NamedTuple

import numpy as np

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.arrays import Floats, Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.yam_master.evaluation.dice_kernel import MOST_OPTIONS, decide, ordered_dice
from dicecup.engine.yam_master.evaluation.values_kernel import class_values
from dicecup.engine.yam_master.exact.nodes_kernel import find, node_of
from dicecup.engine.yam_master.exact.value_kernel import (
    LANES,
    NOT_ALLOWED,
    Table,
    Workspace,
    fill_stops,
    move_values,
    solve_turns,
)
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_LINES, MOST_MOVES, SIDE
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    own_of,
    own_supply,
)

FIRST: Final = 0
LATER: Final = 1
UNDER_DEFI: Final = 2
PASSED: Final = 0
PLACED: Final = 1
REMOVED: Final = 2
ENDED: Final = 3


class Moment(NamedTuple):
    """The point of a turn at which play begins.

    `dice` is an index of the 462 sets of dice; fewer than five dice wait for a throw.
    """

    throws: int
    dice: int
    declared: bool
    locked: int


BEGIN: Final = Moment(0, 0, False, 0)


@kernel
def play_turns(
    rules: Rules,
    this: Table,
    placed: Table,
    removed: Table,
    games: Integers,
    states: Integers,
    keys: Integers,
    number: int,
    first: int,
    moment: Moment,
    endings: Integers,
    results: Integers,
    arrays: Workspace,
) -> None:
    """Play one turn of these games from `moment` on.

    The games are in the same cell, equal states side by side. Written are the next of `states`, the
    ending of the turn (`endings`), and, where the game is over, its `results` for the side that was
    the `first` to move.
    """
    moves, passed = scratch((LANES, MOST_MOVES), np.float64), scratch(LANES, np.float64)
    classes, passing = arrays.classes[0], 2 * rules.squares
    begins, ends = scratch(LANES, np.int64), scratch(LANES, np.int64)
    at, count = 0, len(games)
    while at < count:
        for lane in range(LANES):
            begins[lane] = at
            state = states[games[min(at, count - 1)]]
            while at < count and states[games[at]] == state:
                at += 1
            ends[lane] = at
            move_values(rules, node_of(state), state >> SIDE & 1, placed, removed, moves[lane])
            class_values(rules, moves[lane], classes, lane)
            if moves[lane, passing] == NOT_ALLOWED:
                moves[lane, passing] = -this.values[find(this.keys, this.slots, node_of(state)), 1 - (state >> SIDE & 1)]
            passed[lane] = moves[lane, passing]
        fill_stops(rules, classes, passed, arrays.stops, True)
        solve_turns(rules, arrays, True, True)
        for lane in range(LANES):
            for game in games[begins[lane] : ends[lane]]:
                move = play_turn(rules, moves[lane], arrays.keeps, lane, keys[game], number, moment)
                state = states[game]
                endings[game], states[game] = ending_of(rules, state, move), after_state(rules, state, move)
                if endings[game] == ENDED:
                    results[game] = moves[lane, move] if state >> SIDE & 1 == first else -moves[lane, move]


@kernel
def ending_of(rules: Rules, state: int, move: int) -> int:
    """Return how this move ends a turn: `PASSED`, `PLACED`, `REMOVED`, or `ENDED` with the game."""
    lines = scratch(MOST_LINES, np.int64)
    placed = move < rules.squares
    if ends_by_supply(rules, state, own_supply(state) - placed):
        return ENDED
    if placed:
        line_contents(rules, own_of(state), lines)
        return ENDED if line_change(rules, lines, move)[1] else PLACED
    return REMOVED if move < 2 * rules.squares else PASSED


@kernel
def play_turn(rules: Rules, moves: Floats, keeps: Floats, lane: int, key: int, number: int, moment: Moment) -> int:
    """Play one turn of one game with the values of its lane. Return the move that ends it."""
    throws, dice, declared, locked = moment
    if dice < FIRST_ROLL:
        throws += 1
        locked = dice if rules.locked and throws == 2 else 0
        roll = ordered_dice(key, number, throws, dice)
    else:
        roll = dice - FIRST_ROLL
    while True:
        stage = UNDER_DEFI if declared else FIRST if throws == 1 else LATER
        chosen = decide(rules, moves, keeps, lane, throws, roll, stage, locked, 0.0, key, number)
        if chosen < MOST_OPTIONS:
            return int(chosen)
        declared |= chosen >= 2 * MOST_OPTIONS
        dice = chosen % MOST_OPTIONS
        throws += 1
        locked = dice if rules.locked and throws == 2 else 0
        roll = ordered_dice(key, number, throws, dice)
