"""All tables of a server, as whatever stands above reaches them: make one, act at it, look at it, follow it.

Whatever an `Update` tells was saved before. A command is done once, however often it is sent: `command_id` is the client's, unique
among its commands at this table. A command says in `version` which number of the table it saw.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from secrets import token_hex
from time import time
from typing import Any, Final, Self
from weakref import WeakValueDictionary

from dicecup.core.game import Position
from dicecup.hosting import dice_statistics, pool
from dicecup.hosting.dice_statistics import Statistics
from dicecup.hosting.digest import stored
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.keeper import Command as Saved
from dicecup.hosting.keeper import Keeper, shown_event
from dicecup.hosting.loaded import Follower, Live, Update
from dicecup.hosting.own_games import OwnGames
from dicecup.hosting.pool import Pool
from dicecup.hosting.presence import people_of
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Digest, Store
from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.hosting.store.hints import AGAIN, GONE, Lost
from dicecup.table import assistance as helping
from dicecup.table import handlers
from dicecup.table import table_record as pages
from dicecup.table.clock import Gap
from dicecup.table.commands import Command, Sit
from dicecup.table.errors import TableCode, TableError
from dicecup.table.setup import Occupant, Setup
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

LOG: Final = logging.getLogger(__name__)

SWEEP: Final = 5.0
"""Seconds between two rounds: who came and went, what is due at tables that nobody looks at, what can be forgotten."""
WARM_AFTER: Final = 5.0
"""Seconds after the start: people who come back to their tables go first."""
LONGEST_ID: Final = 64
"""Characters of a command's id."""
KEY: Final = 22
"""Characters of a link's secret: 88 bits of a hash."""
PRESENCE_KEPT: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Created:
    """A new table: its id, and the secrets of the two links: to sit down, or only to watch."""

    table: str
    join: str
    watch: str


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table among those of somebody. `state`: open, running or over; `created` in seconds since 1970; `outcome`: won, drawn, lost, or
    nothing yet; `summary` as `digest.summary` says it."""

    table: str
    game: str
    state: str
    created: float
    outcome: str | None
    summary: dict[str, Any]


class Hub:
    """Made with `open`, ended with `close`. `players`: where computers think; `pool`: for whatever else is to be computed."""

    def __init__(self, settings: Settings, store: Store, clock: Callable[[], float]) -> None:
        self.settings = settings
        self.store = store
        self.players = Pool(settings.processes, settings.waiting)
        self.pool = Pool(settings.processes, settings.waiting, patient=True)
        self.keeper = Keeper(store, self.players, settings.host_key, clock)
        self.own_games = OwnGames(store, self.pool, self.keeper.spawn)
        self.trouble = ""
        self._making: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._told: Gap | None = None
        self._loops: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, settings: Settings, clock: Callable[[], float] = time) -> Self:
        """Migrates the database, and begins to listen and to look after tables. Raises `StoreError`."""
        hub = cls(settings, await Store.open(settings.database), clock)
        loops = ((hub._listen, AGAIN), (hub._notify, AGAIN), (hub.sweep, SWEEP))
        hub._loops = [asyncio.create_task(hub._forever(work, pause)) for work, pause in loops]
        return hub

    def warm(self) -> asyncio.Task[None]:
        """Lets the processes load what they need before somebody waits for it, players first; nobody needs to wait for that."""
        self._loops.append(asyncio.create_task(self._warm()))
        return self._loops[-1]

    async def _warm(self) -> None:
        await asyncio.sleep(WARM_AFTER)
        await self.players.warm(pool.players)
        await self.pool.warm(pool.analysis)

    async def close(self) -> None:
        """What was begun is saved; every follower ends."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self.keeper.close()
        await self.keeper.outages.end()
        await asyncio.gather(self.players.close(), self.pool.close())
        await self.store.close()

    # --- Tables --------------------------------------------------------------------------------------------------------------

    async def create(self, identity: str, setup: Setup, *, name: str = "", seats: Sequence[tuple[int, str]] = ()) -> Created:
        """A new table. Whoever makes it sits down on its first open seat as `name`, or on all of `seats` with these names (one device
        for several people). Raises `HostingError` (`too-many-tables`, and as `handlers.open_table`) and `StoreError`."""
        created: Created = await asyncio.shield(self.keeper.spawn(self._create(identity, setup, name, seats)))
        return created

    async def _create(self, identity: str, setup: Setup, name: str, seats: Sequence[tuple[int, str]]) -> Created:
        """One after the other for each identity, so that those that come at once are counted too."""
        async with self._making.setdefault(identity, asyncio.Lock()):
            if await self.store.unfinished_of(identity) >= self.settings.tables:
                raise HostingError(HostingCode.TOO_MANY_TABLES, most=self.settings.tables)
            table = token_hex(10)
            if name and not seats:
                seats = [(seat, name) for seat, held in enumerate(setup.seats) if held.kind is Occupant.OPEN][:1]
            sitters = [handlers.Sitter(seat, called, identity) for seat, called in seats]
            now = self.keeper.now()
            transition = handlers.open_table(table, setup, self.keeper.secret(table), sitters, now)
            await self.keeper.begin(table, transition, now, identity)
            return self.links(table)

    def links(self, table: str) -> Created:
        """The secrets of a table's links. They follow from the host key, so that no database holds them."""
        return Created(table, self._key("join", table), self._key("watch", table))

    def _key(self, purpose: str, table: str) -> str:
        return hmac.digest(derived_key(self.settings.host_key, purpose), table.encode(), "sha256").hex()[:KEY]

    async def send(
        self, table: str, identity: str, command: Command, *, version: int, command_id: str, key: str | None = None
    ) -> int:
        """Does what somebody at the table wants, and answers the number of the last event that it made; the same again for an id that
        was there before. `key`: the secret of the link to sit down, for those who do not sit there yet.

        Raises `DicecupError`; then nothing was done, but for `storage-down`, where sending it again finds out."""
        if not 1 <= len(command_id) <= LONGEST_ID or not command_id.isprintable():
            raise TableError(TableCode.NOT_A_COMMAND, text="command_id", why="length")
        secret = self.keeper.secret(table)
        joins = self._opens(table, key, "join")

        def make(state: TableState, now: float) -> Transition:
            actor = handlers.Actor(identity, state.seats_of(identity))
            if not actor.seats and not (joins and isinstance(command, Sit)):
                raise TableError(TableCode.NOT_YOUR_SEAT, text=getattr(command, "seat", None))
            self.keeper.presence.acted(table, identity, now)
            away = self.keeper.presence.away(table, people_of(state), now)
            return handlers.handle(state, actor, command, now, secret, away)

        live = self.keeper.at(table)
        return await self.keeper.change(live, make, Saved(identity, command_id), version)

    async def look(self, table: str, identity: str | None, key: str | None = None) -> Update:
        """How the table stands. `key`: the secret of either link, for those who do not sit there. Raises `HostingError`
        (`no-such-table`, also for those who may not see it) and `StoreError`."""
        state = await self._seen(table, identity, key)
        if identity is not None and state.seats_of(identity):
            self.keeper.presence.acted(table, identity, self.keeper.now())  # whoever asks again and again is there
        return self.keeper.update(state, identity)

    @asynccontextmanager
    async def follow(
        self, table: str, identity: str | None, key: str | None = None, since: int | None = None
    ) -> AsyncIterator[AsyncIterator[Update]]:
        """First the events after number `since`, or none, with the whole state; then every change, until the hub closes. Raises as
        `look`, and in the middle `HostingError` (`too-slow`, `no-such-table`)."""
        await self._seen(table, identity, key)
        live = self.keeper.at(table)
        follower = Follower(identity)
        await self._begin(live, follower, since)
        self.keeper.tell_presence_at(live)
        try:
            yield follower.updates()
        finally:
            self.keeper.unfollow(live, follower)

    async def _begin(self, live: Live, follower: Follower, since: int | None) -> None:
        """Tells a follower how the table stands, after which it is told of every change."""
        async with live.lock:
            state = await self.keeper.fresh(live)
            events = await self.store.events(live.table, since) if since is not None and 0 <= since < state.number else []
            shown = tuple(shown_event(stored(row)) for row in events if row.number <= state.number)
            self.keeper.follow(live, follower)
            follower.tell(self.keeper.update(state, follower.identity, shown))

    async def _seen(self, table: str, identity: str | None, key: str | None) -> TableState:
        live = self.keeper.at(table)
        async with live.lock:
            state = await self.keeper.fresh(live)
        known = bool(state.seats_of(identity)) or identity in state.replaced
        if known or self._opens(table, key, "join") or self._opens(table, key, "watch"):
            return state
        raise HostingError(HostingCode.NO_SUCH_TABLE)

    def _opens(self, table: str, key: str | None, purpose: str) -> bool:
        return key is not None and hmac.compare_digest(key.encode(), self._key(purpose, table).encode())

    # --- Looking back --------------------------------------------------------------------------------------------------------

    async def tables_of(self, identity: str) -> list[TableSummary]:
        """The newest tables at which somebody sits."""
        return [_summary(digest) for digest in await self.store.tables_of(identity)]

    async def outcomes_of(self, identity: str) -> dict[tuple[str, str], int]:
        """How many of somebody's games ended how: by game id and outcome (won, drawn, lost)."""
        return await self.store.outcomes_of(identity)

    async def record(self, table: str, identity: str | None, key: str | None = None) -> str:
        """The record as a text; the secret of the dice is in it once the game is over. Raises as `look`."""
        return pages.record_of(await self._seen(table, identity, key)).to_text()

    async def helps(self, identity: str | None, asked: frozenset[Position]) -> bool:
        """Whether an analysis of any of these would help somebody in a game against people that runs, as `helping.helps` says it; of other people's
        tables those are known that this process looks after. Raises `StoreError`."""
        known = [live.state for live in self.keeper.tables.values() if live.state is not None]
        if any(helping.helps_any(state, asked, sits=bool(state.seats_of(identity))) for state in known):
            return True
        mine = [] if identity is None else await self.store.tables_of(identity)
        for table in (digest.table for digest in mine if digest.state == "running"):
            live = self.keeper.at(table)
            async with live.lock:
                state = await self.keeper.fresh(live)
            if helping.helps_any(state, asked, sits=True):
                return True
        return False

    async def dice_statistics(self) -> tuple[int, Statistics]:
        """How many games are over, and what the server's dice showed in them."""
        games, faces = await self.store.faces()
        return games, dice_statistics.dice_statistics(faces)

    def gauges(self) -> dict[str, int]:
        """What goes on in this process: tables that are looked after, states in memory, followers, room for analyses and for moves of
        computers."""
        tables = self.keeper.tables.values()
        return {
            "tables": len(tables),
            "states": sum(live.state is not None for live in tables),
            "followers": sum(len(live.followers) for live in tables),
            "room": self.pool.room,
            "room_for_moves": self.players.room,
        }

    # --- In the background ---------------------------------------------------------------------------------------------------

    async def _forever(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        """Again and again, whatever happens."""
        while True:
            try:
                await work()
            except (StoreError, Lost):
                pass  # those who wait for the database are told elsewhere
            except Exception:
                LOG.exception("background work failed")
            await asyncio.sleep(pause)

    async def _listen(self) -> None:
        """Hears of what other processes write; where the database is gone, says so to everybody. Raises `Lost`."""
        try:
            async with aclosing(self.store.hints()) as hints:
                async for hint in hints:
                    if hint is None:
                        await self._catch_up_all()
                    elif hint[1] == GONE:
                        self.keeper.gone(hint[0])
                    elif (live := self.keeper.tables.get(hint[0])) is not None and live.number < hint[1]:
                        self.keeper.spawn(self.keeper.hear(live))
        except Exception:
            if not self.trouble:
                self.trouble = StoreCode.DOWN
                self.keeper.tell_trouble(self.trouble)
            raise

    async def _catch_up_all(self) -> None:
        """Anything may have changed. Raises `StoreError`."""
        numbers = {live.table: live.number for live in self.keeper.tables.values()}
        newest = await self.store.newest(numbers)
        for table, number in numbers.items():
            live = self.keeper.tables.get(table)
            if number and table not in newest:
                self.keeper.gone(table)
            elif live is not None and live.number < newest.get(table, 0):
                self.keeper.spawn(self.keeper.hear(live))
        if self.trouble:
            self.trouble = ""
            self.keeper.tell_recovered()

    async def _notify(self) -> None:
        """Tells other workers; what could not be told they find out by themselves. Raises `StoreError`."""
        while True:
            await self.keeper.hinted.wait()
            self.keeper.hinted.clear()
            hints = dict(self.keeper.hints)
            self.keeper.hints.clear()
            await self.store.notify(hints)

    async def sweep(self) -> None:
        """One round. Raises `StoreError`."""
        await self.keeper.outages.sign()
        if (gap := self.keeper.outages.gap) is not self._told:
            self._told = gap
            self.keeper.spawn(self._tell_gap())
        now = self.keeper.now()
        followed = [live.table for live in self.keeper.tables.values() if live.followers]
        if self.store.shared:
            await self.store.saw(self.keeper.presence.here(), now)
            if followed:
                self.keeper.presence.heard(await self.store.seen(followed))
            await self.store.forget_presence(now - PRESENCE_KEPT)
        self.keeper.tell_presence()
        self.keeper.forget()
        due = [self.keeper.spawn(self.keeper.look_after(table)) for table in await self.store.due(now)]
        await asyncio.gather(*due, return_exceptions=True)

    async def _tell_gap(self) -> None:
        """Wherever a clock runs, people see at once what a gap left them. Raises `StoreError`."""
        for row in await self.store.beginnings():
            if json.loads(row.body).get("setup", {}).get("clock") is not None:
                await self.keeper.look_after(row.table)


def _summary(digest: Digest) -> TableSummary:
    outcome = digest.seats[0][1] if digest.seats else None
    return TableSummary(digest.table, digest.game, digest.state, digest.created, outcome, json.loads(digest.summary))
