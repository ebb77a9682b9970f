"""How much one address, or one connection, may ask for. The clock is handed in: seconds of any clock that only grows."""

from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

FORGOTTEN: Final = 10_000
"""Addresses that are remembered before those that have been quiet are forgotten."""


class Bucket:
    """Holds `most` tokens and gets `rate` a second; every message costs one."""

    __slots__ = ("_at", "_most", "_rate", "_tokens")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate = rate
        self._most = most
        self._tokens = most
        self._at = now

    def take(self, now: float) -> float:
        """Takes a token, and answers how many seconds to wait for it: 0 where there was one."""
        self._fill(now)
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate)

    def try_take(self, now: float) -> bool:
        """Takes a token if there is one."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def is_full(self, now: float) -> bool:
        """Whether nobody took any for a while."""
        self._fill(now)
        return self._tokens >= self._most

    def _fill(self, now: float) -> None:
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate)
        self._at = now


class Requests:
    """A bucket for each address: `rate` a second, ten times as many at once."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def allows(self, address: str) -> bool:
        """Whether one more may be answered now; it is counted."""
        now = self._clock()
        if len(self._buckets) >= FORGOTTEN:
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.is_full(now)}
        place = network(address)
        bucket = self._buckets.get(place)
        if bucket is None:
            bucket = self._buckets[place] = Bucket(self._rate, 10 * self._rate, now)
        return bucket.try_take(now)


class Sockets:
    """At most so many for each address at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    def enter(self, address: str) -> bool:
        """Whether one more is allowed; then it is counted until it leaves."""
        place = network(address)
        if self._open[place] >= self._most:
            return False
        self._open[place] += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        place = network(address)
        self._open[place] -= 1
        if not self._open[place]:
            del self._open[place]


def network(address: str) -> str:
    """Whom an address stands for: itself, or of IPv6 the 64 bits that one customer has."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(int(read) >> 64) if isinstance(read, IPv6Address) and read.ipv4_mapped is None else address
