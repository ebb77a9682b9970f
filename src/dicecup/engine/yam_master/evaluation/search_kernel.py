"""The after-states of a search."""

import numpy as np

from dicecup.engine.arrays import Integers, Singles
from dicecup.engine.kernel import kernel
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    own_of,
    own_supply,
)


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
    lines = np.empty(rules.lines, np.int64)
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
