"""Storage of seeks: placed, paired, ended, and undone where a person does not come to the table.

All changes that may pair people run one after the other, under a lock of the database. A pair is
made in the transaction that saves its table, so a person never sits at two tables by one request.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from dicecup.core.ids import split_id
from dicecup.hosting.event_rows import first_append
from dicecup.hosting.lobby.acquaintances import save_online
from dicecup.hosting.lobby.pairing import AT_TABLE, WAITING, Seek, pairs
from dicecup.hosting.store import Append, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import LOBBY_WORKERS, SEEKS
from dicecup.hosting.store.statements import append_statements, upsert
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

    @property
    def pool(self) -> str:
        """Return the name of the game and the clock: only people of one pool are paired."""
        return f"{split_id(self.game)[0]} {self.clock or ''}"


class Beat(NamedTuple):
    """A sign of life of a worker, with the number of people in its lobby, and the identities of
    those who have one."""

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

    async def place(self, wanted: Sequence[Wanted], beat: Beat, now: float) -> Changes:
        """Place requests in the queue and pair people. Raises `StoreError`."""

        def work(connection: Connection) -> Changes:
            self._lock(connection)
            _save_beat(connection, beat, now)
            changes = Changes(_place(connection, wanted, beat.worker, now), [], set())
            self._pair(connection, {each.pool for each in wanted}, changes, now)
            return changes

        return await self._transaction(work)

    async def tick(self, beat: Beat, now: float) -> Changes:
        """Do what is due: pair people who wait for other options, undo pairs of which a person did
        not come, and end the seeks of workers that are gone. Raises `StoreError`."""

        def work(connection: Connection) -> Changes:
            self._lock(connection)
            _save_beat(connection, beat, now)
            changes = Changes({}, [], set())
            _undo(connection, changes, now)
            _forget(connection, now)
            save_online(connection, beat.identities, now)
            crowded = select(SEEKS.c.pool).where(SEEKS.c.state.in_(WAITING)).group_by(SEEKS.c.pool).having(func.count() > 1)
            self._pair(connection, connection.execute(crowded).scalars().all(), changes, now)
            return changes

        return await self._transaction(work)

    async def end(self, identities: Collection[str], worker: str | None, now: float) -> dict[str, Seek]:
        """Take people out of the queue, with `worker` only those whose connection this worker had.
        Return their seeks. Raises `StoreError`."""
        known = SEEKS.c.identity.in_(identities)
        own = known if worker is None else known & (SEEKS.c.worker == worker)

        def work(connection: Connection) -> dict[str, Seek]:
            self._lock(connection)
            connection.execute(update(SEEKS).where(own, SEEKS.c.state.in_(WAITING)).values(state="ended", changed=now))
            return _read(connection, identities)

        return await self._transaction(work)

    async def arrive(self, identity: str, table: str, now: float) -> dict[str, Seek]:
        """Note that a person has come to the table, and return the seeks of the pair. They end when
        both have come. Raises `StoreError`."""
        at_table = SEEKS.c.table_id == table

        def work(connection: Connection) -> dict[str, Seek]:
            self._lock(connection)
            own = [at_table, SEEKS.c.identity == identity, SEEKS.c.state == "paired"]
            connection.execute(update(SEEKS).where(*own).values(state="seated"))
            pair = [Seek(*row) for row in connection.execute(select(SEEKS).where(at_table))]
            if pair and all(seek.state == "seated" for seek in pair):
                connection.execute(update(SEEKS).where(at_table).values(state="ended", changed=now))
                pair = [Seek(*row) for row in connection.execute(select(SEEKS).where(at_table))]
            return {seek.identity: seek for seek in pair}

        return await self._transaction(work)

    async def of(self, identities: Iterable[str]) -> dict[str, Seek]:
        """Return the last seeks of identities. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                rows = await connection.execute(select(SEEKS).where(SEEKS.c.identity.in_(list(identities))))
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
        if not self._store.shared:
            return await self._store.writer.work(work)
        beside = self._store.engines.readers.execution_options(isolation_level="READ COMMITTED")
        with translated():
            async with beside.begin() as connection:
                return await connection.run_sync(work)

    def _lock(self, connection: Connection) -> None:
        if self._store.shared:  # SQLite's transaction locks the file
            connection.execute(_TAKE, {"lock": _LOCK})

    def _pair(self, connection: Connection, pools: Collection[str], changes: Changes, now: float) -> None:
        """Pair people of these pools and save a table for each pair."""
        if not pools:
            return
        alive = select(LOBBY_WORKERS.c.worker).where(LOBBY_WORKERS.c.seen > now - LEASE)
        query = select(SEEKS).where(SEEKS.c.state.in_(WAITING), SEEKS.c.pool.in_(pools), SEEKS.c.worker.in_(alive))
        waiting = [Seek(*row) for row in connection.execute(query.order_by(SEEKS.c.number).limit(MOST_READ))]
        apart = self._blocks_among(connection, [seek.identity for seek in waiting]) if len(waiting) > 1 else ()
        found = pairs(waiting, lambda one, other: frozenset((one, other)) in apart, now)
        appends = []
        for pair in found:
            table = token_hex(10)
            appends.append(_opened(table, self._secret_of(table), pair, now))
            seated = [replace(seek, state="paired", table=table, changed=now) for seek in pair]
            changes.seeks.update({seek.identity: seek for seek in seated})
            changes.made.extend(seated)
        if appends:
            for statement in append_statements(appends, self._store.engines.dialect):
                connection.exec_driver_sql(*statement)
            _save(connection, changes.made)


