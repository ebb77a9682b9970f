"""Storage of seeks: placed, paired, ended, and undone where a person does not come to the table.

All changes that may pair people run one after the other, under a lock of the database. A pair is
made in the transaction that saves its table, so a person never sits at two tables by one request.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf, nextafter
from secrets import token_hex
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, text, update

from dicecup.core.ids import split_id
from dicecup.hosting.event_rows import first_append
from dicecup.hosting.lobby.acquaintances import save_online
from dicecup.hosting.lobby.pairing import AT_TABLE, WAITING, Seek, pairs
from dicecup.hosting.store import Append, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import LOBBY_WORKERS, SEEKS
from dicecup.hosting.store.statements import append_statements, padded, upsert
from dicecup.table import codec, handlers
from dicecup.table.errors import TableCode
from dicecup.table.names import LONGEST_NAME, free_name, name_key
from dicecup.table.setup import Clock, SeatSetup, Setup

LEASE: Final = 12.0
"""Seconds without a sign of a worker after which the seeks of its people end."""
ARRIVE_WITHIN: Final = 10.0
"""Seconds in which both people of a pair must come to their table."""
KEPT: Final = 600.0
"""Seconds for which an ended seek is kept, so that a repeated request is not a new one."""
MOST_READ: Final = 256
"""Seeks that one transaction tries to pair."""
_LOCK: Final = 0x6C6F6262
"""Key of PostgreSQL's advisory lock: any number that is the same in every worker."""
_TAKE: Final = text("SELECT set_config('idle_in_transaction_session_timeout', '5s', true), pg_advisory_xact_lock(:lock)")
"""A worker that is frozen while it holds the lock loses it after five seconds."""

Result = TypeVar("Result")


class Wanted(NamedTuple):
    """A request for an opponent; see `Seek`. `clock` is JSON."""

    identity: str
    request: str
    game: str
    clock: str | None
    name: str
    worker: str
    rated: bool = False

    @property
    def pool(self) -> str:
        """Return the name of the game and the clock: only people of one pool are paired."""
        return f"{split_id(self.game)[0]} {self.clock or ''}"


class Arrival(NamedTuple):
    """The arrival of a person at the table of a pair."""

    identity: str
    table: str


class Leave(NamedTuple):
    """The end of a person's wait for an opponent. With `worker` only if the person is still
    connected there."""

    identity: str
    worker: str | None = None


Request: TypeAlias = Wanted | Arrival | Leave


class Beat(NamedTuple):
    """A sign of life of a worker, with the number of people in its lobby, and the identities of
    those who show that they are there."""

    worker: str
    people: int
    identities: Collection[str] = ()


class Changes(NamedTuple):
    """What a transaction changed: the seeks, and tables that were made or have to be closed."""

    seeks: dict[str, Seek]
    made: list[Seek]
    closed: set[str]


