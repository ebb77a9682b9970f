"""The tables of a server: create a table, act at it, look at it, subscribe to it.

Every published update was saved before. A command is handled once, however often it is sent: its id
is unique among the commands of its identity at this table. It names the `version`, the number of
the state that the client saw.
"""

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from secrets import token_hex
from time import time
from typing import Any, Final, Self

from dicecup.core.game import Position
from dicecup.hosting import dice_statistics, pool
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.dice_statistics import DiceSummary
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import CommandKey, event_of_row, first_append
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.invalidations import Invalidations
from dicecup.hosting.loaded_tables import LoadedTable, TableCache
from dicecup.hosting.outages import OutageMonitor
from dicecup.hosting.own_games import OwnGames
from dicecup.hosting.pool import Pool
from dicecup.hosting.presence import Presence, people_of
from dicecup.hosting.publisher import Publisher, event_json
from dicecup.hosting.scheduler import Scheduler
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Append, Digest, Store
from dicecup.hosting.subscribers import PublishedUpdate, Subscriber
from dicecup.hosting.table_changes import TableChanges
from dicecup.table import assistance, fairness, handlers
from dicecup.table.clock import Gap
from dicecup.table.commands import Command, Sit
from dicecup.table.errors import TableCode, TableError
from dicecup.table.permissions import may_invite, may_watch
from dicecup.table.setup import Occupant, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.transition import Transition

SWEEP_INTERVAL: Final = 5.0
"""Seconds between two sweeps, which publish presence, run due timers and evict idle tables."""
WARM_DELAY: Final = 5.0
"""Seconds after the start until the pools are warmed. People who come back after a restart are
served first."""
LONGEST_COMMAND_ID: Final = 64
"""Characters."""
KEY_LENGTH: Final = 22
"""Characters of a link's key: 88 bits of a hash in hex."""
PRESENCE_KEPT: Final = 3600.0
"""Seconds for which presence is kept in the database."""


