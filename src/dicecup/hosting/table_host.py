"""The tables of a server: create a table, act at it, look at it, subscribe to it.

Every published update was saved before. A command is handled once, however often it is sent: its id
is unique among the commands of its identity at this table. It names the `version`, the number of
the state that the client saw.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from secrets import token_hex
from typing import Final, Self

from dicecup.core.game import Position
from dicecup.hosting import dice_statistics, warming
from dicecup.hosting.announcing import Announcements
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.block_list import BlockList
from dicecup.hosting.competition import rater
from dicecup.hosting.credentials import Credentials
from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.dice_statistics import DiceSummary
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_reader import EventReader
from dicecup.hosting.event_rows import CommandKey, first_append
from dicecup.hosting.invalidations import Invalidations
from dicecup.hosting.kernels import Kernels
from dicecup.hosting.key_of_database import with_checked_key
from dicecup.hosting.link_keys import TableKeys, keys_of, opens
from dicecup.hosting.loaded_tables import LoadedTable, TableCache
from dicecup.hosting.lobby.lobby import Lobby
from dicecup.hosting.lobby.tables import LobbyTables
from dicecup.hosting.outages import INTERVAL as HEARTBEAT_INTERVAL
from dicecup.hosting.outages import OutageMonitor
from dicecup.hosting.own_games import OwnGames
from dicecup.hosting.people.accounts import check_account
from dicecup.hosting.people.notices import TableNotices
from dicecup.hosting.people.recipients import Recipients
from dicecup.hosting.pool import Pool
from dicecup.hosting.presence import Presence, people_of
from dicecup.hosting.publisher import Publisher, event_json
from dicecup.hosting.quotas import Budget
from dicecup.hosting.refreshed import REFRESH_INTERVAL
from dicecup.hosting.rollbacks import RollbackMonitor
from dicecup.hosting.scheduled_backups import CHECK_INTERVAL, ScheduledBackups
from dicecup.hosting.scheduler import Scheduler
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Append, Store, heartbeats
from dicecup.hosting.store.notifications import CHANNELS_CHANGED, CREDENTIALS_ENDED
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.subscribers import Deliver, PublishedUpdate, Subscriber
from dicecup.hosting.table_changes import TableChanges
from dicecup.hosting.table_summary import TableSummary, summary_of
from dicecup.hosting.timeline import begin_first_timeline, begin_timeline_if_restored
from dicecup.table import assistance, fairness, handlers
from dicecup.table.clock import Gap
from dicecup.table.commands import Claim, Command, FreeSeat, Sit, TalkCommand
from dicecup.table.errors import TableCode, TableError
from dicecup.table.permissions import GRACE, may_invite, may_watch, newcomer_refusal
from dicecup.table.setup import Occupant, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.transition import Transition

SWEEP_INTERVAL: Final = 5.0
"""Seconds between two sweeps, which publish presence, run due timers and evict idle tables."""
LONGEST_COMMAND_ID: Final = 64
"""Characters."""
PRESENCE_KEPT: Final = 3600.0
"""Seconds for which presence is kept in the database."""


class TableHost:
    """The tables of a server. Create it with `open` and end it with `close`.

    Computers decide in the processes of `players`. A process of `readers` reads what is long: large
    requests, records and positions. All other computations run in the processes of `pool`.
    """

    def __init__(self, settings: Settings, store: Store, clock: ServerClock) -> None:
        self.settings = settings
        self.store = store
        self.players = Pool(settings.processes, settings.waiting)
        self.pool = Pool(
            settings.processes,
            settings.waiting,
            waiting_of_address=settings.waiting_of_address,
            seconds=settings.seconds,
            low_priority=True,
        )
        self.readers = Pool(
            1, settings.waiting, waiting_of_address=settings.waiting_of_address, seconds=settings.reading_seconds
        )
        self.reader = EventReader(self.readers)
        self.tasks = BackgroundTasks()
        self.presence = Presence(clock())
        self.outages = OutageMonitor(store, clock, self._hold, settings.silence)
        self.blocks = BlockList(store, clock)
        self.announcements = Announcements(store, clock)
        self.backups = ScheduledBackups(settings, clock)
        self.publisher = Publisher(self.presence, clock)
        self.cache = TableCache(store, self.reader, self.publisher, self._state_changed)
        self.credentials = Credentials(
            store, self.tasks, clock, lambda identity: self.invalidations.announce(identity, CREDENTIALS_ENDED)
        )
        self.recipients = Recipients(store, lambda identity: self.invalidations.announce(identity, CHANNELS_CHANGED))
        self.invalidations = Invalidations(store, self.cache, self.tasks, self.credentials.recheck, self.recipients.read)
        self.rollbacks = RollbackMonitor(store, self.cache, settings, clock, self.outages)
        self.changes = TableChanges(
            store,
            self.cache,
            self.publisher,
            self.outages,
            self.invalidations,
            self.rollbacks,
            TableNotices(self.recipients),
            self.tasks,
            clock,
            settings.host_key,
            self._next_table_created,
        )
        self.kernels = Kernels()
        self.scheduler = Scheduler(
            self.cache, self.changes, self.players, self.kernels, self.tasks, clock, settings.host_key, self.outages
        )
        self.own_games = OwnGames(store, self.pool, self.tasks.spawn)
        self.lobby = Lobby(store, settings.host_key, self._tables_of_lobby(clock), self.tasks, clock, self.invalidations)
        self.changes.on_seated.append(self.lobby.seated)
        self.clock = clock

    @classmethod
    async def open(cls, settings: Settings, clock: ServerClock | None = None) -> Self:
        """Migrate the database, check its host key, save a first heartbeat and start the background
        tasks. Raises `StoreError` and `HostKeyError`."""
        store = await Store.open(settings.database)
        clock = clock or ServerClock()
        try:
            settings = await with_checked_key(store, settings)
            if (last := await heartbeats.heartbeat(store)) is not None:
                clock.not_before(last.time)
            await begin_timeline_if_restored(store, settings, clock())
            host = cls(settings, store, clock)
            await host.outages.begin()
            await begin_first_timeline(store)
            await host.rollbacks.timeline.read()
        except BaseException:
            await store.close()
            raise
        host.invalidations.start()
        host.lobby.start()
        host.tasks.repeat(host.outages.heartbeat, HEARTBEAT_INTERVAL)
        host.tasks.repeat(host.sweep, SWEEP_INTERVAL)
        host.tasks.repeat(rater.Rater(store, host.own_games.review).run, rater.INTERVAL)
        for refreshed in (host.blocks, host.credentials.bans, host.announcements):
            await refreshed.refresh()
            host.tasks.repeat(refreshed.refresh, REFRESH_INTERVAL)
        host.tasks.repeat(host.backups.run_if_due, CHECK_INTERVAL)
        return host

    def warm(self) -> asyncio.Task[None]:
        """Start to compile kernels and to load in the processes of the pools what they need."""
        return warming.start(self.kernels, self.players, self.readers, self.pool, self.tasks)

    async def close(self) -> None:
        """Finish the changes that have begun, and end all subscribers."""
        await self.tasks.cancel_repeated()
        self.changes.close()
        self.scheduler.close()
        self.lobby.close()
        for loaded in self.cache.tables.values():
            for subscriber in loaded.subscribers:
                subscriber.end()
        await self.tasks.finish()
        await self.outages.close()
        with suppress(StoreError):
            await self.rollbacks.timeline.advance()
        await asyncio.gather(self.players.close(), self.readers.close(), self.pool.close())
        await self.store.close()

    def _tables_of_lobby(self, clock: ServerClock) -> LobbyTables:
        return LobbyTables(self.cache, self.changes, self.presence, clock, self.settings.host_key, self.read_presence)

    # --- Tables -----------------------------------------------------------------------------------

    async def create(self, identity: str, setup: Setup, *, name: str = "", seats: Sequence[tuple[int, str]] = ()) -> TableKeys:
        """Create a table.

        The identity sits down as `name` on the first open seat, or on all of `seats` with their
        names if several share a device. Raises `HostingError` (`too-many-tables`), and as
        `check_account` and `handlers.open_table`.
        """
        await check_account(self.store, self.settings, identity, rated=setup.rated)
        table = token_hex(10)
        if name and not seats:
            seats = [(seat, name) for seat, held in enumerate(setup.seats) if held.kind is Occupant.OPEN][:1]
        sitters = [handlers.Sitter(seat, called, identity) for seat, called in seats]
        now = self.clock()
        transition = handlers.open_table(table, setup, self.secret_of(table), sitters, now)
        first = first_append(table, transition, now, identity)
        # A client that closes its connection does not interrupt the creation.
        await asyncio.shield(self.tasks.spawn(self._create(table, first, identity)))
        return self._keys(transition.state)

    async def _create(self, table: str, first: Append, identity: str) -> None:
        if not await self.store.create_table(first, identity, self.settings.tables):
            raise HostingError(HostingCode.TOO_MANY_TABLES, most=self.settings.tables)
        self.cache.get(table)
        self.tasks.spawn(self.scheduler.run_due(table))

    def secret_of(self, table: str) -> bytes:
        """Return the secret from which the dice of a new table follow."""
        return fairness.secret_of(self.settings.host_key, table)

    async def keys_for(self, table: str, identity: str | None) -> TableKeys:
        """Return the keys of a table's links for a person who sits there.

        Raises `TableError` (`not-your-seat`) for a person whom a computer replaced, `HostingError`
        (`no-such-table`) for everyone else, and `StoreError`.
        """
        state = await self.visible_state(table, identity, None)
        if not may_invite(state, identity):
            raise TableError(TableCode.NOT_YOUR_SEAT, text=None)
        return self._keys(state)

    async def next_keys(self, table: str, identity: str | None, key: str | None = None) -> TableKeys:
        """Return the keys of the next table: the next game of a match, or a rematch.

        Raises as `look`, and `HostingError` (`no-such-table`) if there is no next table.
        """
        state = await self.visible_state(table, identity, key)
        if state.next is None:
            raise HostingError(HostingCode.NO_SUCH_TABLE)
        return self._keys(await self.cache.state_of(state.next))

    async def send(
        self,
        table: str,
        identity: str,
        command: Command,
        *,
        version: int,
        command_id: str,
        key: str | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Handle a command and return the number of its last event, also if it was sent before.

        `key` is the key of the link to join, for people without a seat. `budget` counts the command
        if it stores something; `None` for no limit. Raises `DicecupError`. Then nothing was saved,
        except possibly with `storage-down`; the client sends the command again to find out.
        """
        if not 1 <= len(command_id) <= LONGEST_COMMAND_ID or not command_id.isprintable():
            raise TableError(TableCode.NOT_A_COMMAND, text="command_id", why="length")

        def handler(state: TableState, now: float) -> Transition:
            """Handle the command for the seats of the identity.

            An identity without a seat may only sit, and only with the key to join. Raises
            `TableError`.
            """
            actor = handlers.Actor(identity, state.seats_of(identity))
            if not actor.seats and not (isinstance(command, Sit) and opens(self._keys(state), key, join=True)):
                raise TableError(TableCode.NOT_YOUR_SEAT, text=getattr(command, "seat", None))
            self.presence.seen(table, identity, now)
            offline = self.presence.offline(table, people_of(state), now)
            secret, earlier = secret_of(host_key, state), earlier_secrets(host_key, state)
            transition = handlers.handle(state, actor, command, now, secret, offline, earlier=earlier)
            if budget is not None and transition.events:
                budget.check()
            return transition

        if isinstance(command, Sit):
            await check_account(self.store, self.settings, identity, rated=(await self.cache.state_of(table)).setup.rated)
        host_key, loaded = self.settings.host_key, self.cache.get(table)
        await self.changes.note_seen(loaded, identity, version)
        if isinstance(command, Claim | FreeSeat):
            await self.read_presence([table])  # the person may be connected to another worker
        meant_for = None if isinstance(command, TalkCommand) else version
        return await self.changes.change(loaded, handler, CommandKey(identity, command_id), meant_for, budget and budget.spend)

    async def look(self, table: str, identity: str | None, key: str | None = None) -> PublishedUpdate:
        """Return an update with the whole view of a table.

        `key` is the key of either link, for people without a seat. Raises `HostingError`
        (`no-such-table`), also for people who may not see the table, and `StoreError`.
        """
        state = await self.visible_state(table, identity, key)
        if identity is not None and state.seats_of(identity):
            self.presence.seen(table, identity, self.clock())  # a client that polls is online
        return self.publisher.snapshot(state, identity)

    @asynccontextmanager
    async def subscribe(
        self, table: str, identity: str | None, key: str | None = None, since: int | None = None, deliver: Deliver | None = None
    ) -> AsyncIterator[AsyncIterator[PublishedUpdate]]:
        """Subscribe to a table until the end of the block or until the host closes.

        The first update has the whole view, and the events after number `since` if it is given.
        Updates that `deliver` sends are not in the iteration.
        Raises as `look`; the iteration raises `HostingError` (`too-slow`, `no-such-table`).
        """
        await self.visible_state(table, identity, key)
        loaded = self.cache.get(table)
        if await self.changes.note_seen(loaded, identity, since or 0):
            since = None  # the events of the client are not those of the log
        await self.read_presence([table])
        subscriber = Subscriber(identity, key, deliver)
        await self._add(loaded, subscriber, since)
        self._publish_presence(loaded)
        try:
            yield subscriber.updates()
        finally:
            loaded.subscribers.discard(subscriber)
            if identity is not None:
                self.presence.disconnected(table, identity, self.clock())

    async def _add(self, loaded: LoadedTable, subscriber: Subscriber, since: int | None) -> None:
        """Add a subscriber and send the first update, under the lock, so that no event is lost or
        sent twice."""
        async with loaded.lock:
            state = await self.cache.load(loaded)
            rows = await self.store.events(loaded.table, since) if since is not None and 0 <= since < state.number else []
            events = tuple(map(event_json, await self.reader.events([row for row in rows if row.number <= state.number])))
            loaded.subscribers.add(subscriber)
            if subscriber.identity is not None:
                self.presence.connected(loaded.table, subscriber.identity)
            subscriber.put(self.publisher.snapshot(state, subscriber.identity, events))

    async def visible_state(self, table: str, identity: str | None, key: str | None) -> TableState:
        """Return the state of a table that a person may see. Raises as `look`."""
        state = await self.cache.state_of(table)
        if (refusal := self._look_refusal(state, identity, key)) is not None:
            raise refusal
        return state

    def _look_refusal(self, state: TableState, identity: str | None, key: str | None) -> HostingError | TableError | None:
        """Return why a person with the key of a link may not see a table, `None` if they may."""
        if may_watch(state, identity):
            return None
        if not opens(self._keys(state), key):
            return HostingError(HostingCode.NO_SUCH_TABLE)
        closed = newcomer_refusal(state, ())
        return None if closed is None else TableError(closed)

    def _keys(self, state: TableState) -> TableKeys:
        return keys_of(self.settings.host_key, state.table, state.links)

    # --- Lists, records and statistics ------------------------------------------------------------

    async def tables_of(self, identity: str) -> list[TableSummary]:
        """Return the newest tables at which an identity sits. Raises `StoreError`."""
        return [summary_of(digest) for digest in await self.store.tables_of(identity)]

    async def record(self, table: str, identity: str | None, key: str | None = None) -> str:
        """Return the record of a table as a text, after the end with the secret of the dice. Raises
        as `look`."""
        return record_of(await self.visible_state(table, identity, key)).to_text()

    async def guarded_positions(self, identity: str | None) -> tuple[Position, ...]:
        """Return the positions of the running games of an identity against people. Raises
        `StoreError`.

        No analysis may help in them; see `table.assistance`.
        """
        if identity is None:
            return ()
        running = [digest.table for digest in await self.store.tables_of(identity) if digest.state == "running"]
        states = [await self.cache.state_of(table) for table in running]
        states += [loaded.state for loaded in self.cache.tables.values() if loaded.state is not None]
        return tuple({state.position for state in states if state.seats_of(identity) and assistance.is_guarded(state)})

    def is_played(self, asked: assistance.Fingerprints) -> bool:
        """Return whether one of these positions is that of a running game against people that this
        process has loaded."""
        states = (loaded.state for loaded in self.cache.tables.values())
        return any(
            state is not None and assistance.is_guarded(state) and assistance.helps_others(state.position, asked)
            for state in states
        )

    async def dice_statistics(self) -> tuple[int, DiceSummary]:
        """Return the number of finished games and the statistics of the server's dice in them.
        Raises `StoreError`."""
        games, faces = await self.store.faces()
        return games, dice_statistics.dice_statistics(faces)

    def gauges(self) -> dict[str, int]:
        """Return the gauges of this process for Prometheus, by the end of their names: those of the
        cache and of backups, how many more jobs each pool accepts, and how many analyses wait."""
        rooms = {"room": self.pool.room, "room_for_moves": self.players.room, "room_for_reading": self.readers.room}
        return self.cache.gauges() | rooms | {"waiting_analyses": self.pool.waiting} | self.backups.gauges()

    # --- Background -------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Exchange presence with other workers, publish it, evict idle tables and run due timers.
        Raises `StoreError`."""
        await self.outages.check()
        await self.rollbacks.check()
        await self.rollbacks.timeline.advance()
        now = self.clock()
        if self.store.shared:
            await self.store.save_presence(self.presence.online(), now)
            await self.read_presence([loaded.table for loaded in self.cache.tables.values() if loaded.subscribers])
            await self.store.delete_presence(now - PRESENCE_KEPT)
        self.publish_presence()
        self.cache.evict_idle()
        self.presence.forget_before(now - GRACE, self.cache.tables)
        await self.scheduler.run_all_due(await self.store.due(now))

    async def read_presence(self, tables: Iterable[str]) -> None:
        """Read when people were seen at these tables by other workers. Raises `StoreError`."""
        if self.store.shared:
            self.presence.merge(await self.store.last_seen(tables), self.outages.since)

    def publish_presence(self) -> None:
        """Publish the views of tables at which a person came online or went offline."""
        for loaded in list(self.cache.tables.values()):
            self._publish_presence(loaded)

    def _publish_presence(self, loaded: LoadedTable) -> None:
        offline = frozenset(self.presence.offline(loaded.table, loaded.people, self.clock()))
        if loaded.subscribers and offline != loaded.offline:
            loaded.offline = offline
            self.tasks.spawn(self.cache.refresh(loaded))

    def _state_changed(self, loaded: LoadedTable) -> None:
        self.scheduler.schedule(loaded)
        state = loaded.state
        if state is not None and (state.links or not state.admits):  # some may not look any more
            for subscriber in loaded.subscribers:
                if (refusal := self._look_refusal(state, subscriber.identity, subscriber.key)) is not None:
                    subscriber.end(refusal)

    def _next_table_created(self, state: TableState) -> None:
        """Treat the people of a finished table as online at its next one, and start its timer."""
        assert state.next is not None
        for identity in people_of(state).values():
            self.presence.seen(state.next, identity, state.time)
        self.tasks.spawn(self.scheduler.run_due(state.next))

    def _hold(self, gap: Gap) -> None:
        """Give the time of an outage back to people who were not seen, and to all loaded tables.

        A table that is loaded later gets it then.
        """
        self.presence.hold(gap)
        for loaded in list(self.cache.tables.values()):
            self.scheduler.schedule(loaded)
