"""Games played with a solved space, dice and all: their mean result is to agree with the value that was calculated.

All games go on side by side, a turn at a time, in groups that stand in the same cell. Their dice follow from the key of each game.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from dicecup.core.dice import FIRST_ROLL
from dicecup.engine.yam_master.evaluation.dice_kernel import MOST_OPTIONS, decide, ordered_dice
from dicecup.engine.yam_master.evaluation.values_kernel import class_values
from dicecup.engine.yam_master.exact.nodes_kernel import Integers, find, node_of
from dicecup.engine.yam_master.exact.value_kernel import (
    LANES,
    NOT_ALLOWED,
    Floats,
    Table,
    fill_ends,
    room,
    slot_values,
    solve_turns,
)
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import SIDE
from dicecup.engine.yam_master.rules.state_kernel import after, change, line_contents, own_of, own_supply, supply_ends

FIRST: Final = 0
LATER: Final = 1
UNDER_DEFI: Final = 2
PASSED: Final = 0
PLACED: Final = 1
REMOVED: Final = 2
ENDED: Final = 3


class Moment(NamedTuple):
    """Where in a turn play begins: dice as a place among the 462 keeps, waiting if they are fewer than five."""

    throws: int
    dice: int
    declared: bool
    locked: int


BEGIN: Final = Moment(0, 0, False, 0)


@njit(nogil=True, cache=True)
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
    ways: Integers,
    results: Integers,
) -> None:
    """One turn, from `moment` on, of these games, which are in the same cell, equal states side by side: the next of `states`, how the turn ended (`ways`), and, where
    the game ended with it, `results`, for the side that was the `first` to move."""
    space = room(len(rules.class_yam))
    slots, lines = np.empty((LANES, 2 * rules.squares + 1)), np.empty((2, rules.lines), np.int64)
    passed, options, worth = np.empty(LANES), np.empty(MOST_OPTIONS, np.int64), np.empty(MOST_OPTIONS)
    classes = space.classes[0]
    begins = np.empty(LANES + 1, np.int64)
    at, count = 0, len(games)
    while at < count:
        for lane in range(LANES):
            begins[lane] = at
            state = states[games[min(at, count - 1)]]
            while at < count and states[games[at]] == state:
                at += 1
            slot_values(rules, node_of(state), state >> SIDE & 1, placed, removed, lines, slots[lane])
            class_values(rules, slots[lane], classes, lane)
            if slots[lane, -1] == NOT_ALLOWED:
                slots[lane, -1] = -this.values[find(this.keys, this.slots, node_of(state)), 1 - (state >> SIDE & 1)]
            passed[lane] = slots[lane, -1]
        begins[LANES] = at
        fill_ends(rules, classes, passed, space.ends, True)
        solve_turns(rules, space, True, True)
        for lane in range(LANES):
            for game in games[begins[lane] : begins[lane + 1]]:
                slot = play_turn(rules, slots[lane], space.keeps, lane, keys[game], number, moment, options, worth)
                state = states[game]
                ways[game], states[game] = way_of(rules, state, slot, lines[0]), after(rules, state, slot)
                if ways[game] == ENDED:
                    results[game] = slots[lane, slot] if state >> SIDE & 1 == first else -slots[lane, slot]


@njit(nogil=True, cache=True)
def way_of(rules: Rules, state: int, slot: int, line: Integers) -> int:
    """How a turn ends with this slot."""
    placed = slot < rules.squares
    if supply_ends(rules, state, own_supply(state) - placed):
        return ENDED
    if placed:
        line_contents(rules, own_of(state), line)
        return ENDED if change(rules, line, slot)[1] else PLACED
    return REMOVED if slot < 2 * rules.squares else PASSED


@njit(nogil=True, cache=True)
def play_turn(
    rules: Rules,
    slots: Floats,
    keeps: Floats,
    lane: int,
    key: int,
    number: int,
    moment: Moment,
    options: Integers,
    worth: Floats,
) -> int:
    """One turn of one game, with the values of its lane; the slot that ends it."""
    throws, dice, declared, locked = moment
    if dice < FIRST_ROLL:
        throws += 1
        locked = dice if rules.locked and throws == 2 else 0
        roll = ordered_dice(key, number, throws, dice)
    else:
        roll = dice - FIRST_ROLL
    while True:
        stage = UNDER_DEFI if declared else FIRST if throws == 1 else LATER
        chosen = decide(rules, slots, keeps, lane, throws, roll, stage, locked, 0.0, key, number, options, worth)
        if chosen < MOST_OPTIONS:
            return int(chosen)
        declared |= chosen >= 2 * MOST_OPTIONS
        dice = chosen % MOST_OPTIONS
        throws += 1
        locked = dice if rules.locked and throws == 2 else 0
        roll = ordered_dice(key, number, throws, dice)
