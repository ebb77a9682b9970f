"""What each network may create on one day: tables, identities, and bytes in the database.

The counts are in memory, so that counting costs no write. `synchronise` adds what this worker has
counted to the database and reads what all workers have counted. So quotas hold over restarts and
between workers, some seconds late. The database holds a hash of the network, and forgets it when
the day (UTC) is over.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache, partial
from typing import Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.store import Store
from dicecup.hosting.store.daily_use import Use, add_use

DAY: Final = 86_400
MEGABYTE: Final = 1_000_000
COMMAND_BYTES: Final = 500
"""Bytes that a command counts for: its events, and those of the computers that act after it."""
INTERVAL: Final = 5.0
"""Seconds between two synchronisations."""
NETWORKS: Final = 4096
"""Networks whose hashes are kept."""


class Quota(StrEnum):
    """What is counted."""

    TABLES = "tables"
    IDENTITIES = "identities"
    BYTES = "bytes"


class Quotas:
    """The use of one day by network. `limits` holds the maximum of each quota for one network."""

    def __init__(self, store: Store, limits: Mapping[Quota, int], host_key: bytes, clock: Callable[[], float]) -> None:
        self._store = store
        self._limits = limits
        self._hashed = lru_cache(NETWORKS)(partial(_hashed, derived_key(host_key, "networks of quotas")))
        self._clock = clock
        self._day = self._today
        self._used: Counter[Use] = Counter()
        """The use of the day by all workers, as far as it is known."""
        self._new: Counter[Use] = Counter()
        """The part of it that is not in the database yet."""
        self._is_read = False

    def take(self, quota: Quota, network: str, amount: int = 1) -> None:
        """Count a use.

        Raises `HostingError` (`too-much-today`) if it would exceed the quota. Then it is not
        counted.
        """
        if self._today != self._day:
            self._begin_day()
        use = Use(self._day, quota, self._hashed(network))
        most = self._limits[quota]
        if self._used[use] + amount > most:
            raise HostingError(HostingCode.TOO_MUCH_TODAY, quota=str(quota), most=most)
        self._used[use] += amount
        self._new[use] += amount

    async def synchronise(self) -> None:
        """Exchange the use with the database. Raises `StoreError`; then the next call tries it
        again."""
        if self._today != self._day:
            self._begin_day()
        if self._is_read and not self._new and not self._store.shared:
            return
        counted, self._new, day = self._new, Counter(), self._day
        try:
            stored = await add_use(self._store, day, counted)
        except BaseException:
            self._new.update(counted)
            raise
        self._is_read = True
        if day == self._day:
            self._used = Counter(stored) + self._new

    @property
    def _today(self) -> int:
        return int(self._clock() // DAY)

    def _begin_day(self) -> None:
        self._day = self._today
        self._used.clear()
        self._new.clear()


def _hashed(key: bytes, network: str) -> str:
    """Return the hash by which the database knows a network."""
    return hmac.digest(key, network.encode(), "sha256").hex()[:32]
