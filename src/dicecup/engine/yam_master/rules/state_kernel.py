"""Packed states inside kernels: their parts, the state after a move, and the points of lines."""

from dicecup.engine.arrays import Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import ALL_SQUARES, O_SHIFT, O_SUPPLY, SIDE, X_SUPPLY

# --- In kernels ---


@kernel
def own_of(state: int) -> int:
    """Return the tokens of the side to move."""
    return (state >> (O_SHIFT if state >> SIDE & 1 else 0)) & ALL_SQUARES


@kernel
def opposing_of(state: int) -> int:
    """Return the tokens of the other side."""
    return (state >> (0 if state >> SIDE & 1 else O_SHIFT)) & ALL_SQUARES


@kernel
def own_supply(state: int) -> int:
    """Return the supply of the side to move."""
    return (state >> (O_SUPPLY if state >> SIDE & 1 else X_SUPPLY)) & 15


@kernel
def opposing_supply(state: int) -> int:
    """Return the supply of the other side."""
    return (state >> (X_SUPPLY if state >> SIDE & 1 else O_SUPPLY)) & 15


@kernel
def after_state(rules: Rules, state: int, move: int) -> int:
    """Return the state after a move, with the other side to move.

    The state is returned even if the move ends the game.
    """
    side = state >> SIDE & 1
    next_state = state ^ (1 << SIDE)
    if move < rules.squares:
        next_state |= 1 << (move + O_SHIFT * side)
        return next_state - (1 << (O_SUPPLY if side else X_SUPPLY))
    if move < 2 * rules.squares:
        next_state &= ~(1 << (move - rules.squares + O_SHIFT * (1 - side)))
        if rules.returned:
            next_state += 1 << (X_SUPPLY if side else O_SUPPLY)
    return next_state


@kernel
def ends_by_supply(rules: Rules, state: int, supply_after: int) -> bool:
    """Return whether the turn that begins in `state` ends the game, if its side then has
    `supply_after` tokens left.

    A full line is not considered (RULES, option `end`).
    """
    if not rules.full_round:
        return supply_after == 0
    return (state >> SIDE & 1) == 1 and (supply_after == 0 or (state >> X_SUPPLY & 15) == 0)


@kernel
def line_contents(rules: Rules, tokens: int, contents: Integers) -> int:
    """Write the content of every line and return the points of these tokens. `contents` may have
    more elements than there are lines.
    """
    contents[: rules.lines] = 0
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


@kernel
def line_change(rules: Rules, contents: Integers, square: int) -> tuple[int, bool]:
    """Return the change of the points when a token is placed on or removed from a square.

    The second value is whether a line is full after the change.
    """
    points, wins = 0, False
    for at in range(4):
        line = rules.square_lines[square, at]
        if line >= 0:
            changed = contents[line] ^ rules.square_bits[square, at]
            points += rules.line_points[line, changed] - rules.line_points[line, contents[line]]
            wins |= rules.line_wins[line, changed]
    return points, wins
