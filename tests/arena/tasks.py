"""Tasks that the tests run in other processes instead of games."""

import os
import signal
import time
from array import array
from pathlib import Path

from dicecup.arena.block import GameBlock
from dicecup.core.errors import GameError, TextCode


def numbers(first: int, games: int) -> GameBlock:
    """Return a block in which the figure of each game is its number."""
    return GameBlock(first, games, {"number": array("q", range(first, first + games))}, 0.5)


def dies_once(folder: str, first: int, games: int) -> GameBlock:
    """Kill the process of every third block once."""
    mark = Path(folder) / str(first)
    if first % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers(first, games)


def dies(_: int, __: int) -> GameBlock:
    """Kill the process of every block."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def refuses(_: int, __: int) -> GameBlock:
    """Raise an error of Dicecup."""
    raise GameError(TextCode.NOT_A_GAME, text="chess")


def fails(_: int, __: int) -> GameBlock:
    """Raise an error of Python."""
    raise ZeroDivisionError


def slow_numbers(first: int, games: int) -> GameBlock:
    """Return the block of `numbers`, slowly enough that a machine can be stopped before the end."""
    time.sleep(0.2)
    return numbers(first, games)
