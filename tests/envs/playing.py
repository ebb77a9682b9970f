"""Playing environments at random, for the tests of all interfaces."""

import pickle
import random
from collections.abc import Callable
from typing import Any, Final

from dicecup.envs.encoding import Encoding
from dicecup.envs.process import Kind, Situation, ordered_throws, start, throw_at
from dicecup.envs.yam_master import YamMasterEncoding
from dicecup.envs.yamm import YammEncoding
from dicecup.yam_master import YamMaster
from tests.strategies import GAMES

ENCODINGS: Final[tuple[Encoding, ...]] = tuple(
    YamMasterEncoding(game) if isinstance(game, YamMaster) else YammEncoding(game)  # type: ignore[arg-type]
    for game in GAMES
)
"""Every game with the options that matter, and the small ones."""


def name(encoding: Encoding) -> str:
    return f"{encoding.game.id} {encoding.actions}"


def loaded(pickled: bytes) -> Any:
    return pickle.loads(pickled)  # noqa: S301 (written by the test)


def copied(value: object) -> Any:
    return loaded(pickle.dumps(value))


def drawing(seed: int) -> Callable[[int], int]:
    return random.Random(seed).randrange


def situations(encoding: Encoding, seed: int, most: int = 300) -> list[Situation]:
    """Return the situations of a game from its start, at most `most`. Turns often end at once."""
    draw = drawing(seed)
    found = [start(encoding.game)]
    while found[-1].kind is not Kind.OVER and len(found) < most:
        now = found[-1]
        if now.kind is Kind.CHANCE:
            found.append(now.roll(throw_at(now.chances, draw(ordered_throws(now.position)))))
        else:
            legal = encoding.legal(now)
            ends = [index for index in legal if index >= 420] or legal
            pool = ends if draw(2) else legal
            found.append(now.play(encoding.action(now, pool[draw(len(pool))])))
    return found