@dataclass(frozen=True, slots=True)
class TableKeys:
    """Id of a table and the keys of its two links: `join` lets people sit down, `watch`
    only look."""

    table: str
    join: str
    watch: str


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in the list of an identity.

    `state` is `open`, `running` or `over`. `created` is in seconds since 1970. `outcome` is `won`,
    `drawn`, `lost` or `None`. `you` holds the seats of the identity. `summary` has the shape of
    `digest.summary`.
    """

    table: str
    game: str
    state: str
    created: float
    outcome: str | None
    you: tuple[int, ...]
    summary: dict[str, Any]


class TableHost:
    """The tables of a server. Create it with `open` and end it with `close`.

    Computers decide in the processes of `players`. All other computations run in the processes of
    `pool`.
    """

    def __init__(self, settings: Settings, store: Store, clock: Callable[[], float]) -> None:
        self.settings = settings
        self.store = store
        self.players = Pool(settings.processes, settings.waiting)
        self.pool = Pool(settings.processes, settings.waiting, low_priority=True)
        self.tasks = BackgroundTasks()
        self.presence = Presence(clock())
        self.outages = OutageMonitor(store, clock)
        self.publisher = Publisher(self.presence, clock)
        self.cache = TableCache(store, self.publisher, self.presence, self._state_changed)
        self.invalidations = Invalidations(store, self.cache, self.tasks)
        self.changes = TableChanges(
            store,
            self.cache,
            self.publisher,
            self.outages,
            self.invalidations,
            self.tasks,
            clock,
            self.secret_of,
            self._next_table_created,
        )
        self.scheduler = Scheduler(self.cache, self.changes, self.players, self.tasks, clock, settings.host_key, self.secret_of)
        self.own_games = OwnGames(store, self.pool, self.tasks.spawn)
        self._clock = clock
        self._published_gap: Gap | None = None

    @classmethod
    async def open(cls, settings: Settings, clock: Callable[[], float] = time) -> Self:
        """Migrate the database and start the background tasks. Raises `StoreError`."""
        host = cls(settings, await Store.open(settings.database), clock)
        host.invalidations.start()
        host.tasks.repeat(host.sweep, SWEEP_INTERVAL)
        return host

    def warm(self) -> asyncio.Task[None]:
        """Start to load in the processes of the pools what they will need, computers first."""
        return self.tasks.run_until_cancelled(self._warm())

    async def _warm(self) -> None:
        await asyncio.sleep(WARM_DELAY)
        await self.players.warm(pool.load_players)
        await self.pool.warm(pool.load_analysis)

    async def close(self) -> None:
        """Finish the changes that have begun, and end all subscribers."""
        await self.tasks.cancel_repeated()
        self.changes.close()
        self.scheduler.close()
        for loaded in self.cache.tables.values():
            for subscriber in loaded.subscribers:
                subscriber.end()
        await self.tasks.finish()
        await self.outages.close()
        await asyncio.gather(self.players.close(), self.pool.close())
        await self.store.close()

    # --- Tables -----------------------------------------------------------------------------------

    async def create(self, identity: str, setup: Setup, *, name: str = "", seats: Sequence[tuple[int, str]] = ()) -> TableKeys:
        """Create a table.

        The identity sits down as `name` on the first open seat, or on all of `seats` with their
        names if several people share a device. Raises `HostingError` (`too-many-tables`),
        `TableError` as `handlers.open_table`, and `StoreError`.
        """
        table = token_hex(10)
        if name and not seats:
            seats = [(seat, name) for seat, held in enumerate(setup.seats) if held.kind is Occupant.OPEN][:1]
        sitters = [handlers.Sitter(seat, called, identity) for seat, called in seats]
        now = self._clock()
        transition = handlers.open_table(table, setup, self.secret_of(table), sitters, now)
        first = first_append(table, transition, now, identity)
        # A client that closes its connection does not interrupt the creation.
        await asyncio.shield(self.tasks.spawn(self._create(table, first, identity)))
        return self.keys_of(table)

    async def _create(self, table: str, first: Append, identity: str) -> None:
        if not await self.store.create_table(first, identity, self.settings.tables):
            raise HostingError(HostingCode.TOO_MANY_TABLES, most=self.settings.tables)
        self.cache.get(table)
        self.tasks.spawn(self.scheduler.run_due(table))

    def secret_of(self, table: str) -> bytes:
        """Return the secret from which the dice of a table follow."""
        return fairness.secret_of(self.settings.host_key, table)

    def keys_of(self, table: str) -> TableKeys:
        """Return the keys of a table's links. They follow from the host key, so no database holds
        them."""
        return TableKeys(table, self._key("join", table), self._key("watch", table))

    async def keys_for(self, table: str, identity: str | None) -> TableKeys:
        """Return the keys of a table's links for a person who sits there.

        Raises `TableError` (`not-your-seat`) for a person whom a computer replaced, `HostingError`
        (`no-such-table`) for everyone else, and `StoreError`.
        """
        state = await self._visible_state(table, identity, None)
        if not may_invite(state, identity):
            raise TableError(TableCode.NOT_YOUR_SEAT, text=None)
        return self.keys_of(table)

    async def next_keys(self, table: str, identity: str | None, key: str | None = None) -> TableKeys:
        """Return the keys of the next table: the next game of a match, or a rematch.

        Raises as `look`, and `HostingError` (`no-such-table`) if there is no next table.
        """
        state = await self._visible_state(table, identity, key)
        if state.next is None:
            raise HostingError(HostingCode.NO_SUCH_TABLE)
        return self.keys_of(state.next)

    async def send(
        self, table: str, identity: str, command: Command, *, version: int, command_id: str, key: str | None = None
    ) -> int:
        """Handle a command and return the number of its last event, also if it was sent before.

        `key` is the key of the link to join, for people without a seat. Raises `DicecupError`. Then
        nothing was saved, except possibly with `storage-down`; the client sends the command again
        to find out.
        """
        if not 1 <= len(command_id) <= LONGEST_COMMAND_ID or not command_id.isprintable():
            raise TableError(TableCode.NOT_A_COMMAND, text="command_id", why="length")
        secret = self.secret_of(table)
        may_sit = self._opens(table, key, "join")

        def handler(state: TableState, now: float) -> Transition:
            """Handle the command for the seats of the identity.

            An identity without a seat may only sit, and only with the key to join. Raises
            `TableError`.
            """
            actor = handlers.Actor(identity, state.seats_of(identity))
            if not actor.seats and not (may_sit and isinstance(command, Sit)):
                raise TableError(TableCode.NOT_YOUR_SEAT, text=getattr(command, "seat", None))
            self.presence.seen(table, identity, now)
            offline = self.presence.offline(table, people_of(state), now)
            return handlers.handle(state, actor, command, now, secret, offline)

        return await self.changes.change(self.cache.get(table), handler, CommandKey(identity, command_id), version)

    async def look(self, table: str, identity: str | None, key: str | None = None) -> PublishedUpdate:
        """Return an update with the whole view of a table.

        `key` is the key of either link, for people without a seat. Raises `HostingError`
        (`no-such-table`), also for people who may not see the table, and `StoreError`.
        """
        state = await self._visible_state(table, identity, key)
        if identity is not None and state.seats_of(identity):
            self.presence.seen(table, identity, self._clock())  # a client that polls is online
        return self.publisher.snapshot(state, identity)

    @asynccontextmanager
    async def subscribe(
        self, table: str, identity: str | None, key: str | None = None, since: int | None = None
    ) -> AsyncIterator[AsyncIterator[PublishedUpdate]]:
        """Subscribe to a table until the end of the block or until the host closes.

        The first update has the whole view, and the events after number `since` if it is given.
        Raises as `look`; the iteration raises `HostingError` (`too-slow`, `no-such-table`).
        """
        await self._visible_state(table, identity, key)
        loaded = self.cache.get(table)
        subscriber = Subscriber(identity)
        await self._add(loaded, subscriber, since)
        self._publish_presence(loaded)
        try:
            yield subscriber.updates()
        finally:
            loaded.subscribers.discard(subscriber)
            if identity is not None:
                self.presence.disconnected(table, identity, self._clock())

    async def _add(self, loaded: LoadedTable, subscriber: Subscriber, since: int | None) -> None:
        """Add a subscriber and send the first update, under the lock, so that no event is lost or
        sent twice."""
        async with loaded.lock:
            state = await self.cache.load(loaded)
            rows = await self.store.events(loaded.table, since) if since is not None and 0 <= since < state.number else []
            events = tuple(event_json(event_of_row(row)) for row in rows if row.number <= state.number)
            loaded.subscribers.add(subscriber)
            if subscriber.identity is not None:
                self.presence.connected(loaded.table, subscriber.identity)
            subscriber.put(self.publisher.snapshot(state, subscriber.identity, events))

    async def _visible_state(self, table: str, identity: str | None, key: str | None) -> TableState:
        """Return the state of a table that a person may see. Raises as `look`."""
        state = await self.cache.state_of(table)
        if may_watch(state, identity) or self._opens(table, key, "join") or self._opens(table, key, "watch"):
            return state
        raise HostingError(HostingCode.NO_SUCH_TABLE)

    def _key(self, purpose: str, table: str) -> str:
        return hmac.digest(derived_key(self.settings.host_key, purpose), table.encode(), "sha256").hex()[:KEY_LENGTH]

    def _opens(self, table: str, key: str | None, purpose: str) -> bool:
        return key is not None and hmac.compare_digest(key.encode(), self._key(purpose, table).encode())

    # --- Lists, records and statistics ------------------------------------------------------------

    async def tables_of(self, identity: str) -> list[TableSummary]:
        """Return the newest tables at which an identity sits. Raises `StoreError`."""
        return [_summary(digest) for digest in await self.store.tables_of(identity)]

    async def outcomes_of(self, identity: str) -> dict[tuple[str, str], int]:
        """Return the number of finished games of an identity by game id and outcome. Raises
        `StoreError`."""
        return await self.store.outcomes_of(identity)

    async def record(self, table: str, identity: str | None, key: str | None = None) -> str:
        """Return the record of a table as a text, after the end with the secret of the dice. Raises
        as `look`."""
        return record_of(await self._visible_state(table, identity, key)).to_text()

    async def helps(self, identity: str | None, positions: frozenset[Position]) -> bool:
        """Return whether an analysis of one of these positions would help in a running game against
        people.

        All running games of the identity are checked, and those games of other people that this
        process has loaded; see `table.assistance`. Raises `StoreError`.
        """
        states = [loaded.state for loaded in self.cache.tables.values() if loaded.state is not None]
        if any(assistance.helps_any(state, positions, sits=bool(state.seats_of(identity))) for state in states):
            return True
        own = [] if identity is None else await self.store.tables_of(identity)
        for table in (digest.table for digest in own if digest.state == "running"):
            if assistance.helps_any(await self.cache.state_of(table), positions, sits=True):
                return True
        return False

    async def dice_statistics(self) -> tuple[int, DiceSummary]:
        """Return the number of finished games and the statistics of the server's dice in them.
        Raises `StoreError`."""
        games, faces = await self.store.faces()
        return games, dice_statistics.dice_statistics(faces)

    def gauges(self) -> dict[str, int]:
        """Return the gauges of this process for Prometheus, by the end of their names.

        Tables in the cache, loaded states, subscribers, and how many more jobs each pool accepts.
        """
        tables = self.cache.tables.values()
        return {
            "tables": len(tables),
            "stories": sum(loaded.state is not None for loaded in tables),
            "followers": sum(len(loaded.subscribers) for loaded in tables),
            "room": self.pool.room,
            "room_for_moves": self.players.room,
        }

    # --- Background -------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Exchange presence with other workers, publish it, evict idle tables and run due timers.
        Raises `StoreError`."""
        await self.outages.heartbeat()
        if (gap := self.outages.gap) is not self._published_gap:
            self._published_gap = gap
            self.tasks.spawn(self._publish_gap())
        now = self._clock()
        subscribed = [loaded.table for loaded in self.cache.tables.values() if loaded.subscribers]
        if self.store.shared:
            await self.store.save_presence(self.presence.online(), now)
            if subscribed:
                self.presence.merge(await self.store.last_seen(subscribed))
            await self.store.delete_presence(now - PRESENCE_KEPT)
        self.publish_presence()
        self.cache.evict_idle()
        due = [self.tasks.spawn(self.scheduler.run_due(table)) for table in await self.store.due(now)]
        await asyncio.gather(*due, return_exceptions=True)

    def publish_presence(self) -> None:
        """Publish the views of tables at which a person came online or went offline."""
        for loaded in list(self.cache.tables.values()):
            self._publish_presence(loaded)

    def _publish_presence(self, loaded: LoadedTable) -> None:
        offline = frozenset(self.presence.offline(loaded.table, loaded.people, self._clock()))
        if loaded.subscribers and offline != loaded.offline:
            loaded.offline = offline
            self.tasks.spawn(self.cache.refresh(loaded))

    def _state_changed(self, loaded: LoadedTable) -> None:
        self.scheduler.schedule(loaded)

    def _next_table_created(self, state: TableState) -> None:
        """Treat the people of a finished table as online at its next table, and start its timer."""
        assert state.next is not None
        for identity in people_of(state).values():
            self.presence.seen(state.next, identity, state.time)
        self.tasks.spawn(self.scheduler.run_due(state.next))

    async def _publish_gap(self) -> None:
        """Save and publish the time that an outage gives back, at every table with a clock. Raises
        `StoreError`."""
        for row in await self.store.first_events():
            if json.loads(row.body).get("setup", {}).get("clock") is not None:
                await self.scheduler.run_due(row.table)


def _summary(digest: Digest) -> TableSummary:
    assert digest.seats is not None
    (own,) = digest.seats
    summary = json.loads(digest.summary)
    return TableSummary(digest.table, digest.game, digest.state, digest.created, own.outcome, own.seats, summary)
