"""Deletion of tables that ended long ago, and of games on devices that joined long ago."""

from collections.abc import Callable
from typing import Final

import structlog

from dicecup.hosting.store import Store
from dicecup.hosting.store.device_games import delete_joined_before
from dicecup.hosting.store.notifications import DELETED
from dicecup.hosting.store.old_tables import delete_tables, ended_before

DAY: Final = 86_400.0
BATCH: Final = 100
"""Tables that one transaction deletes."""
INTERVAL: Final = 60.0
"""Seconds between two batches, unless the first was full."""

log = structlog.get_logger()


class Retention:
    """Deletes tables that ended more than `keep_days` ago, finished or abandoned, and games on
    devices that joined as long ago. `on_deleted` is called with each table."""

    def __init__(self, store: Store, keep_days: int, clock: Callable[[], float], on_deleted: Callable[[str], None]) -> None:
        self.deleted = 0
        """How many tables this process has deleted."""
        self._store = store
        self._keep = keep_days * DAY
        self._clock = clock
        self._on_deleted = on_deleted

    async def sweep(self) -> None:
        """Delete all tables that are due, in batches, and all games on devices. Raises
        `StoreError`."""
        before = self._clock() - self._keep
        if games := await delete_joined_before(self._store, before):
            log.info("games on devices deleted", games=games, after_days=self._keep / DAY)
        while tables := await ended_before(self._store, before, BATCH):
            await delete_tables(self._store, tables)
            for table in tables:
                self._on_deleted(table)
            await self._store.notify(dict.fromkeys(tables, DELETED))
            self.deleted += len(tables)
            log.info("tables deleted", tables=len(tables), after_days=self._keep / DAY)
