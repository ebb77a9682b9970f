"""Boards of Yam Master that are solved, and positions on them, for the tests of the solver."""

import random
from functools import cache
from itertools import product
from typing import Final

from dicecup.core.turn import BEGIN, KeptDice, Turn
from dicecup.engine.yam_master.exact.solve import Solution, solve_board
from dicecup.yam_master import (
    Action,
    Captured,
    End,
    FailedDefi,
    KeepDice,
    Options,
    Place,
    Position,
    YamMaster,
    small_board,
)
from tests.strategies import steps

LAYOUT: Final = "1 Full 6/Sec Yam Suite/2 <=8 Defi"
OPTIONS: Final = tuple(Options(*values) for values in product(KeptDice, FailedDefi, Captured, End))
VARIED: Final = (
    Options(),
    Options(captured=Captured.OUT),
    Options(end=End.FULL_ROUND),
    Options(KeptDice.LOCKED, FailedDefi.IGNORED),
    Options(KeptDice.LOCKED, FailedDefi.IGNORED, Captured.OUT, End.FULL_ROUND),
)
"""Every value of every option."""
CLOSE: Final = 1e-10


@cache
def board(layout: str, tokens: int, options: Options) -> Solution:
    return solve_board(YamMaster(options, small_board(layout, tokens)))


def reached(game: YamMaster, count: int, seed: int = 1) -> list[Position]:
    """Return positions of random games, at any moment of a turn."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        played = [
            position
            for (_, position), _ in zip(steps(game, chance), range(300), strict=False)
            if isinstance(position, Position)
        ]
        found += chance.sample(played, min(len(played), 12))
    return found


def late(options: Options, placed: int, seed: int) -> Position:
    """Return a random position of the full board at the beginning of a turn with `placed` tokens.

    Both players place a token whenever they can.
    """
    chance, game = random.Random(seed), YamMaster(options)
    while True:
        position = game.start()
        while position.turn is not None and (position.turn is not BEGIN or 24 - sum(position.supplies) < placed):
            if position.waiting:
                position = position.roll(chance.choices(*zip(*position.chances, strict=True))[0])
            else:
                places = [action for action in position.actions if isinstance(action, Place)]
                position = position.play(chance.choice(places or list(position.actions)))
        if position.turn is not None and 24 - sum(position.supplies) == placed:
            return position


def with_turn(position: Position, turn: Turn, *, defi: bool = False) -> Position:
    return Position(position.game, position.x, position.o, position.to_move, turn, defi, position.supplies, position.number)


def ends(position: Position) -> list[Action]:
    """Return the actions that end the turn."""
    return [action for action in position.actions if not isinstance(action, KeepDice)]


def result(position: Position) -> float:
    """Return the result of a finished game for the side that would be to move."""
    assert position.outcome is not None
    winner = position.outcome.winner
    return 0.0 if winner is None else 1.0 if winner is position.to_move else -1.0
