"""Presence: a person is offline after `OFFLINE_AFTER` seconds without a subscriber or a request at
the table."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from functools import reduce
from typing import Final

from dicecup.table.clock import Gap
from dicecup.table.state import TableState

OFFLINE_AFTER: Final = 20.0
"""Seconds after which a person without a subscriber is offline: long enough for a phone that
changes networks."""


class Presence:
    """Subscribers in this process, and the last time at which each person was seen by any worker.

    Times are seconds since 1970. Before `started`, the start of this process, nothing is known.
    """

    def __init__(self, started: float) -> None:
        self._started = started
        self._subscribers: dict[str, Counter[str]] = {}
        self._last_seen: dict[str, dict[str, float]] = {}

    def connected(self, table: str, identity: str) -> None:
        """Count a new subscriber of an identity."""
        self._subscribers.setdefault(table, Counter())[identity] += 1

    def disconnected(self, table: str, identity: str, now: float) -> None:
        """Remove a subscriber of an identity."""
        subscribers = self._subscribers[table]
        subscribers[identity] -= 1
        if not subscribers[identity]:
            del subscribers[identity]
        if not subscribers:
            del self._subscribers[table]
        self.seen(table, identity, now)

    def seen(self, table: str, identity: str, now: float) -> None:
        """Note that an identity made a request at a table."""
        self._last_seen.setdefault(table, {})[identity] = now

    def last_seen(self, table: str, identity: str, now: float) -> float:
        """Return when an identity was last seen at a table: `now` if it is online, 0 if it was not
        seen since the start."""
        if identity in self._subscribers.get(table, ()):
            return now
        return self._last_seen.get(table, {}).get(identity, 0.0)

    def hold(self, gap: Gap) -> None:
        """Do not count an outage: nobody could have been seen during it."""
        for known in self._last_seen.values():
            for identity, seen in known.items():
                known[identity] = _without(seen, gap)
        self._started = _without(self._started, gap)

    def merge(self, last_seen: Mapping[tuple[str, str], float], gaps_since: Callable[[float], Iterable[Gap]]) -> None:
        """Take over later times that other workers saved, by table and identity.

        `gaps_since` returns the outages after a time, which do not count.
        """
        for (table, identity), seen in last_seen.items():
            time = reduce(_without, gaps_since(seen), seen)
            known = self._last_seen.setdefault(table, {})
            known[identity] = max(time, known.get(identity, 0.0))

    def online(self) -> Iterable[tuple[str, str]]:
        """Return the table and the identity of everyone who has a subscriber in this process."""
        return tuple((table, identity) for table, people in self._subscribers.items() for identity in people)

    def offline(self, table: str, people: Mapping[int, str], now: float) -> dict[int, float]:
        """Return the seats whose people are offline, each with the time when its person was last
        seen.

        `people` maps seats to identities.
        """
        subscribed, last_seen = self._subscribers.get(table, ()), self._last_seen.get(table, {})
        last = {seat: last_seen.get(identity, self._started) for seat, identity in people.items() if identity not in subscribed}
        return {seat: time for seat, time in last.items() if time + OFFLINE_AFTER <= now}

    def forget_before(self, time: float, loaded: Container[str]) -> None:
        """Forget when people were seen at tables that are not loaded, if that was before a time.

        An earlier person counts as offline since the start of this process. So nobody may be
        forgotten against whom a claim would not be possible yet.
        """
        for table in [table for table in self._last_seen if table not in loaded]:
            if max(self._last_seen[table].values(), default=0.0) < time:
                del self._last_seen[table]


def _without(time: float, gap: Gap) -> float:
    """Return a time, later by the seconds of a gap that came after it."""
    return time + max(0.0, gap.until - max(gap.since, time))


def people_of(state: TableState) -> dict[int, str]:
    """Return the identities of the people at a table, by seat."""
    return {seat: held.identity for seat, held in enumerate(state.seats) if held.identity is not None}
