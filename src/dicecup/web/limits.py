"""Limits of addresses and connections. Clocks are handed in and return seconds that only grow."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

MOST_ADDRESSES: Final = 10_000
"""Number of known addresses from which those with full buckets are forgotten."""
FORGET_INTERVAL: Final = 1.0
"""Seconds between two searches for addresses to forget."""


class Bucket:
    """Token bucket with at most `most` tokens. It gains `rate` tokens a second."""

    __slots__ = ("_at", "_most", "_rate", "_tokens")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate = rate
        self._most = most
        self._tokens = most
        self._at = now

    def take(self, now: float, tokens: float = 1) -> float:
        """Take tokens, in advance if need be, and return the seconds to wait until they are
        there."""
        self._fill(now)
        self._tokens -= tokens
        return max(0.0, -self._tokens / self._rate)

    def try_take(self, now: float) -> bool:
        """Take a token if there is one, and return whether there was."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def is_full(self, now: float) -> bool:
        """Return whether the bucket has all its tokens."""
        self._fill(now)
        return self._tokens >= self._most

    def _fill(self, now: float) -> None:
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate)
        self._at = now


class RateLimit:
    """A token bucket for each address: `rate` tokens a second, at most `most` at once."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._most = most
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        self._forgot_at = clock()

    def bucket(self, address: str) -> Bucket:
        """Return the bucket that an address shares with its network."""
        now, key = self._clock(), network(address)
        if len(self._buckets) >= MOST_ADDRESSES and now >= self._forgot_at + FORGET_INTERVAL:
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.is_full(now)}
            self._forgot_at = now
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._most, now)
        return bucket

    def allows(self, address: str) -> bool:
        """Take a token of an address if there is one, and return whether there was."""
        return self.bucket(address).try_take(self._clock())


class OpenLimit:
    """Limit of what each address holds open: connections, or WebSockets."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    def enter(self, address: str) -> bool:
        """Return whether an address may open another one, and count that until `leave`."""
        key = network(address)
        if self._open[key] >= self._most:
            return False
        self._open[key] += 1
        return True

    def leave(self, address: str) -> None:
        """Stop counting one that an address has closed."""
        key = network(address)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


class ConnectionLimit:
    """Limit of TCP connections: `most` at once, of one address `most_of_address` at once and `rate`
    new ones a second. Addresses for which `is_proxy` is true have no limit of their own."""

    def __init__(
        self, most: int, most_of_address: int, rate: float, is_proxy: Callable[[str], bool], clock: Callable[[], float]
    ) -> None:
        self._most = most
        self._open = 0
        self._of_address = OpenLimit(most_of_address)
        self._new = RateLimit(rate, most_of_address, clock)
        self.is_proxy = is_proxy

    def __len__(self) -> int:
        return self._open

    def enter(self, address: str) -> str | None:
        """Count a connection until `leave` and return `None`, or return the limit that refuses
        it."""
        if not self.is_proxy(address):
            if not self._new.allows(address):
                return "new-connections-of-address"
            if not self._of_address.enter(address):
                return "connections-of-address"
        if self._open >= self._most:
            self._leave_address(address)
            return "connections"
        self._open += 1
        return None

    def leave(self, address: str) -> None:
        """Stop counting a connection that was closed."""
        self._open -= 1
        self._leave_address(address)

    def _leave_address(self, address: str) -> None:
        if not self.is_proxy(address):
            self._of_address.leave(address)


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Return the network that shares a limit: an IPv4 address, or the first 64 bits of an IPv6
    address, one customer's."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(int(read) >> 64) if isinstance(read, IPv6Address) and read.ipv4_mapped is None else address
