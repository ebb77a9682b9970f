"""Deletion of tables and tournaments that ended long ago, of games on devices that joined long ago,
of cards from games as old, and of reports that were resolved long ago."""

from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from dicecup.hosting.competition.tournament_store import delete_finished
from dicecup.hosting.store import Store
from dicecup.hosting.store.cards import delete_cards_before
from dicecup.hosting.store.device_games import delete_joined_before
from dicecup.hosting.store.notifications import DELETED, Change
from dicecup.hosting.store.old_tables import delete_tables, ended_before
from dicecup.hosting.store.reports import delete_reports

DAY: Final = 86_400.0
REPORTS_KEPT: Final = 90 * DAY
"""Seconds from the resolution of a report to its deletion."""
BATCH: Final = 100
"""Tables that one transaction deletes."""
INTERVAL: Final = 60.0
"""Seconds between two batches, unless the first was full."""

log = structlog.get_logger()


class Retention:
    """Deletes tables that ended more than `keep_days` ago, finished or abandoned, with their
    reports, tournaments that ended, games on devices that joined and cards from games that began
    as long ago; with 0 none of them. `on_deleted` is called with each table."""

    def __init__(self, store: Store, keep_days: int, clock: Callable[[], float], on_deleted: Callable[[str], None]) -> None:
        self.deleted = 0
        """How many tables this process has deleted."""
        self._store = store
        self._keep = keep_days * DAY
        self._clock = clock
        self._on_deleted = on_deleted

    async def sweep(self) -> None:
        """Delete all that is due, tables in batches. Raises `StoreError`."""
        if reports := await delete_reports(self._store, self._clock() - REPORTS_KEPT):
            log.info("reports deleted", reports=reports)
        if not self._keep:
            return
        before = self._clock() - self._keep
        if games := await delete_joined_before(self._store, before):
            log.info("games on devices deleted", games=games, after_days=self._keep / DAY)
        if cards := await delete_cards_before(self._store, before):
            log.info("cards deleted", cards=cards, after_days=self._keep / DAY)
        if ended := await self._store.writer.work(partial(delete_finished, before=before)):
            log.info("tournaments deleted", tournaments=ended, after_days=self._keep / DAY)
        while tables := await ended_before(self._store, before, BATCH):
            await delete_tables(self._store, tables)
            for table in tables:
                self._on_deleted(table)
            await self._store.notify(dict.fromkeys(tables, Change(DELETED)))
            self.deleted += len(tables)
            log.info("tables deleted", tables=len(tables), after_days=self._keep / DAY)
