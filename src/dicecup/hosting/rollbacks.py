"""Rollbacks: the database of a running worker went back to an earlier time.

A fail-over to a replica that lacks the last seconds, or a restore under a running worker, takes
events away that the worker has in memory. Either ends the worker's connections. So after a lost
connection the worker compares its tables and the newest mark with the database, before it changes
a table. If events are gone, every unfinished table begins a new commitment. One worker does this
for all, under a lock, and all forget their states. Commands wait meanwhile, and no clock counts
this time.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from dicecup.hosting.loaded_tables import TableCache
from dicecup.hosting.outages import OutageMonitor, last_served
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.locks import timeline_lock
from dicecup.hosting.timeline import Timeline, begin_timeline
from dicecup.table.clock import Gap

LOG: Final = logging.getLogger(__name__)


class RollbackMonitor:
    """Compares the memory of this worker with the database after a lost connection.

    `timeline` is the one of the database.
    """

    def __init__(
        self, store: Store, cache: TableCache, settings: Settings, clock: Callable[[], float], outages: OutageMonitor
    ) -> None:
        self.timeline = Timeline(store, settings.folder)
        self._store = store
        self._cache = cache
        self._host_key = settings.host_key
        self._clock = clock
        self._outages = outages
        self._compared = store.faults.losses
        """The number of lost connections before the last comparison."""
        self._noticed: float | None = None
        """When a rollback was noticed whose new timeline has not begun yet."""
        self._comparing = asyncio.Lock()

    async def check(self) -> int:
        """Compare if the connection was lost since the last comparison, and return the number of
        lost connections.

        A change that is handled after this call may be saved while that number is the same. Raises
        `StoreError`.
        """
        while (losses := self._store.faults.losses) != self._compared:
            async with self._comparing:
                if losses != self._compared:
                    async with timeline_lock(self._store):
                        await self._compare()
                    self._compared = losses
        return losses

    async def _compare(self) -> None:
        """Compare the tables and the mark, and begin a new timeline if the database went back.

        Raises `StoreError`; then the next call begins the new timeline.
        """
        before = self.timeline.newest
        numbers = {loaded.table: loaded.number for loaded in self._cache.tables.values()}
        newest = await self._store.newest(numbers)
        mark = await self.timeline.read()
        changed = before is not None and (mark is None or mark.timeline != before.timeline)
        if changed and mark is not None and not await self.timeline.is_earlier(mark.timeline):
            # another worker or an administrator noticed it, and the tables are renewed
            self._cache.forget(numbers)
            self._noticed = None
            await self._outages.check(fresh=True)
            return
        # A table that the database does not have was deleted, or created in the lost time.
        self._cache.forget(numbers.keys() - newest)
        is_ahead = any(number > newest.get(table, number) for table, number in numbers.items())
        is_behind = before is not None and mark is not None and mark.number < before.number
        if self._noticed is None and (is_ahead or changed or is_behind):
            self._noticed = self._clock()
        if self._noticed is not None:
            await self._renew(self._noticed)
            self._noticed = None

    async def _renew(self, since: float) -> None:
        """Begin a new timeline, and save the time since `since` as an outage. Raises
        `StoreError`."""
        served = await last_served(self._store, since)
        if served.time > since:
            served = served._replace(gaps=(*served.gaps, Gap(since, served.time)))
        count = await begin_timeline(self._store, self._host_key, served)
        LOG.warning("the database went back under a running worker: %d tables begin a new commitment", count)
        await self.timeline.read()
        self._cache.forget(tuple(self._cache.tables))
        await self._outages.commands_waited(since)
