"""Who is there: a seat is away when nobody of its identity has followed the table for a while."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from dicecup.table.state import TableState

AWAY_AFTER: Final = 20.0
"""Seconds without a follower after which somebody counts as away: long enough for a phone that changes networks."""


class Presence:
    """Of all followers here, and of those of other workers as far as they were told of. Times are seconds since 1970."""

    def __init__(self, begun: float) -> None:
        self._begun = begun
        self._here: dict[str, Counter[str]] = {}
        self._seen: dict[str, dict[str, float]] = {}

    def came(self, table: str, identity: str) -> None:
        """A follower more."""
        self._here.setdefault(table, Counter())[identity] += 1

    def left(self, table: str, identity: str, now: float) -> None:
        """A follower less."""
        here = self._here[table]
        here[identity] -= 1
        if not here[identity]:
            del here[identity]
        if not here:
            del self._here[table]
        self.acted(table, identity, now)

    def acted(self, table: str, identity: str, now: float) -> None:
        """A sign of life, with a follower or without."""
        self._seen.setdefault(table, {})[identity] = now

    def heard(self, seen: Mapping[tuple[str, str], float]) -> None:
        """What other workers saw: by table and identity."""
        for (table, identity), time in seen.items():
            here = self._seen.setdefault(table, {})
            here[identity] = max(time, here.get(identity, 0.0))

    def here(self) -> Iterable[tuple[str, str]]:
        """Everybody who follows a table here: table and identity."""
        return tuple((table, identity) for table, people in self._here.items() for identity in people)

    def away(self, table: str, people: Mapping[int, str], now: float) -> dict[int, float]:
        """Of these people, by seat, those who are away, each with the time when they were seen last."""
        here, seen = self._here.get(table, ()), self._seen.get(table, {})
        last = {seat: seen.get(identity, self._begun) for seat, identity in people.items() if identity not in here}
        return {seat: time for seat, time in last.items() if time + AWAY_AFTER <= now}

    def forget(self, table: str) -> None:
        """Nobody looks at this table any more."""
        self._seen.pop(table, None)


def people_of(state: TableState) -> dict[int, str]:
    """Who sits on which seat."""
    return {seat: held.identity for seat, held in enumerate(state.seats) if held.identity is not None}
