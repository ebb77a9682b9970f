"""Who plays whom: pairs of the people who wait, as values."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import inf
from typing import Final, NamedTuple

import orjson

PATIENCE: Final = 4.0
"""Seconds that a person waits for an opponent who wants the same options and as much a rated game
or none. Afterwards any opponent of the same game and clock will do, with the options of the person
who waits longer."""

WAITING: Final = ("waiting", "returned")
"""States of people in the queue; `returned`: the opponent did not come to the table."""
AT_TABLE: Final = ("paired", "seated")
"""States of people whose pair may still be undone."""
OPEN: Final = frozenset((*WAITING, *AT_TABLE))
"""States in which a seek has not ended."""


class Seek(NamedTuple):
    """A request for an opponent.

    - `number`: the place in the queue, 0 before it is saved.
    - `request`: the id that the client chose. A request with a known id is not a new one.
    - `pool`: game and clock. Only people of one pool are paired.
    - `game`: the game id with the wished options; `clock` as JSON.
    - `since`: when the person began to wait, in seconds since 1970.
    - `worker`: the worker with the person's connection.
    - `state`: one of `WAITING` or `AT_TABLE`; `seated` people have come to `table`. Then `ended`,
      or `missed` by a person who did not come.
    - `changed`: when the state began.
    - `rated`: whether the person wants a rated game. It is one if both want that.
    """

    number: int
    identity: str
    request: str
    pool: str
    game: str
    clock: str | None
    name: str
    since: float
    worker: str
    state: str
    changed: float
    table: str | None
    rated: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether the person waits, or has to come to a table."""
        return self.state in OPEN


def seek_to_json(seek: Seek) -> str:
    """Return a seek as text."""
    return orjson.dumps(seek._asdict()).decode()


def seek_from_json(text: str) -> Seek | None:
    """Return the seek of a text, `None` if it is not one of this version."""
    try:
        return Seek(**orjson.loads(text))
    except (ValueError, TypeError):
        return None


def pairs(waiting: Iterable[Seek], are_apart: Callable[[str, str], bool], now: float) -> list[tuple[Seek, Seek]]:
    """Return the pairs of people who wait, each with the person first who has waited longer.

    `are_apart` returns whether one of two identities has blocked the other. Who waits longest is
    paired first: with the longest waiting person who wants the same options, or after `PATIENCE`
    with anyone else of the pool. Those without a number have come last, in their order.
    """
    found = []
    pools: dict[str, list[Seek]] = {}
    for seek in sorted(waiting, key=lambda seek: seek.number or inf):
        pools.setdefault(seek.pool, []).append(seek)
    for pool in pools.values():
        while pool:
            first = pool.pop(0)
            if (second := _opponent(first, pool, are_apart, now)) is not None:
                pool.remove(second)
                found.append((first, second))
    return found


def _opponent(seek: Seek, others: Sequence[Seek], are_apart: Callable[[str, str], bool], now: float) -> Seek | None:
    same = [other for other in others if (other.game, other.rated) == (seek.game, seek.rated)]
    able = others if now >= seek.since + PATIENCE else ()
    return next((other for other in chain(same, able) if not are_apart(seek.identity, other.identity)), None)