class Seeks:
    """The queue of one database. `secret_of` returns the secret of the dice of a table. `are_apart`
    reads which of some identities have blocked each other."""

    def __init__(
        self,
        store: Store,
        secret_of: Callable[[str], bytes],
        blocks_among: Callable[[Connection, Collection[str]], Collection[frozenset[str]]],
    ) -> None:
        self._store = store
        self._secret_of = secret_of
        self._blocks_among = blocks_among
        self._beside = store.engines.readers.execution_options(isolation_level="READ COMMITTED") if store.shared else None

    async def serve(self, requests: Sequence[Request], beat: Beat | None, now: float) -> Changes:
        """Handle requests in their order and pair people, all in one transaction. With `beat` save
        a sign of life, too. The changes have the seek of each person in `requests` that has one.
        Raises `StoreError`."""

        def work(connection: Connection) -> Changes:
            self._lock(connection)
            if beat is not None:
                _save_beat(connection, beat, now)
            changes, pools = _handle(connection, requests, now)
            self._pair(connection, pools, changes, now)
            return changes

        return await self._transaction(work)

    async def tick(self, beat: Beat | None, now: float) -> Changes:
        """Do what is due: pair people who wait for other options, and undo pairs of which a person
        did not come. With `beat` save a sign of life, and end the seeks of workers that are gone.
        Raises `StoreError`."""

        def work(connection: Connection) -> Changes:
            self._lock(connection)
            changes = Changes({}, [], set())
            if beat is not None:
                _save_beat(connection, beat, now)
                save_online(connection, beat.identities, now)
                _forget(connection, now)
            _undo(connection, changes, now)
            self._pair(connection, connection.execute(_CROWDED).scalars().all(), changes, now)
            return changes

        return await self._transaction(work)

    async def of(self, identities: Iterable[str]) -> dict[str, Seek]:
        """Return the last seeks of identities. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                rows = await connection.execute(select(SEEKS).where(SEEKS.c.identity.in_(padded(identities))))
                return {row.identity: Seek(*row) for row in rows}

    async def leave(self, worker: str) -> None:
        """Remove a worker without people. Raises `StoreError`."""

        def work(connection: Connection) -> None:
            connection.execute(delete(LOBBY_WORKERS).where(LOBBY_WORKERS.c.worker == worker))

        await self._transaction(work)

    async def people(self, now: float) -> int:
        """Return how many people are in the lobby of all workers. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                counted = select(func.sum(LOBBY_WORKERS.c.people)).where(LOBBY_WORKERS.c.seen > now - LEASE)
                return int((await connection.execute(counted)).scalar_one() or 0)

    async def _transaction(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of `work` in a transaction. PostgreSQL runs it beside the transactions
        of the tables, which do not wait for it."""
        if self._beside is None:
            return await self._store.writer.work(work)
        with translated():
            async with self._beside.begin() as connection:
                return await connection.run_sync(work)

    def _lock(self, connection: Connection) -> None:
        if self._store.shared:  # SQLite's transaction locks the file
            connection.execute(_TAKE, {"lock": _LOCK})

    def _pair(self, connection: Connection, pools: Collection[str], changes: Changes, now: float) -> None:
        """Pair people of these pools and save a table for each pair."""
        if not pools:
            return
        asked = {"pools": padded(pools), "seen": now - LEASE}
        waiting = [Seek(*row) for row in connection.execute(_WAITING_IN, asked)]
        apart = self._blocks_among(connection, padded(seek.identity for seek in waiting)) if len(waiting) > 1 else ()
        found = pairs(waiting, lambda one, other: frozenset((one, other)) in apart, now)
        appends = []
        for pair in found:
            table = token_hex(10)
            appends.append(_opened(table, self._secret_of(table), pair, now))
            seated = [_later(seek, now, state="paired", table=table) for seek in pair]
            changes.seeks.update({seek.identity: seek for seek in seated})
            changes.made.extend(seated)
        if appends:
            for statement in append_statements(appends, self._store.engines.dialect):
                connection.exec_driver_sql(*statement)
            _save(connection, changes.made)


def _handle(connection: Connection, requests: Sequence[Request], now: float) -> tuple[Changes, set[str]]:
    """Handle requests in their order and save what they change. Return the changes, and the pools
    in which people wait who may be paired now."""
    tables = [each.table for each in requests if isinstance(each, Arrival)]
    concerned = {"identities": padded(each.identity for each in requests), "tables": padded(tables)}
    rows = connection.execute(_CONCERNED, concerned)
    before = {row.identity: Seek(*row) for row in rows}
    seeks = dict(before)
    for request in requests:
        seek = seeks.get(request.identity)
        match request:
            case Wanted():
                seeks[request.identity] = _wanted(seek, request, now)
            case Leave() if seek is not None and seek.state in WAITING and request.worker in (None, seek.worker):
                seeks[request.identity] = _later(seek, now, state="ended")
            case Arrival() if seek is not None and (seek.state, seek.table) == ("paired", request.table):
                seeks[request.identity] = replace(seek, state="seated")
                pair = [each for each in seeks.values() if each.table == request.table]
                if all(each.state == "seated" for each in pair):
                    seeks.update({each.identity: _later(each, now, state="ended") for each in pair})
    changed = [seek for identity, seek in seeks.items() if seek is not before.get(identity)]
    _save(connection, [seek for seek in changed if seek.number])
    seeks.update(_insert(connection, [seek for seek in changed if not seek.number]))
    concerned_people = {each.identity for each in requests} | {seek.identity for seek in changed}
    found = {identity: seeks[identity] for identity in concerned_people if identity in seeks}
    pools = {
        found[each.identity].pool for each in requests if isinstance(each, Wanted) and found[each.identity].state in WAITING
    }
    return Changes(found, [], set()), pools


def _later(seek: Seek, now: float, **changes: Any) -> Seek:
    """Return a changed seek. It is later than the one before, by which a worker knows that it is
    newer, also if the clock of another worker was ahead or this one has waited for the lock."""
    return replace(seek, changed=max(now, nextafter(seek.changed, inf)), **changes)


def _wanted(seek: Seek | None, wanted: Wanted, now: float) -> Seek:
    """Return the seek of a person for a request. A new one has the number 0.

    A request for the same game keeps the place of the last one. Who is paired already has to come
    to that table first.
    """
    is_known = seek is not None and (seek.request == wanted.request or seek.state in AT_TABLE)
    wishes = (wanted.pool, wanted.game, wanted.rated)
    if seek is not None and seek.state in WAITING and (is_known or (seek.pool, seek.game, seek.rated) == wishes):
        return replace(seek, request=wanted.request, name=wanted.name, worker=wanted.worker)
    if seek is not None and is_known:
        return seek
    return Seek(
        number=0,
        identity=wanted.identity,
        request=wanted.request,
        pool=wanted.pool,
        game=wanted.game,
        clock=wanted.clock,
        name=wanted.name,
        since=now,
        worker=wanted.worker,
        state="waiting",
        changed=now,
        table=None,
        rated=wanted.rated,
    )


def _insert(connection: Connection, seeks: Sequence[Seek]) -> dict[str, Seek]:
    """Save new seeks in place of the last ones of these people, and return them with their
    numbers, by identity."""
    if not seeks:
        return {}
    connection.execute(_REPLACED, {"identities": padded(seek.identity for seek in seeks)})
    rows = [
        {
            "identity": seek.identity,
            "request": seek.request,
            "pool": seek.pool,
            "game": seek.game,
            "clock": seek.clock,
            "name": seek.name,
            "since": seek.since,
            "worker": seek.worker,
            "state": seek.state,
            "changed": seek.changed,
            "table_id": seek.table,
            "rated": seek.rated,
        }
        for seek in seeks
    ]
    return {row.identity: Seek(*row) for row in connection.execute(insert(SEEKS).returning(SEEKS), rows)}


def _undo(connection: Connection, changes: Changes, now: float) -> None:
    """End the seeks of people who did not come to their tables in time, and let those who came wait
    again at their places."""
    tables = set(connection.execute(_LATE, {"before": now - ARRIVE_WITHIN}).scalars())
    if not tables:
        return
    at_tables = select(SEEKS).where(SEEKS.c.table_id.in_(tables), SEEKS.c.state.in_(AT_TABLE))
    undone = []
    for row in connection.execute(at_tables).all():
        seek = Seek(*row)
        came = seek.state == "seated"
        undone.append(_later(seek, now, state="returned" if came else "missed", table=None if came else seek.table))
    _save(connection, undone)
    changes.seeks.update({seek.identity: seek for seek in undone})
    changes.closed.update(tables)


def _forget(connection: Connection, now: float) -> None:
    """End the seeks of workers that are gone, and delete old seeks and workers."""
    alive = select(LOBBY_WORKERS.c.worker).where(LOBBY_WORKERS.c.seen > now - LEASE)
    left = [SEEKS.c.state.in_(WAITING), SEEKS.c.worker.not_in(alive)]
    connection.execute(update(SEEKS).where(*left).values(state="ended", changed=now))
    connection.execute(delete(SEEKS).where(SEEKS.c.state.in_(("ended", "missed")), SEEKS.c.changed < now - KEPT))
    connection.execute(delete(LOBBY_WORKERS).where(LOBBY_WORKERS.c.seen < now - LEASE))


def _opened(table: str, secret: bytes, pair: tuple[Seek, Seek], now: float) -> Append:
    """Return the first events of the table of a pair, with the options of who has waited longer.
    The game is rated if both want that."""
    first, second = pair
    clock = None if first.clock is None else codec.from_json(Clock, json.loads(first.clock), TableCode.NOT_A_SETUP)
    setup = Setup(first.game, (SeatSetup(), SeatSetup()), clock=clock, rated=first.rated and second.rated)
    name = second.name
    if name_key(name) == name_key(first.name):
        name = free_name(name[: LONGEST_NAME - 4].strip(), [first.name])
    sitters = [handlers.Sitter(0, first.name, first.identity), handlers.Sitter(1, name, second.identity)]
    return first_append(table, handlers.open_table(table, setup, secret, sitters, now), now, None)


def _save(connection: Connection, seeks: Iterable[Seek]) -> None:
    """Save what may change of seeks."""
    rows = [
        {
            "which": seek.number,
            "new_request": seek.request,
            "new_name": seek.name,
            "new_worker": seek.worker,
            "new_state": seek.state,
            "new_changed": seek.changed,
            "new_table": seek.table,
        }
        for seek in seeks
    ]
    if rows:
        connection.execute(_SAVED, rows)


def _save_beat(connection: Connection, beat: Beat, now: float) -> None:
    row: Mapping[str, Any] = {"worker": beat.worker, "seen": now, "people": beat.people}
    connection.execute(upsert(LOBBY_WORKERS, connection.dialect.name), row)


_SAVED: Final = (
    update(SEEKS)
    .where(SEEKS.c.number == bindparam("which"))
    .values(
        request=bindparam("new_request"),
        name=bindparam("new_name"),
        worker=bindparam("new_worker"),
        state=bindparam("new_state"),
        changed=bindparam("new_changed"),
        table_id=bindparam("new_table"),
    )
)
_REPLACED: Final = delete(SEEKS).where(SEEKS.c.identity.in_(bindparam("identities", expanding=True)))
_CONCERNED: Final = select(SEEKS).where(
    or_(
        SEEKS.c.identity.in_(bindparam("identities", expanding=True)),
        SEEKS.c.table_id.in_(bindparam("tables", expanding=True)),
    )
)
_CROWDED: Final = select(SEEKS.c.pool).where(SEEKS.c.state.in_(WAITING)).group_by(SEEKS.c.pool).having(func.count() > 1)
_WAITING_IN: Final = (
    select(SEEKS)
    .where(
        SEEKS.c.state.in_(WAITING),
        SEEKS.c.pool.in_(bindparam("pools", expanding=True)),
        SEEKS.c.worker.in_(select(LOBBY_WORKERS.c.worker).where(LOBBY_WORKERS.c.seen > bindparam("seen"))),
    )
    .order_by(SEEKS.c.number)
    .limit(MOST_READ)
)
_LATE: Final = select(SEEKS.c.table_id).where(SEEKS.c.state == "paired", SEEKS.c.changed <= bindparam("before"))
