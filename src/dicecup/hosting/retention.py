"""Deletion of tables that ended long ago."""

from collections.abc import Callable
from typing import Final

import structlog

from dicecup.hosting.store import Store
from dicecup.hosting.store.notifications import DELETED
from dicecup.hosting.store.old_tables import delete_tables, ended_before

DAY: Final = 86_400.0
BATCH: Final = 100
"""Tables that one transaction deletes."""
INTERVAL: Final = 60.0
"""Seconds between two batches, unless the first was full."""

log = structlog.get_logger()


class Retention:
    """Deletes tables that ended more than `keep_days` ago, finished or abandoned. `on_deleted` is
    called with each of them."""

    def __init__(self, store: Store, keep_days: int, clock: Callable[[], float], on_deleted: Callable[[str], None]) -> None:
        self.deleted = 0
        """How many tables this process has deleted."""
        self._store = store
        self._keep = keep_days * DAY
        self._clock = clock
        self._on_deleted = on_deleted

    async def sweep(self) -> None:
        """Delete all tables that are due, in batches. Raises `StoreError`."""
        while tables := await ended_before(self._store, self._clock() - self._keep, BATCH):
            await delete_tables(self._store, tables)
            for table in tables:
                self._on_deleted(table)
            await self._store.notify(dict.fromkeys(tables, DELETED))
            self.deleted += len(tables)
            log.info("tables deleted", tables=len(tables), after_days=self._keep / DAY)
