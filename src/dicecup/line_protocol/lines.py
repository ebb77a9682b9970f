"""The lines of the protocol (docs/engines.md) as texts. Nothing here reads or waits."""

import re
from collections.abc import Sequence
from math import floor
from typing import Final, NamedTuple

VERSION: Final = 1
"""The version of the protocol."""
LONGEST_LINE: Final = 65_536
"""Bytes of the longest line that either side reads."""
SEPARATOR: Final = ";"
"""The text between two actions of a list. Corrections hold spaces."""
NO_ACTION: Final = "none"
"""The answer of an engine that gives up, and the text for making no correction."""
CORRECTIONS: Final = "corrections"
"""What an engine supports if it wants to be asked for corrections."""
SEED: Final = "seed"
"""The name of the option that takes the seed of an engine's own random choices."""

_GO: Final = re.compile(r"go( correct)? time (0|[1-9][0-9]{0,8}) actions (.+)", re.ASCII)


class Go(NamedTuple):
    """A request for an action, or for a correction where `correct` is true."""

    actions: tuple[str, ...]
    milliseconds: int
    correct: bool


def go_line(actions: Sequence[str], seconds: float, *, correct: bool = False) -> str:
    """Return the line that asks for one of these actions within some seconds."""
    kind = "go correct" if correct else "go"
    return f"{kind} time {max(0, floor(1000 * seconds))} actions {SEPARATOR.join(actions)}"


def read_go(line: str) -> Go | None:
    """Return the request of a line, `None` for a line of another form."""
    found = _GO.fullmatch(line)
    return None if found is None else Go(tuple(found[3].split(SEPARATOR)), int(found[2]), found[1] is not None)


def after(line: str, word: str) -> str | None:
    """Return what follows a word at the beginning of a line, `None` if it begins otherwise."""
    first, _, rest = line.partition(" ")
    return rest.strip() if first == word else None
