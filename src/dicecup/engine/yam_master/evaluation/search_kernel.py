"""The after-states of a search."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.arrays import Integers, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_LINES
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    own_of,
    own_supply,
)

_SPREAD: Final = -7046029254386353131
"""The golden ratio times 2**64, as a signed number: an odd multiplier that spreads states."""
_FREE: Final = -1
"""A slot of the hash table that holds no state."""


def going_on(rules: Rules, states: Integers, values: Singles, taken: int) -> tuple[Integers, Integers, Integers]:
    """Return the after-states with which the game goes on, of all states.

    The three arrays hold for each after-state the index of its state, the move, and the after-state
    itself. If a state allows more than `taken` captures, only the best `taken` of them are kept,
    and `values` (states, moves) of the others become minus infinity.
    """
    parents, moves, found = np.empty((3, len(states) * (rules.squares + taken + 1)), np.int64)
    count = write_going_on(rules, states, values, taken, parents, moves, found)
    return parents[:count], moves[:count], found[:count]


@kernel
def write_going_on(
    rules: Rules, states: Integers, values: Singles, taken: int, parents: Integers, moves: Integers, found: Integers
) -> int:
    """Write the arrays of `going_on` and return their length."""
    squares = rules.squares
    lines = scratch(MOST_LINES, np.int64)
    count = 0
    for parent in range(len(states)):
        state = states[parent]
        captures = values[parent, squares : 2 * squares]
        possible = 0
        for square in range(squares):
            possible += captures[square] > -np.inf
        while possible > taken:
            worst = -1
            for square in range(squares):
                if captures[square] > -np.inf and (worst < 0 or captures[square] < captures[worst]):
                    worst = square
            captures[worst] = -np.inf
            possible -= 1
        supply = own_supply(state)
        line_contents(rules, own_of(state), lines)
        placing_ends, other_ends = ends_by_supply(rules, state, supply - 1), ends_by_supply(rules, state, supply)
        for move in range(2 * squares + 1):
            if values[parent, move] == -np.inf or (placing_ends if move < squares else other_ends):
                continue
            if move < squares:
                _, wins = line_change(rules, lines, move)
                if wins:
                    continue
            parents[count], moves[count], found[count] = parent, move, after_state(rules, state, move)
            count += 1
    return count


def merged(states: Integers) -> tuple[Integers, Integers]:
    """Return the different states in the order in which they first occur, and the place of each
    state among them.
    """
    size = 32
    while size < 2 * len(states):
        size *= 2
    found, places = np.empty((2, len(states)), np.int64)
    count = write_merged(states, np.empty(size, np.int32), found, places)
    return found[:count], places


@kernel
def write_merged(states: Integers, slots: NDArray[np.int32], found: Integers, places: Integers) -> int:
    """Write the arrays of `merged` and return the number of different states. `slots`: a hash table
    with open addressing, whose length is a power of two.
    """
    slots[:] = _FREE
    last = len(slots) - 1
    count = 0
    for at in range(len(states)):
        spread = states[at] * _SPREAD
        slot = (spread ^ spread >> 32) & last
        while slots[slot] != _FREE and found[slots[slot]] != states[at]:
            slot = (slot + 1) & last
        if slots[slot] == _FREE:
            slots[slot] = count
            found[count] = states[at]
            count += 1
        places[at] = slots[slot]
    return count


@kernel
def write_back(values: Singles, parents: Integers, moves: Integers, expected: Singles, places: Integers) -> None:
    """Write the values of moves: the negative values of the opponent's turns after them."""
    for at in range(len(parents)):
        values[parents[at], moves[at]] = -expected[places[at]]
