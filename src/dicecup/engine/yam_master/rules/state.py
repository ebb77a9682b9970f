"""A game's rules as arrays, and positions as integers.

A state is the beginning of a turn: the tokens of x (bit 0 on), of o (bit 25 on), the supplies of x and o (four bits each, from
bits 50 and 54) and the side to move (bit 58). Ending a turn is a slot: 0 to 24 place a token on that square, 25 to 49 take the
opposing token off it, 50 passes; on a board of n squares 2n + 1 slots in the same order.
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
ALL_SQUARES: Final = (1 << MOST_SQUARES) - 1


# --- Positions and actions --------------------------------------------------------------------------------------------------


def pack(position: Position) -> int:
    """The state of the position's turn at its beginning; what the dice show is left out. A position that is over has none."""
    x_supply, o_supply = position.supplies
    return position.x | position.o << O_SHIFT | x_supply << X_SUPPLY | o_supply << O_SUPPLY | position.to_move << SIDE


def unpack(state: int, game: YamMaster, number: int = 1) -> Position:
    """The position at the beginning of the turn."""
    x, o = Squares(state & ALL_SQUARES), Squares(state >> O_SHIFT & ALL_SQUARES)
    supplies = (state >> X_SUPPLY & 15, state >> O_SUPPLY & 15)
    return Position(game, x, o, Side(state >> SIDE & 1), BEGIN, False, supplies, number)


def slot_of(game: YamMaster, action: Action) -> int:
    """The slot of an action that ends the turn. Raises `EngineError` (`not-a-decision`) for a keep."""
    squares = len(game.board.names)
    match action:
        case Place(square):
            return game.board.index[square]
        case Remove(square):
            return squares + game.board.index[square]
        case Pass():
            return 2 * squares
    raise EngineError(EngineCode.NOT_A_DECISION, action=action)


def action_of(game: YamMaster, slot: int) -> Action:
    """The action of a slot."""
    names = game.board.names
    if slot < len(names):
        return PLACES[names[slot]]
    if slot < 2 * len(names):
        return REMOVALS[names[slot - len(names)]]
    return PASS
