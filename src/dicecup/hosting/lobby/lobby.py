"""The lobby of one worker: the people who are connected to it, and what is done for them in the
background.

The board and the queue are in the database. A worker reads the board while a visitor looks at it,
and tells the other workers whose seek it has changed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from secrets import token_hex
from typing import Final

from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.invalidations import Invalidations
from dicecup.hosting.lobby.acquaintances import invitations_of
from dicecup.hosting.lobby.board import Board, open_tables, present
from dicecup.hosting.lobby.pairing import WAITING, Seek
from dicecup.hosting.lobby.person_blocks import blocks_among, hidden_from
from dicecup.hosting.lobby.seeks import Beat, Changes, Seeks, Wanted
from dicecup.hosting.lobby.tables import LobbyTables
from dicecup.hosting.lobby.visitor import OFFER_AFTER, Visitor
from dicecup.hosting.people.accounts import handles_of
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.table import fairness
from dicecup.table.codec import to_text
from dicecup.table.names import check_name
from dicecup.table.setup import Clock, SeatSetup, Setup

TICK: Final = 1.0
"""Seconds between two looks at what is due for people of this worker who wait."""
BEAT: Final = 4.0
"""Seconds between two signs of life of a worker with people in the lobby."""
REFRESH: Final = 2.0
"""Seconds between two readings of the board."""
GONE_AFTER: Final = 6.0
"""Seconds without a connection after which a person leaves the queue."""
MOST_PLACED: Final = 32
"""Requests that share a transaction."""
MOST_READ: Final = 500
"""People whose seeks one query reads."""


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """A request for an opponent, and the future of its seek."""

    wanted: Wanted
    done: asyncio.Future[Seek]


class Lobby:
    """The lobby of one worker."""

    def __init__(
        self,
        store: Store,
        host_key: bytes,
        tables: LobbyTables,
        tasks: BackgroundTasks,
        clock: Callable[[], float],
        invalidations: Invalidations,
    ) -> None:
        self.worker = token_hex(8)
        self.visitors: dict[str | None, set[Visitor]] = {}
        self.board = Board(0, {})
        self._store = store
        self._host_key = host_key
        self._seeks = Seeks(store, partial(fairness.secret_of, host_key), blocks_among)
        self._tables = tables
        self._tasks = tasks
        self._clock = clock
        self._announce = invalidations.announce_lobby
        invalidations.on_lobby.append(self.notified)
        self._requests: list[_Request] = []
        self._asked = asyncio.Event()
        self._stale: set[str] = set()
        """Identities whose seeks and blocks have to be read again."""
        self._reading = False
        self._closed = False
        self._beaten = 0.0
        """When this worker gave its last sign of life, 0 while it has nobody in the lobby."""

    def start(self) -> None:
        """Begin to pair people and to read the board."""
        self._tasks.repeat(self._place, 0.0)
        self._tasks.repeat(self.tick, TICK)
        self._tasks.repeat(self.refresh, REFRESH)

    def close(self) -> None:
        """End all visits."""
        self._closed = True
        for visitor in self._all():
            visitor.end()

    @property
    def people(self) -> int:
        """Return how many people are connected to this worker. Each new browser counts."""
        strangers = self.visitors.get(None, ())
        return len(self.visitors) + max(0, len(strangers) - 1)

    # --- Visits -----------------------------------------------------------------------------------

    @asynccontextmanager
    async def visit(self, identity: str | None) -> AsyncIterator[Visitor]:
        """Add a connection to the lobby until the end of the block. Raises `StoreError`."""
        visitor = Visitor(identity, self._clock)
        of_identity = self.visitors.setdefault(identity, set())
        of_identity.add(visitor)
        try:
            if identity is not None:
                await self._read([identity])
            if not self._beaten:
                await self.tick()
                await self.refresh()
            yield visitor
        finally:
            of_identity.discard(visitor)
            if not of_identity and self.visitors.get(identity) is of_identity:
                del self.visitors[identity]
                if identity is not None and visitor.seek is not None and visitor.seek.state in WAITING:
                    asyncio.get_running_loop().call_later(GONE_AFTER, self._gone, identity)

    async def seek(self, identity: str, request: str, game: str, clock: Clock | None, name: str) -> Seek:
        """Look for an opponent and return the seek, once for each id of a request. A person with an
        account has its handle as name at the table.

        Raises `GameError`, `TableError` (`wrong-number-of-seats` for a game that two people cannot
        play, `not-a-name`, `hidden-in-name`) and `StoreError`.
        """
        setup = Setup(game, (SeatSetup(), SeatSetup()), clock=clock)
        check_name(name, ())
        done = asyncio.get_running_loop().create_future()
        wanted = Wanted(identity, request, setup.rules.id, None if clock is None else to_text(clock), name)
        self._requests.append(_Request(wanted, done))
        self._asked.set()
        found: Seek = await done
        return found

    async def cancel(self, identity: str) -> None:
        """Take a person out of the queue. Who is paired already stays paired. Raises
        `StoreError`."""
        self._tell(await self._seeks.end([identity], None, self._clock()))

    async def arrive(self, identity: str, table: str) -> None:
        """Note that a person has come to the table of a pair. Raises `StoreError`."""
        self._tell(await self._seeks.arrive(identity, table, self._clock()))

    def notified(self, identity: str) -> None:
        """Read again what another worker has changed for an identity, or for all if it is empty."""
        concerned = {identity} if identity else {each for each in self.visitors if each is not None}
        self._stale |= concerned & self.visitors.keys()
        if self._stale and not self._reading:
            self._reading = True
            self._tasks.spawn(self._read_stale())

    def changed(self, identity: str) -> None:
        """Read again what has changed for an identity, at all workers."""
        self._announce(identity)
        self.notified(identity)

    # --- Background -------------------------------------------------------------------------------

    async def _place(self) -> None:
        """Place the requests that wait, all in one transaction. Raises `StoreError`."""
        await self._asked.wait()
        batch, self._requests = self._requests[:MOST_PLACED], self._requests[MOST_PLACED:]
        if not self._requests:
            self._asked.clear()
        try:
            handles = await handles_of(self._store, [each.wanted.identity for each in batch])
            named = [each.wanted._replace(name=handles.get(each.wanted.identity, each.wanted.name)) for each in batch]
            changes = await self._seeks.place(named, self._beat(), self._clock())
        except BaseException as error:
            failure = error if isinstance(error, Exception) else StoreError(StoreCode.DOWN)
            for each in batch:
                if not each.done.done():
                    each.done.set_exception(failure)
            raise
        self._apply(changes)
        for each in batch:
            if not each.done.done():
                each.done.set_result(changes.seeks[each.wanted.identity])

    async def tick(self) -> None:
        """Do what is due for people of this worker. A worker without anybody in the lobby does
        nothing. Raises `StoreError`."""
        now = self._clock()
        if not self.visitors:
            if self._beaten:
                self._beaten = 0.0
                await self._seeks.leave(self.worker)
            return
        sought = [visitor for visitor in self._all() if visitor.seek is not None and visitor.seek.is_open]
        if sought or now >= self._beaten + BEAT:
            self._apply(await self._seeks.tick(self._beat(), now))
        for visitor in sought:
            if visitor.seek is not None and visitor.seek.since + OFFER_AFTER <= now:
                visitor.wake()

    async def refresh(self) -> None:
        """Read the board, if a visitor looks at it. Raises `StoreError`."""
        if not self.visitors:
            return
        found = await open_tables(self._store, self._host_key)
        offline = await self._tables.offline({table: each.people for table, each in found.items()})
        listed = present(found, offline)
        board = Board(max(self.people, await self._seeks.people(self._clock())), listed)
        if board.message(self.board) is not None:
            self.board = board

    def _beat(self) -> Beat:
        self._beaten = self._clock()
        return Beat(self.worker, self.people, [identity for identity in self.visitors if identity is not None])

    def _apply(self, changes: Changes) -> None:
        """Tell people what a transaction has changed, and care for the tables of pairs."""
        people: dict[str, list[str]] = {}
        for seek in changes.made:
            assert seek.table is not None
            people.setdefault(seek.table, []).append(seek.identity)
        for table, identities in people.items():
            self._tables.paired(table, identities)
        for table in changes.closed:
            self._tasks.spawn(self._tables.close(table))
        self._tell(changes.seeks)

    def _tell(self, seeks: Mapping[str, Seek]) -> None:
        """Show seeks to the people of this worker, and notify the workers of the others."""
        for identity, seek in seeks.items():
            for visitor in self.visitors.get(identity, ()):
                visitor.set_seek(seek)
            if seek.worker != self.worker:
                self._announce(identity)
            elif seek.state in WAITING and identity not in self.visitors:
                asyncio.get_running_loop().call_later(GONE_AFTER, self._gone, identity)

    def _gone(self, identity: str) -> None:
        """End the seek of a person who has not come back."""
        if identity not in self.visitors and not self._closed:
            self._tasks.spawn(self._end(identity))

    async def _end(self, identity: str) -> None:
        self._tell(await self._seeks.end([identity], self.worker, self._clock()))

    async def _read_stale(self) -> None:
        """Read what has changed for people of this worker, again as long as there is more. Raises
        `StoreError`."""
        try:
            while self._stale:
                identities = {self._stale.pop() for _ in range(min(len(self._stale), MOST_READ))}
                await self._read(identities)
        finally:
            self._reading = False

    async def _read(self, identities: Iterable[str]) -> None:
        """Read the seeks of people of this worker, and whom they must not see. Raises
        `StoreError`."""
        listed = list(identities)
        seeks = await self._seeks.of(listed)
        with translated():
            async with self._store.engines.readers.connect() as connection:
                hidden = await hidden_from(connection, listed)
                invitations = await invitations_of(connection, self._host_key, listed, self._clock())
        for identity in listed:
            for visitor in self.visitors.get(identity, ()):
                visitor.hidden = hidden[identity]
                visitor.invitations = invitations.get(identity, [])
                visitor.set_seek(seeks.get(identity))
                visitor.wake()

    def _all(self) -> list[Visitor]:
        return [visitor for visitors in self.visitors.values() for visitor in visitors]
