"""Looking further: the values of the ways to end a turn by what the next turns are worth, to a given depth.

Depth 1 asks the evaluation what each after-state is worth (an exact turn before it makes the expert); at depth d each after-state is
worth what the opponent's turn is, whose ends were looked at to depth d - 1. States that several ways lead to are looked at once.
"""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state_kernel import after, change, line_contents, own_of, own_supply, supply_ends


@njit(nogil=True, cache=True)
def going_on(rules: Rules, states: Any, values: Any, taken: int) -> Any:
    """The after-states of all states in which the game goes on: which state each comes from, by which slot, and itself. Where more than
    `taken` captures are possible the values of the others become minus infinity."""
    squares = rules.squares
    lines = np.empty(rules.lines, np.int64)
    most = len(states) * (squares + taken + 1)
    parents, slots, found = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
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
        placing_ends, other_ends = supply_ends(rules, state, supply - 1), supply_ends(rules, state, supply)
        for slot in range(2 * squares + 1):
            if values[parent, slot] == -np.inf or (placing_ends if slot < squares else other_ends):
                continue
            if slot < squares:
                _, wins = change(rules, lines, slot)
                if wins:
                    continue
            parents[count], slots[count], found[count] = parent, slot, after(rules, state, slot)
            count += 1
    return parents[:count], slots[:count], found[:count]
