"""A game's rules as arrays, and positions as integers.

A state is the beginning of a turn: the tokens of x (bit 0 on), of o (bit 25 on), the supplies of x and o (four bits each, from
bits 50 and 54) and the side to move (bit 58). Ending a turn is a slot: 0 to 24 place a token on that square, 25 to 49 take the
opposing token off it, 50 passes; on a board of n squares 2n + 1 slots in the same order.
"""

from typing import Any

from numba import njit

from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import ALL_SQUARES, O_SHIFT, O_SUPPLY, SIDE, X_SUPPLY

# --- In kernels -------------------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def own_of(state: int) -> int:
    """The tokens of the side to move."""
    return (state >> (O_SHIFT if state >> SIDE & 1 else 0)) & ALL_SQUARES


@njit(nogil=True, cache=True)
def opposing_of(state: int) -> int:
    """The tokens of the other side."""
    return (state >> (0 if state >> SIDE & 1 else O_SHIFT)) & ALL_SQUARES


@njit(nogil=True, cache=True)
def own_supply(state: int) -> int:
    """The supply of the side to move."""
    return (state >> (O_SUPPLY if state >> SIDE & 1 else X_SUPPLY)) & 15


@njit(nogil=True, cache=True)
def opposing_supply(state: int) -> int:
    """The supply of the other side."""
    return (state >> (X_SUPPLY if state >> SIDE & 1 else O_SUPPLY)) & 15


@njit(nogil=True, cache=True)
def after(rules: Rules, state: int, slot: int) -> int:
    """The state after the turn, the other side to move, whether or not the game is over."""
    side = state >> SIDE & 1
    next_state = state ^ (1 << SIDE)
    if slot < rules.squares:
        next_state |= 1 << (slot + O_SHIFT * side)
        return next_state - (1 << (O_SUPPLY if side else X_SUPPLY))
    if slot < 2 * rules.squares:
        next_state &= ~(1 << (slot - rules.squares + O_SHIFT * (1 - side)))
        if rules.returned:
            next_state += 1 << (X_SUPPLY if side else O_SUPPLY)
    return next_state


@njit(nogil=True, cache=True)
def supply_ends(rules: Rules, state: int, supply_after: int) -> bool:
    """Whether the turn that begins in `state` ends the game when its side has `supply_after` tokens left at the end, a line
    apart (RULES, option `end`)."""
    if not rules.full_round:
        return supply_after == 0
    return (state >> SIDE & 1) == 1 and (supply_after == 0 or (state >> X_SUPPLY & 15) == 0)


@njit(nogil=True, cache=True)
def line_contents(rules: Rules, tokens: int, contents: Any) -> int:
    """Fills in what lies in every line and returns the points."""
    contents[:] = 0
    for square in range(rules.squares):
        if tokens >> square & 1:
            for at in range(4):
                line = rules.square_lines[square, at]
                if line >= 0:
                    contents[line] |= rules.square_bits[square, at]
    points = 0
    for line in range(rules.lines):
        points += rules.line_points[line, contents[line]]
    return points


@njit(nogil=True, cache=True)
def change(rules: Rules, contents: Any, square: int) -> tuple[int, bool]:
    """How the points change when the token on this square is put down or taken off, and whether a line is full then."""
    points, wins = 0, False
    for at in range(4):
        line = rules.square_lines[square, at]
        if line >= 0:
            changed = contents[line] ^ rules.square_bits[square, at]
            points += rules.line_points[line, changed] - rules.line_points[line, contents[line]]
            wins |= rules.line_wins[line, changed]
    return points, wins
