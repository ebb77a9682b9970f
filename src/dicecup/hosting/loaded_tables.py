"""The cache of loaded tables."""

import asyncio
from array import array
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from dicecup.hosting.digest import digest_key, digest_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_reader import EventReader
from dicecup.hosting.presence import people_of
from dicecup.hosting.publisher import Publication, Publisher
from dicecup.hosting.store import Digest, EventRow, Store
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.subscribers import Subscriber
from dicecup.table.errors import TableError
from dicecup.table.events import Stored
from dicecup.table.state import TableState

EVICT_AFTER: Final = 60.0
"""Seconds without use after which the state of a table is evicted."""


def _no_commands() -> "array[int]":
    """Return an empty array of hashes, which takes 8 bytes a command."""
    return array("q")


@dataclass(eq=False, slots=True)
class LoadedTable:
    """A table in the memory of this process.

    - `lock` is held for every change and every read of the state.
    - `state` is `None` before it is loaded and after it is evicted.
    - `number` is the number of the last published event; `people` maps seats to identities. Both
      outlive an eviction.
    - `verified`: no other worker is known to have changed the table, and no write has an unknown
      outcome.
    - `commands` holds a hash of the key of every saved command, to recognise commands that were
      never saved without asking the database.
    - `digest` is the saved digest and `digest_key` the `digest.digest_key` of its state.
    - `renewed` holds the commitment that this process began because the log went back, and the
      number of throws at that time.
    - `offline` holds the seats that were last published as offline.
    - `changed` is set at the next new state, while a computer waits for it.
    - `timer_at` is the time of `timer`, by the clock of the event loop. Not every handle of uvloop
      tells it.
    - `used` is the time of the last use, by the clock of the event loop.
    """

    table: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    state: TableState | None = None
    number: int = 0
    people: dict[int, str] = field(default_factory=dict)
    creator: str | None = None
    commands: "array[int]" = field(default_factory=_no_commands)
    digest: Digest | None = None
    digest_key: tuple[object, ...] = ()
    verified: bool = True
    subscribers: set[Subscriber] = field(default_factory=set)
    renewed: tuple[str, int] | None = None
    offline: frozenset[int] = frozenset()
    timer: asyncio.TimerHandle | None = None
    timer_at: float = 0.0
    computer: asyncio.Task[None] | None = None
    changed: asyncio.Event | None = None
    used: float = 0.0

    def may_have_saved(self, identity: str, command_id: str) -> bool:
        """Return `False` if no event up to the number of the state was made by this command."""
        return hash((identity, command_id)) in self.commands

    def note_saved(self, identity: str, command_id: str) -> None:
        """Note that the events of a command were saved."""
        self.commands.append(hash((identity, command_id)))

    def stop_timer(self) -> None:
        """Cancel the timer if there is one."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def _note_digest(loaded: LoadedTable, state: TableState) -> None:
    """Note the digest that another worker has saved with the events that led to a state. It follows
    from the state, except after the end of the game."""
    if loaded.digest is None or state.end is not None:
        loaded.digest = None
    elif (key := digest_key(state)) != loaded.digest_key:
        loaded.digest, loaded.digest_key = digest_of(state, loaded.creator, ()), key


class TableCache:
    """The loaded tables of this process. `on_new_state` is called whenever a table has
    a new state."""

    def __init__(
        self,
        store: Store,
        reader: EventReader,
        publisher: Publisher,
        on_new_state: Callable[[LoadedTable], None],
    ) -> None:
        self.tables: dict[str, LoadedTable] = {}
        self._store = store
        self._reader = reader
        self._publisher = publisher
        self._on_new_state = on_new_state

    def get(self, table: str) -> LoadedTable:
        """Return the entry of a table. Its state may not be loaded yet, and the table may not
        exist."""
        loaded = self.tables.get(table)
        if loaded is None:
            loaded = self.tables[table] = LoadedTable(table)
        loaded.used = asyncio.get_running_loop().time()
        return loaded

    def gauges(self) -> dict[str, int]:
        """Return the numbers of tables, of loaded states and of subscribers."""
        tables = self.tables.values()
        states = sum(loaded.state is not None for loaded in tables)
        return {
            "tables": len(tables),
            "loaded_states": states,
            "subscribers": sum(len(loaded.subscribers) for loaded in tables),
        }

    async def load(self, loaded: LoadedTable, told: Sequence[EventRow] = ()) -> TableState:
        """Return the newest known state and publish events that other workers saved. The caller
        holds `loaded.lock`.

        `told`: the next events, from the worker that saved them. They are read from the database if
        they do not follow the state. Raises `HostingError` (`no-such-table`), what
        `EventReader.events` raises, and `StoreError`.
        """
        if loaded.state is not None and loaded.verified:
            return loaded.state
        known = loaded.state
        if known is not None and told and told[0].number == known.number + 1:
            rows = list(told)
        else:
            rows = await self._store.events(loaded.table, 0 if known is None else known.number)
        if known is None and not rows:
            self._remove(loaded)
            raise HostingError(HostingCode.NO_SUCH_TABLE)
        events = await self._reader.events(rows)
        state = known if known is not None and not events else await self._reader.state_after(known, events)
        if known is None:
            loaded.creator, loaded.commands = rows[0].identity, _no_commands()
        for row in rows:
            if row.identity is not None and row.command_id is not None:
                loaded.note_saved(row.identity, row.command_id)
        loaded.verified = True
        if state is not known:
            _note_digest(loaded, state)
            new = [event for event in events if event.number > loaded.number]
            self.advance(loaded, state, new, before=known if known is not None and known.number == loaded.number else None)
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
        before: TableState | None = None,
    ) -> None:
        """Set the new state of a table and publish the events that led to it.

        `publication` is the prepared publication of these events, `actor` the identity whose
        command made them. `before` is the state that was published last, for a publication that is
        not prepared yet.
        """
        loop, was_known = asyncio.get_running_loop(), bool(loaded.number)
        loaded.state, loaded.number, loaded.people = state, state.number, people_of(state)
        loaded.used = loop.time()
        if was_known and events and loaded.subscribers:
            self._publisher.publish(loaded.subscribers, publication or self._publisher.prepare(state, events, before), actor)
        # Timers and computers wait until those who wait for the new state have received it.
        loop.call_soon(self._on_new_state, loaded)

    async def refresh(self, loaded: LoadedTable) -> None:
        """Publish the view of a table again, without events, unless it cannot be loaded."""
        async with loaded.lock:
            with suppress(HostingError, TableError, StoreError):
                state = await self.load(loaded)
                if loaded.subscribers:
                    self._publisher.publish(loaded.subscribers, self._publisher.prepare(state))

    async def invalidate(self, loaded: LoadedTable, told: Sequence[EventRow] = ()) -> None:
        """Mark the state as unverified: another worker may have changed it. With subscribers load
        it at once. `told`: as for `load`."""
        async with loaded.lock:
            # after a write with an unknown outcome only the database knows what was saved
            new = [row for row in told if row.number > loaded.number] if loaded.verified else ()
            loaded.verified = False
            if loaded.subscribers:
                with suppress(HostingError, TableError, StoreError):
                    await self.load(loaded, new)

    async def reload(self, table: str) -> None:
        """Load a table again that `administration` has changed in the database."""
        if (loaded := self.tables.get(table)) is not None:
            await self.invalidate(loaded)

    def delete(self, table: str) -> None:
        """Remove a deleted table and end its subscribers."""
        if (loaded := self.tables.get(table)) is not None:
            self._remove(loaded)

    def forget(self, tables: Collection[str]) -> None:
        """Forget the states of tables, because the database went back to an earlier time.
        Subscribers end without an error: clients connect again and get what the database has."""
        for loaded in (self.tables[table] for table in tables if table in self.tables):
            loaded.state = loaded.digest = None
            loaded.number = 0
            loaded.stop_timer()
            for subscriber in loaded.subscribers:
                subscriber.end()

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
        loaded.stop_timer()
