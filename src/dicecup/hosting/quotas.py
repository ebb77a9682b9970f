"""What each network may create on one day: tables, identities, accounts, and bytes in the database.

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
from typing import Final, NamedTuple

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
    ACCOUNTS = "accounts"
    CONFIRMATIONS = "confirmations"
    BYTES = "bytes"
    REPORTS = "reports"
    INVITATIONS = "invitations"


class Budget(NamedTuple):
    """The bytes that the commands of a network may still store today. A command is checked before
    its events are saved, and counted afterwards, so that a refused or repeated one is free."""

    quotas: "Quotas"
    use: Use

    def check(self) -> None:
        """Raise `HostingError` (`too-much-today`) if the network may not store another command."""
        self.quotas.check(self.use, COMMAND_BYTES)

    def spend(self) -> None:
        """Count a command whose events were saved."""
        self.quotas.count(self.use, COMMAND_BYTES)


class Quotas:
    """The use of one day by network. `limits` holds the maximum of each quota for one network."""

    def __init__(self, store: Store, limits: Mapping[Quota, int], host_key: bytes, clock: Callable[[], float]) -> None:
        self._store = store
        self._limits: dict[str, int] = {str(quota): most for quota, most in limits.items()}
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
        use = self._use(quota, network)
        self.check(use, amount)
        self.count(use, amount)

    def budget(self, network: str) -> Budget:
        """Return what the commands of a network may still store today."""
        return Budget(self, self._use(Quota.BYTES, network))

    def check(self, use: Use, amount: int) -> None:
        """Raise `HostingError` (`too-much-today`) if a use would exceed the quota."""
        most = self._limits[use.quota]
        if self._used[use] + amount > most:
            raise HostingError(HostingCode.TOO_MUCH_TODAY, quota=str(use.quota), most=most)

    def count(self, use: Use, amount: int) -> None:
        """Count a use that has happened, also beyond the quota."""
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

    def _use(self, quota: Quota, network: str) -> Use:
        """Return the key of a count of today."""
        if self._today != self._day:
            self._begin_day()
        return Use(self._day, quota, self._hashed(network))

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
