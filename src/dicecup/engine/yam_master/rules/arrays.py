"""The board and the options of a game as arrays (`Rules`)."""

from functools import cache
from typing import NamedTuple

import numpy as np

from dicecup.core.dice import ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.arrays import Booleans, Integers
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.rules.state import MOST_SQUARES, MOST_TOKENS
from dicecup.yam_master import Board, Captured, End, Squares, YamMaster
from dicecup.yam_master.figures import YAMS


class Rules(NamedTuple):
    """The board and the options for kernels.

    `square_lines`: the lines through each square, (squares, 4), -1 for none; `square_bits`: the bit
    of the square in each of them. `line_points` and `line_wins`: the points of a line's own tokens,
    and whether they win, (lines, 2 ** length). Rolls that hold the same squares form a class: class
    c has the squares `class_squares[class_first[c]:class_first[c + 1]]`, and `class_yam[c]` says
    whether it may capture (the Predator). `roll_class`: the class of each roll after the first
    throw, after a later one, and under a Défi, (3, 252).
    """

    squares: int
    tokens: int
    returned: bool
    full_round: bool
    locked: bool
    lines: int
    square_lines: Integers
    square_bits: Integers
    line_points: Integers
    line_wins: Booleans
    class_first: Integers
    class_squares: Integers
    class_yam: Booleans
    roll_class: Integers


@cache
def rules_of(game: YamMaster) -> Rules:
    """Return the rules of a game as arrays.

    Raises `EngineError` (`not-a-shape`) for boards of more than 25 squares or 15 tokens a player.
    """
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
    """Return a board that consists of one line of `length` squares."""
    return Board((game.board.figures[:length],), 1, 2, game.board.scores)
