"""Outages: times at which nobody could reach the server. No clock counts them.

The process did not run, the machine slept, or the database did not answer.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from dicecup.hosting.store import Store
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.table.clock import Gap

SILENCE: Final = 15.0
"""Seconds without a heartbeat, three sweeps, after which this process may have been unreachable."""
SHORTEST: Final = 1.0
"""Seconds. A shorter outage is ignored."""
_SERVER: Final = ("", "")
"""Key of the server's heartbeat among the presence of people: no table, no identity."""


class OutageMonitor:
    """Heartbeats of the server in the database. With several workers a heartbeat of any of them
    counts.

    `gap` is the newest outage.
    """

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.gap: Gap | None = None
        self._store = store
        self._clock = clock
        self._checking = asyncio.Lock()
        self._last: float | None = None
        self._unverified = True
        """Whether the database has to be read before the last heartbeat is known."""

    def database_lost(self) -> None:
        """Note that the database does not answer."""
        self._unverified = True

    def database_reached(self) -> None:
        """Note that a write succeeded, which counts as a heartbeat."""
        if not self._unverified:
            self._last = self._clock()

    async def check(self) -> None:
        """Set `gap` if there was an outage just now. Call it before a clock is judged. Raises
        `StoreError`."""
        if not self._may_have_been_unreachable():
            return
        async with self._checking:
            if not self._may_have_been_unreachable():  # another task has checked meanwhile
                return
            saved = (await self._store.last_seen([_SERVER[0]])).get(_SERVER)
            heartbeats = [time for time in (saved, self._last) if time is not None]
            now = await self._save_heartbeat()
            if heartbeats and now - max(heartbeats) >= SHORTEST:
                self.gap = Gap(max(heartbeats), now)

    async def heartbeat(self) -> None:
        """Check for an outage and save a heartbeat. Raises `StoreError`."""
        await self.check()
        await self._save_heartbeat()

    async def close(self) -> None:
        """Save the last heartbeat if the database answers."""
        with suppress(StoreError):
            await self.heartbeat()

    def _may_have_been_unreachable(self) -> bool:
        return self._unverified or self._last is None or self._clock() - self._last > SILENCE

    async def _save_heartbeat(self) -> float:
        """Save the current time as the last at which this server ran, and return it.

        Raises `StoreError`, except for a full disk.
        """
        now = self._clock()
        try:
            await self._store.save_presence([_SERVER], now)
        except StoreError as error:
            if error.code is StoreCode.DOWN:
                self.database_lost()
            # a full disk does not keep people from reaching the server
            if error.code is not StoreCode.FULL:
                raise
        self._last, self._unverified = now, False
        return now
