"""The store: SQLite in one file, or PostgreSQL, which several workers share. Both have the same
methods."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Self

from sqlalchemy import Connection, Executable, bindparam, delete, func, select, text
from sqlalchemy.engine import URL, Row
from sqlalchemy.exc import ArgumentError, DBAPIError

from dicecup.core.shown_url import shown_url
from dicecup.hosting.store import driver
from dicecup.hosting.store.driver_errors import must_reconnect, translate, translated
from dicecup.hosting.store.engines import Engines, open_engines
from dicecup.hosting.store.faults import StorageFaults
from dicecup.hosting.store.migrate import migrate
from dicecup.hosting.store.models import (
    DELIVERIES,
    EVENTS,
    FACTS,
    FINISHED,
    INVITATIONS,
    MUTES,
    NOTICES,
    PRESENCE,
    REPORTS,
    REVIEWS,
    SEATS,
    TABLES,
)
from dicecup.hosting.store.notifications import Change, Notification, Notifications
from dicecup.hosting.store.rows import Append, Digest, EventRow, SeatedIdentity
from dicecup.hosting.store.statements import append_statements, digest_statements, presence_statement
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.store.writer import Writer

PAGE: Final = 500
"""Tables that a query returns at most."""
MOST_ASKED: Final = 500
"""Tables that a query names at most. More would block the event loop for tens of milliseconds, and
PostgreSQL refuses a query with more than 32 767 parameters."""
PRESENCE_BATCH: Final = 200
"""People whose presence one transaction saves."""


class Store:
    """Events, digests and presence. Every method raises `StoreError` with the code of a fault if
    the database cannot be used."""

    def __init__(self, engines: Engines) -> None:
        self.engines = engines
        self.writer = Writer(engines)
        self._notifications = Notifications(engines, self.writer)
        self.appends = 0
        """How many appends this process has asked for."""

    @classmethod
    async def open(cls, url: URL) -> Self:
        """Connect to the database and migrate it.

        Raises `StoreError`: a fault, `storage-newer`, and `not-a-database` for a parameter in the
        URL that the driver does not know, or with a value that it refuses.
        """
        try:
            engines = open_engines(url)
        except (TypeError, ValueError, ArgumentError):
            raise StoreError(StoreCode.NOT_A_DATABASE, text=_shown(url)) from None
        try:
            await _connect(engines, url)
            await migrate(engines)
        except BaseException as error:
            await engines.dispose()
            raise translate(error, engines.faults.name) from error
        return cls(engines)

    async def close(self) -> None:
        """Finish the waiting writes and disconnect."""
        await self.writer.close()
        await self.engines.dispose()

    @property
    def faults(self) -> StorageFaults:
        """The faults of the database."""
        return self.engines.faults

    @property
    def shared(self) -> bool:
        """Return whether several workers can serve the same tables."""
        return self.engines.postgresql

    # --- Events -----------------------------------------------------------------------------------

    def append(self, *appends: Append) -> asyncio.Future[None]:
        """Write all appends or none. Raises `AppendConflict` and `StoreError`; see
        `Writer.append`."""
        self.appends += 1
        return self.writer.append(*appends)

    async def create_table(self, first: Append, creator: str, limit: int) -> bool:
        """Append the first events of a table unless its creator has `limit` unfinished tables
        already.

        Returns whether the table was created. Count and append share a transaction under a lock, so
        that workers that create tables at the same time cannot exceed the limit together. Raises as
        `append`.
        """

        def work(connection: Connection) -> bool:
            """Append the events unless the creator has `limit` unfinished tables.

            Return whether they were appended.
            """
            if connection.dialect.name == "postgresql":  # SQLite's transaction locks the file
                connection.execute(_LOCK_CREATOR, {"creator": creator})
            if connection.execute(_UNFINISHED, {"identity": creator}).scalar_one() >= limit:
                return False
            for statement in append_statements([first], self.engines.dialect):
                connection.exec_driver_sql(*statement)
            return True

        return await self.writer.work(work)

    async def events(self, table: str, since: int = 0) -> list[EventRow]:
        """Return the events of a table after a number, in order. An unknown table has none."""
        return [self._event(row) for row in await self._read(_EVENTS, table=table, since=since)]

    async def number_of(self, table: str, identity: str, command_id: str) -> int | None:
        """Return the number of the last event of a command, `None` if the command was not saved."""
        rows = await self._read(_COMMAND, table=table, identity=identity, command=command_id)
        return int(rows[0].number) if rows else None

    async def newest(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the number of the newest event of each of these tables that exists."""
        rows = await self._read_of(_NEWEST, tables)
        return {row.table_id: int(row.number) for row in rows}

    async def delete(self, table: str, also: Callable[[Connection], None] | None = None) -> None:
        """Delete a table and everything that derives from it. `also` runs in the same
        transaction."""

        def work(connection: Connection) -> None:
            delete_rows(connection, [table])
            if also is not None:
                also(connection)

        await self.writer.work(work)

    async def rebuild(
        self, digest: Callable[[Sequence[EventRow]], Digest], also: Callable[[Connection], None] | None = None
    ) -> int:
        """Derive all digests anew from the events and return the number of tables. Reviews are
        deleted. `also` runs in the same transaction."""
        tables = [table async for table in self.all_tables()]
        digests = [digest(await self.events(table)) for table in tables]

        def work(connection: Connection) -> None:
            for kind in (TABLES, SEATS, FINISHED, REVIEWS):
                connection.execute(delete(kind))
            for statement in digest_statements(digests, self.engines.dialect):
                connection.exec_driver_sql(*statement)
            if also is not None:
                also(connection)

        await self.writer.work(work)
        return len(tables)

    # --- Digests ----------------------------------------------------------------------------------

    async def all_tables(self) -> AsyncIterator[str]:
        """Yield the id of every table that has events."""
        last = ""
        while rows := await self._read(_ALL, last=last):
            for row in rows:
                yield row.table_id
            last = rows[-1].table_id

    async def due(self, now: float, limit: int = PAGE) -> list[str]:
        """Return the tables with a timer that is due, the oldest timer first."""
        return [row.table_id for row in await self._read(_DUE, now=now, limit=limit)]

    async def tables(self, state: str | None = None) -> list[Digest]:
        """Return the digests of all tables, or of those in one state, without seats, the newest
        first."""
        query = select(TABLES).order_by(TABLES.c.created.desc(), TABLES.c.table_id)
        rows = await self._read(query if state is None else query.where(TABLES.c.state == state))
        return [_digest(row, None) for row in rows]

    async def tables_of(self, identity: str, limit: int = PAGE) -> list[Digest]:
        """Return the digests of the newest tables at which an identity sits. `seats` holds this
        identity alone."""
        rows = await self._read(_TABLES_OF, identity=identity, limit=limit)
        return [_digest(row, (_seated(identity, row),)) for row in rows]

    async def unfinished_of(self, identity: str) -> int:
        """Return how many unfinished tables an identity has created."""
        return int((await self._read(_UNFINISHED, identity=identity))[0].many)

    async def outcomes_of(self, identity: str) -> dict[tuple[str, str | None], int]:
        """Return the number of finished games of an identity by game id and outcome (`won`,
        `drawn`, `lost`, `None` for one that counts in no comparison)."""
        rows = await self._read(_OUTCOMES, identity=identity)
        return {(row.game, row.outcome): int(row.many) for row in rows}

    async def faces(self) -> tuple[int, tuple[int, ...]]:
        """Return the number of finished games, and how often the server's dice showed 1, 2, … 6 in
        them."""
        (row,) = await self._read(_FACES)
        return int(row.games), tuple(int(getattr(row, f"face_{face}") or 0) for face in range(1, 7))

    async def counts(self) -> dict[str, int]:
        """Return the number of tables in each state."""
        return {row.state: int(row.many) for row in await self._read(_COUNTS)}

    async def fact(self, name: str) -> str | None:
        """Return the value of a fact about the whole database, `None` if it has none."""
        rows = await self._read(_FACT, name=name)
        return str(rows[0].value) if rows else None

    # --- Presence ---------------------------------------------------------------------------------

    async def save_presence(self, online: Iterable[tuple[str, str]], now: float) -> None:
        """Save that these people, by table and identity, are online now.

        Appends that wait meanwhile are written between two batches.
        """
        rows = [(table, identity, now) for table, identity in sorted(online)]
        for start in range(0, len(rows), PRESENCE_BATCH):
            await self.writer.work(partial(_save_presence, rows[start : start + PRESENCE_BATCH]))

    async def last_seen(self, tables: Iterable[str]) -> dict[tuple[str, str], float]:
        """Return when each identity was last online at these tables, by table and identity, as any
        worker saved it."""
        rows = await self._read_of(_LAST_SEEN, tables)
        return {(row.table_id, row.identity): row.seen for row in rows}

    async def delete_presence(self, before: float) -> None:
        """Delete presence that is older than a time."""

        def work(connection: Connection) -> None:
            connection.execute(delete(PRESENCE).where(PRESENCE.c.seen < before))

        await self.writer.work(work)

    # --- Other workers ----------------------------------------------------------------------------

    def listen(self) -> AsyncGenerator[Notification | None, None]:
        """Yield the notifications of other workers; see `Notifications.listen`. The caller closes
        the generator."""
        return self._notifications.listen()

    async def notify(self, changes: Mapping[str, Change]) -> None:
        """Notify other workers of changes, by table."""
        if self.shared and changes:
            with translated():
                await self._notifications.notify(changes)

    async def _read_of(self, query: Executable, tables: Iterable[str]) -> list[Row[Any]]:
        """Return the rows of a query for tables, of which there may be any number."""
        listed, rows = list(tables), list[Row[Any]]()
        for start in range(0, len(listed), MOST_ASKED):
            rows += await self._read(query, tables=listed[start : start + MOST_ASKED])
        return rows

    async def _read(self, query: Executable, **values: object) -> Sequence[Row[Any]]:
        """Return the rows of a query. A query on a connection that the database has closed is tried
        once more."""
        try:
            try:
                return await self._read_once(query, values)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return await self._read_once(query, values)
        except Exception as error:
            failure = translate(error, self.faults.name)
            self.faults.failed(failure)
            raise failure from error

    def _event(self, row: Row[Any]) -> EventRow:
        """Return a row of events after checking its types, which differ in a damaged SQLite
        file."""
        found = EventRow(row.table_id, row.number, row.time, row.body, row.identity, row.command_id)
        texts = (found.table, found.body, found.identity or "", found.command_id or "")
        if [type(value) for value in (found.number, found.time, *texts)] == [int, float, str, str, str, str]:
            return found
        failure = StoreError(StoreCode.DAMAGED, file=self.faults.name, why=f"events: {row.table_id!r} {row.number!r}")
        self.faults.failed(failure)
        raise failure

    async def _read_once(self, query: Executable, values: Mapping[str, object]) -> Sequence[Row[Any]]:
        async with self.engines.readers.connect() as connection:
            try:
                rows: Sequence[Row[Any]] = (await connection.execute(query, values)).all()
            except Exception as error:
                if must_reconnect(error):
                    await connection.invalidate()
                raise
            return rows


