"""The cache of loaded tables."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.presence import Presence, people_of
from dicecup.hosting.publisher import Publication, Publisher
from dicecup.hosting.store import Digest, Store
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.subscribers import Subscriber
from dicecup.table.errors import TableError
from dicecup.table.events import Stored
from dicecup.table.state import TableState

EVICT_AFTER: Final = 60.0
"""Seconds without use after which the state of a table is evicted."""


@dataclass(eq=False, slots=True)
class LoadedTable:
    """A table in the memory of this process.

    - `lock` is held for every change and every read of the state.
    - `state` is `None` before it is loaded and after it is evicted.
    - `number` is the number of the last published event; `people` maps seats to identities. Both
      outlive an eviction.
    - `verified`: no other worker is known to have changed the table, and no write has an unknown
      outcome.
    - `digest` is the saved digest and `digest_key` the `digest.digest_key` of its state.
    - `offline` holds the seats that were last published as offline.
    - `used` is the time of the last use, by the clock of the event loop.
    """

    table: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    state: TableState | None = None
    number: int = 0
    people: dict[int, str] = field(default_factory=dict)
    creator: str | None = None
    digest: Digest | None = None
    digest_key: tuple[object, ...] = ()
    verified: bool = True
    subscribers: set[Subscriber] = field(default_factory=set)
    offline: frozenset[int] = frozenset()
    timer: asyncio.TimerHandle | None = None
    computer: asyncio.Task[None] | None = None
    used: float = 0.0

    def stop_timer(self) -> None:
        """Cancel the timer if there is one."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class TableCache:
    """The loaded tables of this process. `on_new_state` is called whenever a table has
    a new state."""

    def __init__(
        self, store: Store, publisher: Publisher, presence: Presence, on_new_state: Callable[[LoadedTable], None]
    ) -> None:
        self.tables: dict[str, LoadedTable] = {}
        self._store = store
        self._publisher = publisher
        self._presence = presence
        self._on_new_state = on_new_state

    def get(self, table: str) -> LoadedTable:
        """Return the entry of a table. Its state may not be loaded yet, and the table may not
        exist."""
        loaded = self.tables.get(table)
        if loaded is None:
            loaded = self.tables[table] = LoadedTable(table)
        loaded.used = asyncio.get_running_loop().time()
        return loaded

    async def load(self, loaded: LoadedTable) -> TableState:
        """Return the newest known state and publish events that other workers saved. The caller
        holds `loaded.lock`.

        Raises `HostingError` (`no-such-table`) and `StoreError`.
        """
        if loaded.state is not None and loaded.verified:
            return loaded.state
        known = loaded.state
        rows = await self._store.events(loaded.table, 0 if known is None else known.number)
        if known is None and not rows:
            self._remove(loaded)
            raise HostingError(HostingCode.NO_SUCH_TABLE)
        events = [event_of_row(row) for row in rows]
        if known is None:
            state, loaded.creator = TableState.from_events(events), rows[0].identity
        else:
            state = reduce(TableState.apply, events, known)
        loaded.verified = True
        if state is not known:
            loaded.digest = None  # the worker that saved the events has saved another digest
            self.advance(loaded, state, [event for event in events if event.number > loaded.number])
        return state

    async def state_of(self, table: str) -> TableState:
        """Return the newest known state of a table. Raises as `load`."""
        loaded = self.get(table)
        async with loaded.lock:
            return await self.load(loaded)

    def advance(
        self,
        loaded: LoadedTable,
        state: TableState,
        events: Sequence[Stored],
        publication: Publication | None = None,
        actor: str | None = None,
    ) -> None:
        """Set the new state of a table and publish the events that led to it.

        `publication` is the prepared publication of these events, `actor` the identity whose
        command made them.
        """
        was_known = bool(loaded.number)
        loaded.state, loaded.number, loaded.people = state, state.number, people_of(state)
        loaded.used = asyncio.get_running_loop().time()
        if was_known and events and loaded.subscribers:
            self._publisher.publish(loaded.subscribers, publication or self._publisher.prepare(state, events), actor)
        # Timers and computers wait until those who wait for the new state have received it.
        asyncio.get_running_loop().call_soon(self._on_new_state, loaded)

    async def refresh(self, loaded: LoadedTable) -> None:
        """Publish the view of a table again, without events, unless it cannot be loaded."""
        async with loaded.lock:
            with suppress(HostingError, TableError, StoreError):
                state = await self.load(loaded)
                if loaded.subscribers:
                    self._publisher.publish(loaded.subscribers, self._publisher.prepare(state))

    async def invalidate(self, loaded: LoadedTable) -> None:
        """Mark the state as unverified: another worker may have changed it. With subscribers load
        it at once."""
        async with loaded.lock:
            loaded.verified = False
            if loaded.subscribers:
                with suppress(HostingError, TableError, StoreError):
                    await self.load(loaded)

    def delete(self, table: str) -> None:
        """Remove a deleted table and end its subscribers."""
        if (loaded := self.tables.get(table)) is not None:
            self._remove(loaded)

    def evict_idle(self) -> None:
        """Evict the states of tables without recent use, and remove those that have no
        subscribers."""
        before = asyncio.get_running_loop().time() - EVICT_AFTER
        for loaded in list(self.tables.values()):
            is_computing = loaded.computer is not None and not loaded.computer.done()
            if loaded.used > before or loaded.lock.locked() or is_computing:
                continue
            if not loaded.subscribers:
                self._drop(loaded)
            loaded.state = loaded.digest = None

    def _remove(self, loaded: LoadedTable) -> None:
        self._drop(loaded)
        for subscriber in loaded.subscribers:
            subscriber.end(HostingError(HostingCode.NO_SUCH_TABLE))

    def _drop(self, loaded: LoadedTable) -> None:
        self.tables.pop(loaded.table, None)
        self._presence.forget(loaded.table)
        loaded.stop_timer()
