"""The lobby of one worker: the people who are connected to it, and what is done for them in the
background.

The board and the queue are in the database. A worker reads the board while a visitor looks at it,
and tells the other workers whose seek it has changed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from secrets import token_hex
from typing import Any, Final

from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.invalidations import Invalidations
from dicecup.hosting.lobby.acquaintances import end_invitations, invitations_of, shown_among
from dicecup.hosting.lobby.board import Board, open_tables, present
from dicecup.hosting.lobby.pairing import WAITING, Seek, seek_from_json, seek_to_json
from dicecup.hosting.lobby.person_blocks import hidden_from
from dicecup.hosting.lobby.seeks import Arrival, Beat, Changes, Leave, Request, Seeks, Wanted, is_due, setup_of_two
from dicecup.hosting.lobby.tables import LobbyTables
from dicecup.hosting.lobby.visitor import OFFER_AFTER, Visitor
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.statements import padded
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.table import fairness
from dicecup.table.codec import to_text
from dicecup.table.names import check_name
from dicecup.table.setup import Clock
from dicecup.table.state import TableState

TICK: Final = 1.0
"""Seconds between two looks at what is due for people of this worker who wait."""
BEAT: Final = 4.0
"""Seconds between two signs of life of a worker with people in the lobby."""
REFRESH: Final = 2.0
"""Seconds between two readings of the board."""
SMALL_CHANGE: Final = 0.02
"""Change of the number of people in the lobby, as a share of it, below which the number is not sent
again. Up to 50 people every change is sent."""
SPREAD: Final = 1.5
"""Seconds over which the messages about a new board are spread."""
GONE_AFTER: Final = 6.0
"""Seconds without a connection after which a person leaves the queue."""
GATHER: Final = 0.2
"""Seconds after a transaction of requests in which the next ones are gathered. Who comes alone does
not wait."""
MOST_AT_ONCE: Final = 64
"""Requests that share a transaction."""
MOST_READ: Final = 500
"""People whose seeks one query reads."""


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A request of a person, and the future of the person's seek, `None` without one."""

    request: Request
    done: asyncio.Future[Seek | None]


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
        self._seeks = Seeks(store, partial(fairness.secret_of, host_key))
        self._tables = tables
        self._tasks = tasks
        self._clock = clock
        self._announce = invalidations.announce_lobby
        self._announce_seek = invalidations.announce_seek
        invalidations.on_lobby.append(self.notified)
        invalidations.on_seek.append(self.seek_notified)
        self._requests: list[_Waiting] = []
        self._asked = asyncio.Event()
        self._stale: set[str] = set()
        """Identities of which everything has to be read again."""
        self._reading = False
        self._reads = 0
        """How many reads about people of this worker have begun."""
        self._closed = False
        self._counted = 0, float("-inf")
        """The number of people in all lobbies, and when it was read."""
        self.on_change: list[Callable[[str], object]] = []
        """Functions that are called with an identity whose invitations or blocks have changed."""
        self._beaten = 0.0
        """When this worker gave its last sign of life, 0 while it has nobody in the lobby."""
        self._is_board_read = False
        """Whether the board was read since the first person came."""

    def start(self) -> None:
        """Begin to pair people and to read the board."""
        self._tasks.repeat(self._serve, GATHER)
        self._tasks.repeat(self.tick, TICK)
        self._tasks.repeat(self.refresh, REFRESH)

    def close(self) -> None:
        """End all visits, and refuse requests that nobody has handled yet."""
        self._closed = True
        for each in self._requests:
            if not each.done.done():
                each.done.set_exception(StoreError(StoreCode.DOWN))
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
            if not self._is_board_read:
                await self.refresh()
            yield visitor
        finally:
            of_identity.discard(visitor)
            if not of_identity and self.visitors.get(identity) is of_identity:
                del self.visitors[identity]
                if identity is not None and visitor.seek is not None and visitor.seek.state in WAITING:
                    asyncio.get_running_loop().call_later(GONE_AFTER, self._gone, identity)

    async def count_people(self) -> int:
        """Return how many people are in the lobbies of all workers. It is read every two seconds at
        most. Raises `StoreError`."""
        now = self._clock()
        if not 0 <= now - self._counted[1] < REFRESH:
            self._counted = await self._seeks.people(now), now
        return max(self.people, self._counted[0])

    async def invitations_of(self, identity: str) -> Sequence[Mapping[str, Any]]:
        """Return the invitations that a person has now, as JSON. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                found = await invitations_of(connection, self._host_key, [identity], self._clock())
        return found.get(identity, ())

    async def seek(
        self, identity: str, request: str, game: str, clock: Clock | None, name: str, *, rated: bool = False
    ) -> Seek:
        """Look for an opponent and return the seek, once for each id of a request. A person with an
        account has its handle as name at the table.

        Raises `GameError`, `TableError` (`wrong-number-of-seats` for a game that two people cannot
        play, `not-a-name`, `hidden-in-name`) and `StoreError`.
        """
        setup = setup_of_two(game, clock, rated=rated)
        check_name(name, ())
        clock_text = None if clock is None else to_text(clock)
        found = await self._ask(Wanted(identity, request, setup.rules.id, clock_text, name, self.worker, rated))
        assert found is not None
        return found

    def has_request(self, identity: str, request: str) -> bool:
        """Return whether this is the id of the request that a person who is here has now."""
        visitors = self.visitors.get(identity, ())
        return any(each.seek is not None and each.seek.is_open and each.seek.request == request for each in visitors)

    async def cancel(self, identity: str) -> None:
        """Take a person out of the queue. Who is paired already stays paired. Raises
        `StoreError`."""
        await self._ask(Leave(identity))

    def seated(self, state: TableState) -> None:
        """End the requests of the people at a table, unless there is one person only: a later pair
        would take them away from their game. At a full table end the invitations, too."""
        identities = {identity for seat in state.people if (identity := state.seats[seat].identity) is not None}
        if len(identities) > 1 and not self._closed:
            self._tasks.spawn(self._cancel_waiting(identities))
        if state.is_full and not self._closed:
            self._tasks.spawn(self._end_invitations(state.table))

    async def _end_invitations(self, table: str) -> None:
        for identity in await end_invitations(self._store, table, self._clock()):
            self.changed(identity)

    async def _cancel_waiting(self, identities: Iterable[str]) -> None:
        for identity, seek in (await self._seeks.of(identities)).items():
            if seek.state in WAITING:
                await self.cancel(identity)

    async def arrive(self, identity: str, table: str) -> None:
        """Note that a person has come to the table of a pair. Raises `StoreError`."""
        await self._ask(Arrival(identity, table))

    async def _ask(self, request: Request) -> Seek | None:
        """Handle a request of a person and return the person's seek. Raises `StoreError`."""
        if self._closed:
            raise StoreError(StoreCode.DOWN)
        done: asyncio.Future[Seek | None] = asyncio.get_running_loop().create_future()
        self._requests.append(_Waiting(request, done))
        self._asked.set()
        return await done

    def notified(self, identity: str) -> None:
        """Read again what another worker has changed for an identity, or for all if it is empty."""
        concerned = {identity} if identity else {each for each in self.visitors if each is not None}
        if identity:
            for call in self.on_change:
                call(identity)
        self._read_again(concerned)

    def seek_notified(self, identity: str, text: str) -> None:
        """Show a seek that another worker has changed, from the text that it sent."""
        if (seek := seek_from_json(text)) is not None:
            self._show({identity: seek})
        else:
            self._read_again({identity})

    def _read_again(self, identities: set[str]) -> None:
        """Read everything again about those of these people who are at this worker."""
        self._stale |= identities & self.visitors.keys()
        if self._stale and not self._reading:
            self._reading = True
            self._tasks.spawn(self._read_stale())

    def changed(self, identity: str) -> None:
        """Read again what has changed for an identity, at all workers."""
        self._announce(identity)
        self.notified(identity)

    # --- Background -------------------------------------------------------------------------------

    async def _serve(self) -> None:
        """Handle the requests that wait, all in one transaction: the next ones wait for it, and
        share one, too. Raises `StoreError`."""
        await self._asked.wait()
        batch, self._requests = self._requests[:MOST_AT_ONCE], self._requests[MOST_AT_ONCE:]
        if not self._requests:
            self._asked.clear()
        now = self._clock()
        try:
            changes = await self._seeks.serve([each.request for each in batch], self._beat(now), now)
        except BaseException as error:
            failure = error if isinstance(error, Exception) else StoreError(StoreCode.DOWN)
            for each in batch:
                if not each.done.done():
                    each.done.set_exception(failure)
            raise
        self._apply(changes)
        for each in batch:
            if not each.done.done():
                each.done.set_result(changes.seeks.get(each.request.identity))

    async def tick(self) -> None:
        """Do what is due for people of this worker, and with each sign of life for all. A worker
        without anybody in the lobby does nothing. Raises `StoreError`."""
        now = self._clock()
        if not self.visitors:
            self._is_board_read = False
            if self._beaten:
                self._beaten = 0.0
                await self._seeks.leave(self.worker)
            return
        sought = [visitor for visitor in self._all() if visitor.seek is not None and is_due(visitor.seek, now)]
        beat = self._beat(now)
        if sought or beat is not None:
            self._apply(await self._seeks.tick(beat, now))
        for visitor in sought:
            if visitor.seek is not None and visitor.seek.since + OFFER_AFTER <= now:
                visitor.wake()

    async def refresh(self) -> None:
        """Read the board, if a visitor looks at it. Raises `StoreError`."""
        if not self.visitors:
            return
        found = await open_tables(self._store, self._host_key)
        offline = await self._tables.offline({table: each.people for table, each in found.items()})
        people, shown = await self.count_people(), self.board.people
        board = Board(shown if abs(people - shown) < SMALL_CHANGE * people else people, present(found, offline))
        self._is_board_read = True
        if board.message(self.board) is not None:
            self.board = board
            visitors = self._all()
            for number, visitor in enumerate(visitors):
                asyncio.get_running_loop().call_later(SPREAD * number / len(visitors), visitor.wake)

    def _beat(self, now: float) -> Beat | None:
        """Return a sign of life if one is due."""
        if now < self._beaten + BEAT:
            return None
        self._beaten = now
        shown = {visitor.identity for visitor in self._all() if visitor.identity is not None and visitor.shows_online}
        return Beat(self.worker, self.people, shown)

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
        self._show(seeks)
        for identity, seek in seeks.items():
            if seek.worker != self.worker:
                self._announce_seek(identity, seek_to_json(seek))
            elif seek.state in WAITING and identity not in self.visitors:
                asyncio.get_running_loop().call_later(GONE_AFTER, self._gone, identity)

    def _gone(self, identity: str) -> None:
        """End the seek of a person who has not come back."""
        if identity not in self.visitors and not self._closed:
            self._tasks.spawn(self._end(identity))

    async def _end(self, identity: str) -> None:
        await self._ask(Leave(identity, self.worker))

    async def _read_stale(self) -> None:
        """Read what has changed for people of this worker, again as long as there is more. Raises
        `StoreError`."""
        try:
            while self._stale:
                await self._read(_taken(self._stale))
        finally:
            self._reading = False

    async def _read(self, identities: Iterable[str]) -> None:
        """Read the seeks of people of this worker, and whom they must not see. Raises
        `StoreError`.

        A read can end before one that began earlier. A visitor keeps what the read that began last
        has found, so that no older state replaces a new invitation or block. A read that finds no
        seek changes none: it may have begun before the seek was saved.
        """
        self._reads += 1
        number, listed = self._reads, padded(identities)
        seeks = await self._seeks.of(listed)
        with translated():
            async with self._store.engines.readers.connect() as connection:
                hidden = await hidden_from(connection, listed)
                invitations = await invitations_of(connection, self._host_key, listed, self._clock())
                shown = await shown_among(connection, listed)
        for identity in listed:
            for visitor in self.visitors.get(identity, ()):
                if visitor.newest_read > number:
                    continue
                visitor.newest_read = number
                visitor.hidden = hidden[identity]
                visitor.invitations = invitations.get(identity, [])
                visitor.shows_online = identity in shown
                if identity in seeks:
                    visitor.set_seek(seeks[identity])
                visitor.wake()

    def _show(self, seeks: Mapping[str, Seek]) -> None:
        """Show seeks to the people of this worker."""
        for identity, seek in seeks.items():
            for visitor in self.visitors.get(identity, ()):
                visitor.set_seek(seek)

    def _all(self) -> list[Visitor]:
        return [visitor for visitors in self.visitors.values() for visitor in visitors]


def _taken(stale: set[str]) -> set[str]:
    """Take at most `MOST_READ` identities out of a set and return them."""
    return {stale.pop() for _ in range(min(len(stale), MOST_READ))}
