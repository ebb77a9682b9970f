"""The after-states of a search."""

import numpy as np
from numba import njit

from dicecup.engine.arrays import Integers, Singles
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    own_of,
    own_supply,
)


@njit(nogil=True, cache=True)
def going_on(rules: Rules, states: Integers, values: Singles, taken: int) -> tuple[Integers, Integers, Integers]:
    """Return the after-states with which the game goes on, of all states.

    The three arrays hold for each after-state the index of its state, the move, and the after-state
    itself. If a state allows more than `taken` captures, only the best `taken` of them are kept,
    and `values` (states, moves) of the others become minus infinity.
    """
    squares = rules.squares
    lines = np.empty(rules.lines, np.int64)
    most = len(states) * (squares + taken + 1)
    parents, moves, found = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
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
    return parents[:count], moves[:count], found[:count]