def _place(connection: Connection, wanted: Sequence[Wanted], worker: str, now: float) -> dict[str, Seek]:
    """Save the requests that are new and return the seeks of all.

    A request for the same game keeps the place of the last one. Who is paired already has to come
    to that table first.
    """
    known = _read(connection, [each.identity for each in wanted])
    new: dict[str, dict[str, Any]] = {}
    for each in wanted:
        seek = known.get(each.identity)
        is_known = seek is not None and (seek.request == each.request or seek.state in AT_TABLE)
        values = {"request": each.request, "name": each.name, "worker": worker}
        if seek is not None and seek.state in WAITING and (is_known or (seek.pool, seek.game) == (each.pool, each.game)):
            connection.execute(update(SEEKS).where(SEEKS.c.number == seek.number).values(values))
        elif not is_known:
            new[each.identity] = {
                "identity": each.identity,
                "pool": each.pool,
                "game": each.game,
                "clock": each.clock,
                "since": now,
                "state": "waiting",
                "changed": now,
                "table_id": None,
                **values,
            }
    if new:
        connection.execute(delete(SEEKS).where(SEEKS.c.identity.in_(list(new))))
        connection.execute(insert(SEEKS), list(new.values()))
    return _read(connection, [each.identity for each in wanted])


def _undo(connection: Connection, changes: Changes, now: float) -> None:
    """End the seeks of people who did not come to their tables in time, and let those who came wait
    again at their places."""
    late = select(SEEKS).where(SEEKS.c.state == "paired", SEEKS.c.changed <= now - ARRIVE_WITHIN)
    tables = {row.table_id for row in connection.execute(late)}
    if not tables:
        return
    at_tables = select(SEEKS).where(SEEKS.c.table_id.in_(tables), SEEKS.c.state.in_(AT_TABLE))
    undone = []
    for row in connection.execute(at_tables).all():
        seek = Seek(*row)
        came = seek.state == "seated"
        undone.append(replace(seek, state="returned" if came else "missed", table=None if came else seek.table, changed=now))
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
    """Return the first events of the table of a pair, with the options of who has waited longer."""
    first, second = pair
    clock = None if first.clock is None else codec.from_json(Clock, json.loads(first.clock), TableCode.NOT_A_SETUP)
    setup = Setup(first.game, (SeatSetup(), SeatSetup()), clock=clock)
    name = second.name
    if name_key(name) == name_key(first.name):
        name = free_name(name[: LONGEST_NAME - 4].strip(), [first.name])
    sitters = [handlers.Sitter(0, first.name, first.identity), handlers.Sitter(1, name, second.identity)]
    return first_append(table, handlers.open_table(table, setup, secret, sitters, now), now, None)


def _read(connection: Connection, identities: Collection[str]) -> dict[str, Seek]:
    rows = connection.execute(select(SEEKS).where(SEEKS.c.identity.in_(identities)))
    return {row.identity: Seek(*row) for row in rows}


def _save(connection: Connection, seeks: Iterable[Seek]) -> None:
    """Save the states and tables of seeks."""
    saved = update(SEEKS).where(SEEKS.c.number == bindparam("which"))
    rows = [
        {"which": seek.number, "new_state": seek.state, "new_changed": seek.changed, "new_table": seek.table} for seek in seeks
    ]
    values: dict[str, Any] = {
        "state": bindparam("new_state"),
        "changed": bindparam("new_changed"),
        "table_id": bindparam("new_table"),
    }
    connection.execute(saved.values(values), rows)


def _save_beat(connection: Connection, beat: Beat, now: float) -> None:
    row: Mapping[str, Any] = {"worker": beat.worker, "seen": now, "people": beat.people}
    connection.execute(upsert(LOBBY_WORKERS, connection.dialect.name), row)