def _save_presence(rows: Sequence[tuple[str, str, float]], connection: Connection) -> None:
    connection.exec_driver_sql(*presence_statement(rows, connection.dialect.name))


def _shown(url: URL) -> str:
    return shown_url(url.render_as_string(hide_password=False))


async def _connect(engines: Engines, url: URL) -> None:
    """Open the first connection. Raises `StoreError` (`not-a-database`) for a parameter that the
    driver refuses, and the driver's own exceptions."""
    try:
        await engines.write(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
    except driver.REFUSALS as error:
        raise StoreError(StoreCode.NOT_A_DATABASE, text=_shown(url)) from error


def _digest(row: Row[Any], seats: tuple[SeatedIdentity, ...] | None) -> Digest:
    return Digest(row.table_id, row.game, row.state, row.created, row.creator, row.wake, row.summary, seats)


def _seated(identity: str, row: Row[Any]) -> SeatedIdentity:
    return SeatedIdentity(identity, tuple(int(seat) for seat in row.seats.split(",") if seat), row.outcome)


_EVENTS: Final = (
    select(EVENTS)
    .where(EVENTS.c.table_id == bindparam("table"), EVENTS.c.number > bindparam("since"))
    .order_by(EVENTS.c.number)
)
_COMMAND: Final = select(EVENTS.c.number).where(
    EVENTS.c.table_id == bindparam("table"),
    EVENTS.c.identity == bindparam("identity"),
    EVENTS.c.command_id == bindparam("command"),
)
_NEWEST: Final = (
    select(EVENTS.c.table_id, func.max(EVENTS.c.number).label("number"))
    .where(EVENTS.c.table_id.in_(bindparam("tables", expanding=True)))
    .group_by(EVENTS.c.table_id)
)
_ALL: Final = (
    select(EVENTS.c.table_id)
    .where(EVENTS.c.table_id > bindparam("last"), EVENTS.c.number == 1)
    .order_by(EVENTS.c.table_id)
    .limit(PAGE)
)
_DUE: Final = (
    select(TABLES.c.table_id).where(TABLES.c.wake <= bindparam("now")).order_by(TABLES.c.wake).limit(bindparam("limit"))
)
_TABLES_OF: Final = (
    select(TABLES, SEATS.c.outcome, SEATS.c.seats)
    .join(SEATS, SEATS.c.table_id == TABLES.c.table_id)
    .where(SEATS.c.identity == bindparam("identity"))
    .order_by(TABLES.c.created.desc(), TABLES.c.table_id)
    .limit(bindparam("limit"))
)
_LOCK_CREATOR: Final = text("SELECT pg_advisory_xact_lock(hashtextextended(:creator, 0))")
_UNFINISHED: Final = (
    select(func.count().label("many"))
    .select_from(TABLES)
    .where(TABLES.c.creator == bindparam("identity"), TABLES.c.state != "over")
)
_OUTCOMES: Final = (
    select(TABLES.c.game, SEATS.c.outcome, func.count().label("many"))
    .join(SEATS, SEATS.c.table_id == TABLES.c.table_id)
    .where(SEATS.c.identity == bindparam("identity"), TABLES.c.state == "over")
    .group_by(TABLES.c.game, SEATS.c.outcome)
)
_FACES: Final = select(
    func.count().label("games"), *(func.sum(FINISHED.c[f"face_{face}"]).label(f"face_{face}") for face in range(1, 7))
)
_COUNTS: Final = select(TABLES.c.state, func.count().label("many")).group_by(TABLES.c.state)
_FACT: Final = select(FACTS.c.value).where(FACTS.c.name == bindparam("name"))
_LAST_SEEN: Final = select(PRESENCE).where(PRESENCE.c.table_id.in_(bindparam("tables", expanding=True)))


def delete_rows(connection: Connection, tables: Sequence[str]) -> None:
    """Delete all rows about tables, and what is to be told of them."""
    for kind in (EVENTS, TABLES, SEATS, FINISHED, REVIEWS, PRESENCE, MUTES, REPORTS, INVITATIONS):
        connection.execute(delete(kind).where(kind.c.table_id.in_(tables)))
    for kind in (NOTICES, DELIVERIES):
        connection.execute(delete(kind).where(kind.c.topic.in_(tables)))
