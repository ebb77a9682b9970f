"""A game's rules as arrays, and positions as integers.

A state is the beginning of a turn: the tokens of x (bit 0 on), of o (bit 25 on), the supplies of x and o (four bits each, from
bits 50 and 54) and the side to move (bit 58). Ending a turn is a slot: 0 to 24 place a token on that square, 25 to 49 take the
opposing token off it, 50 passes; on a board of n squares 2n + 1 slots in the same order.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit

from dicecup.core.dice import ROLLS
from dicecup.core.turn import BEGIN, KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.yam_master import Action, Board, Captured, End, Pass, Place, Position, Remove, Side, Squares, YamMaster
from dicecup.yam_master.actions import PASS, PLACES, REMOVALS
from dicecup.yam_master.figures import YAMS

MOST_SQUARES: Final = 25
O_SHIFT: Final = 25
X_SUPPLY: Final = 50
O_SUPPLY: Final = 54
SIDE: Final = 58
MOST_TOKENS: Final = 15
ALL_SQUARES: Final = (1 << MOST_SQUARES) - 1


class Rules(NamedTuple):
    """What the kernels know of a board and the options.

    `square_lines`: the lines through each square, (squares, 4), -1 for none, and `square_bits` its bit in them; `line_points` and
    `line_wins`: what a line's own tokens score and whether they win, (lines, 2 ** length). `classes`: rolls that hold the same
    squares are one class, with its squares from `class_first[c]` to `class_first[c + 1]` in `class_squares`, and
    `class_yam` where the Predator may take; `roll_class`: the class of each roll after the first throw, a later one, and under a
    Défi, (3, 252)."""

    squares: int
    tokens: int
    returned: bool
    full_round: bool
    locked: bool
    lines: int
    square_lines: Any
    square_bits: Any
    line_points: Any
    line_wins: Any
    class_first: Any
    class_squares: Any
    class_yam: Any
    roll_class: Any


@cache
def rules_of(game: YamMaster) -> Rules:
    """The rules of a game. Raises `EngineError` (`not-a-shape`) for boards of more than 25 squares or 15 tokens."""
    board = game.board
    squares = len(board.names)
    if squares > MOST_SQUARES or board.tokens > MOST_TOKENS:
        raise EngineError(EngineCode.NOT_A_SHAPE, squares=squares, tokens=board.tokens)
    through = [[line for line, places in enumerate(board.lines) if square in places] for square in range(squares)]
    square_lines = np.full((squares, 4), -1, np.int64)
    square_bits = np.zeros((squares, 4), np.int64)
    for square, lines in enumerate(through):
        for at, line in enumerate(lines):
            square_lines[square, at] = line
            square_bits[square, at] = 1 << board.lines[line].index(square)
    contents = 1 << max(len(places) for places in board.lines)
    line_points = np.zeros((len(board.lines), contents), np.int64)
    line_wins = np.zeros((len(board.lines), contents), np.bool_)
    for line, places in enumerate(board.lines):
        row = _row(game, len(places))
        for content in range(1 << len(places)):
            own = Squares(sum(1 << place for at, place in enumerate(places) if content >> at & 1))
            line_points[line, content] = row.points(Squares(content))
            line_wins[line, content] = board.has_line(own)
    keys = sorted({(held, shown in YAMS) for stage in game.held for held, shown in zip(stage, ROLLS, strict=True)})
    places_of = [[place for place in range(squares) if held >> place & 1] for held, _ in keys]
    number = {key: at for at, key in enumerate(keys)}
    return Rules(
        squares=squares,
        tokens=board.tokens,
        returned=game.options.captured is Captured.RETURNED,
        full_round=game.options.end is End.FULL_ROUND,
        locked=game.options.kept_dice is KeptDice.LOCKED,
        lines=len(board.lines),
        square_lines=square_lines,
        square_bits=square_bits,
        line_points=line_points,
        line_wins=line_wins,
        class_first=np.cumsum([0, *map(len, places_of)], dtype=np.int64),
        class_squares=np.array([place for places in places_of for place in places], np.int64),
        class_yam=np.array([yam for _, yam in keys]),
        roll_class=np.array(
            [[number[held, shown in YAMS] for held, shown in zip(stage, ROLLS, strict=True)] for stage in game.held]
        ),
    )


def _row(game: YamMaster, length: int) -> Board:
    """A board that is one line of this one."""
    return Board((game.board.figures[:length],), 1, 2, game.board.scores)


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
