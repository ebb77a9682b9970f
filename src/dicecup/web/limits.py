"""Rate limits of addresses and connections. Clocks are handed in and return seconds
that only grow."""

from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

MOST_ADDRESSES: Final = 10_000
"""Number of known addresses from which those with full buckets are forgotten."""


class Bucket:
    """Token bucket with at most `most` tokens. It gains `rate` tokens a second, and a message costs
    one."""

    __slots__ = ("_at", "_most", "_rate", "_tokens")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate = rate
        self._most = most
        self._tokens = most
        self._at = now

    def take(self, now: float) -> float:
        """Take a token, in advance if need be, and return the seconds to wait until it is there."""
        self._fill(now)
        self._tokens -= 1
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


class RequestLimit:
    """Limit of requests for each address: `rate` a second on average, ten times as many at once."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def allows(self, address: str) -> bool:
        """Count a request and return whether it is within the limit."""
        now = self._clock()
        if len(self._buckets) >= MOST_ADDRESSES:
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.is_full(now)}
        key = network(address)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, 10 * self._rate, now)
        return bucket.try_take(now)


class SocketLimit:
    """Limit of open WebSockets for each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    def enter(self, address: str) -> bool:
        """Return whether one more WebSocket is allowed, and count it until `leave`."""
        key = network(address)
        if self._open[key] >= self._most:
            return False
        self._open[key] += 1
        return True

    def leave(self, address: str) -> None:
        """Count a WebSocket that was closed."""
        key = network(address)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


def network(address: str) -> str:
    """Return the network that shares a limit: an IPv4 address, or the first 64 bits of an IPv6
    address, one customer's."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(int(read) >> 64) if isinstance(read, IPv6Address) and read.ipv4_mapped is None else address
