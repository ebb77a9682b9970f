"""Positions between two turns as 64-bit integers, and moves as numbers.

A state holds the tokens of x (bit 0 on) and of o (bit 25 on), the supplies of x and o (four bits
each, from bits 50 and 54) and the side to move (bit 58).

A move is a way to end a turn. Moves 0 to 24 place a token on that square, moves 25 to 49 capture
the opposing token on it, and move 50 passes. A board of n squares has 2n + 1 moves in the same
order.
"""

from typing import Final

from dicecup.core.turn import BEGIN
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.yam_master import Action, Pass, Place, Position, Remove, Side, Squares, YamMaster
from dicecup.yam_master.actions import PASS, PLACES, REMOVALS

MOST_SQUARES: Final = 25
O_SHIFT: Final = 25
X_SUPPLY: Final = 50
O_SUPPLY: Final = 54
SIDE: Final = 58
MOST_TOKENS: Final = 15
MOST_LINES: Final = 2 * MOST_SQUARES
"""No board has more lines: at most four go through a square, each through two or more."""
MOST_MOVES: Final = 2 * MOST_SQUARES + 1
ALL_SQUARES: Final = (1 << MOST_SQUARES) - 1


# --- Positions and actions ---


def pack(position: Position) -> int:
    """Return the state of the position's turn at its beginning, without the dice. A position that
    is over has no state.
    """
    x_supply, o_supply = position.supplies
    return position.x | position.o << O_SHIFT | x_supply << X_SUPPLY | o_supply << O_SUPPLY | position.to_move << SIDE


def unpack(state: int, game: YamMaster, number: int = 1) -> Position:
    """Return the position at the beginning of the turn."""
    x, o = Squares(state & ALL_SQUARES), Squares(state >> O_SHIFT & ALL_SQUARES)
    supplies = (state >> X_SUPPLY & 15, state >> O_SUPPLY & 15)
    return Position(game, x, o, Side(state >> SIDE & 1), BEGIN, False, supplies, number)


def move_of(game: YamMaster, action: Action) -> int:
    """Return the move of an action that ends the turn. Raises `EngineError` (`not-a-decision`) for
    a keep.
    """
    squares = len(game.board.names)
    match action:
        case Place(square):
            return game.board.index[square]
        case Remove(square):
            return squares + game.board.index[square]
        case Pass():
            return 2 * squares
    raise EngineError(EngineCode.NOT_A_DECISION, action=action)


def action_of(game: YamMaster, move: int) -> Action:
    """Return the action of a move."""
    names = game.board.names
    if move < len(names):
        return PLACES[names[move]]
    if move < 2 * len(names):
        return REMOVALS[names[move - len(names)]]
    return PASS
