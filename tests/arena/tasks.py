"""What the tests let other processes do instead of playing."""

import os
import signal
import time
from array import array
from pathlib import Path

from dicecup.arena.block import GameBlock
from dicecup.core.errors import GameError, TextCode


def numbers(first: int, games: int) -> GameBlock:
    """Each game is noted as its own number."""
    return GameBlock(first, games, {"number": array("q", range(first, first + games))}, 0.5)


def dies_once(folder: str, first: int, games: int) -> GameBlock:
    """Every third block kills its process the first time."""
    mark = Path(folder) / str(first)
    if first % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers(first, games)


def dies(_: int, __: int) -> GameBlock:
    """A block that no process survives."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def refuses(_: int, __: int) -> GameBlock:
    """A block that is refused."""
    raise GameError(TextCode.NOT_A_GAME, text="chess")


def fails(_: int, __: int) -> GameBlock:
    """A block in which we made a mistake."""
    raise ZeroDivisionError


def slow_numbers(first: int, games: int) -> GameBlock:
    """As `numbers`, slow enough that a machine can leave in the middle."""
    time.sleep(0.2)
    return numbers(first, games)
