"""Where tables are kept: SQLite in one file, or PostgreSQL, which several workers share. Both are used in the same way."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Self

from sqlalchemy import Connection, Executable, bindparam, delete, func, select
from sqlalchemy.engine import URL
from sqlalchemy.engine import Row as Found
from sqlalchemy.exc import DBAPIError

from dicecup.hosting.store import hints
from dicecup.hosting.store.engines import Engines, open_engines
from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.hosting.store.faults import translated
from dicecup.hosting.store.migrate import migrate
from dicecup.hosting.store.models import EVENTS, FINISHED, PRESENCE, REVIEWS, SEATS, TABLES
from dicecup.hosting.store.rows import Append, Digest, Row
from dicecup.hosting.store.statements import of_digests, upsert
from dicecup.hosting.store.writer import Writer

PAGE: Final = 500
"""Tables that are read at once where all of them are."""


class Store:
    """Every method raises `StoreError` (`storage-down`) where the database does not answer."""

    def __init__(self, engines: Engines) -> None:
        self.engines = engines
        self.writer = Writer(engines)

    @classmethod
    async def open(cls, url: URL) -> Self:
        """Connects and migrates. Raises `StoreError` (also `storage-newer`, and `not-a-database` for a parameter that there is not)."""
        engines = open_engines(url)
        try:
            with translated():
                await migrate(engines)
        except TypeError as error:  # the driver was handed what it does not take
            await engines.dispose()
            raise StoreError(StoreCode.NOT_A_DATABASE, text=url.render_as_string()) from error
        except BaseException:
            await engines.dispose()
            raise
        return cls(engines)

    async def close(self) -> None:
        """What waits is written first."""
        await self.writer.close()
        await self.engines.dispose()

    @property
    def shared(self) -> bool:
        """Whether several workers serve the same tables."""
        return self.engines.postgresql

    # --- Stories -------------------------------------------------------------------------------------------------------------

    def append(self, *appends: Append) -> asyncio.Future[None]:
        """All of it or nothing. Raises `Raced` and `StoreError` (`storage-full`, `storage-down`, `busy`), as `Writer.append`."""
        return self.writer.append(*appends)

    async def events(self, table: str, since: int = 0) -> list[Row]:
        """The events of a table after this number, in their order; none where there is no such table."""
        return [_row(found) for found in await self._read(_EVENTS, table=table, since=since)]

    async def beginnings(self) -> list[Row]:
        """The first event of every table that runs."""
        return [_row(found) for found in await self._read(_BEGINNINGS)]

    async def number_of(self, table: str, identity: str, command_id: str) -> int | None:
        """The last event that this command made, if it was done."""
        found = await self._read(_COMMAND, table=table, identity=identity, command=command_id)
        return int(found[0].number) if found else None

    async def newest(self, tables: Iterable[str]) -> dict[str, int]:
        """The number of the newest event of each of these tables."""
        found = await self._read(_NEWEST, tables=list(tables))
        return {row.table_id: int(row.number) for row in found}

    async def delete(self, table: str) -> None:
        """The table with all that is known of it."""

        def work(connection: Connection) -> None:
            for kind in (EVENTS, TABLES, SEATS, FINISHED, REVIEWS, PRESENCE):
                connection.execute(delete(kind).where(kind.c.table_id == table))

        await self.writer.work(work)

    async def rebuild(self, digest: Callable[[Sequence[Row]], Digest]) -> int:
        """Derives everything anew from the events, and says of how many tables."""
        tables = [table async for table in self.all_tables()]
        digests = [digest(await self.events(table)) for table in tables]

        def work(connection: Connection) -> None:
            for kind in (TABLES, SEATS, FINISHED, REVIEWS):
                connection.execute(delete(kind))
            for statement in of_digests(digests, self.engines.dialect):
                connection.exec_driver_sql(*statement)

        await self.writer.work(work)
        return len(tables)

    # --- Tables at a glance --------------------------------------------------------------------------------------------------

    async def all_tables(self) -> AsyncIterator[str]:
        """Every table, by its events."""
        last = ""
        while found := await self._read(_ALL, last=last):
            for row in found:
                yield row.table_id
            last = found[-1].table_id

    async def due(self, now: float, limit: int = PAGE) -> list[str]:
        """Tables that must be looked after by now, the oldest first."""
        return [row.table_id for row in await self._read(_DUE, now=now, limit=limit)]

    async def tables(self, state: str | None = None) -> list[Digest]:
        """All tables, or those in one state, the newest first; without their seats."""
        query = select(TABLES).order_by(TABLES.c.created.desc(), TABLES.c.table_id)
        found = await self._read(query if state is None else query.where(TABLES.c.state == state))
        return [_digest(row, None) for row in found]

    async def tables_of(self, identity: str, limit: int = PAGE) -> list[Digest]:
        """The newest tables at which this identity sits, with its own outcome in the place of the seats."""
        found = await self._read(_TABLES_OF, identity=identity, limit=limit)
        return [_digest(row, ((identity, row.outcome),)) for row in found]

    async def unfinished_of(self, identity: str) -> int:
        """How many tables this identity has made that are not over."""
        return int((await self._read(_UNFINISHED, identity=identity))[0].many)

    async def outcomes_of(self, identity: str) -> dict[tuple[str, str], int]:
        """How many games of this identity ended how: by game and outcome."""
        found = await self._read(_OUTCOMES, identity=identity)
        return {(row.game, row.outcome): int(row.many) for row in found}

    async def faces(self) -> tuple[int, tuple[int, ...]]:
        """Over all games that are over: how many they are, and how often the server's dice showed each face."""
        (found,) = await self._read(_FACES)
        return int(found.games), tuple(int(getattr(found, f"face_{face}") or 0) for face in range(1, 7))

    async def counts(self) -> dict[str, int]:
        """How many tables are in each state."""
        return {row.state: int(row.many) for row in await self._read(_COUNTS)}

    # --- Who is there --------------------------------------------------------------------------------------------------------

    async def saw(self, present: Iterable[tuple[str, str]], now: float) -> None:
        """These followed these tables just now: table and identity."""
        rows = [{"table_id": table, "identity": identity, "seen": now} for table, identity in sorted(present)]
        if not rows:
            return

        def work(connection: Connection) -> None:
            connection.execute(upsert(PRESENCE, connection.dialect.name), rows)

        await self.writer.work(work)

    async def seen(self, tables: Iterable[str]) -> dict[tuple[str, str], float]:
        """When who followed these tables last, as all workers wrote it down."""
        found = await self._read(_SEEN, tables=list(tables))
        return {(row.table_id, row.identity): row.seen for row in found}

    async def forget_presence(self, before: float) -> None:
        """What nobody needs any more."""

        def work(connection: Connection) -> None:
            connection.execute(delete(PRESENCE).where(PRESENCE.c.seen < before))

        await self.writer.work(work)

    # --- Other workers -------------------------------------------------------------------------------------------------------

    def hints(self) -> AsyncGenerator[tuple[str, int] | None, None]:
        """As `hints.listen`; to be closed."""
        return hints.listen(self.engines, self.writer)

    async def notify(self, newest: Mapping[str, int]) -> None:
        """Tells other workers of new events."""
        if self.shared and newest:
            with translated():
                await hints.notify(self.engines, newest)

    async def _read(self, query: Executable, **values: object) -> Sequence[Found[Any]]:
        """Once more where the connection turned out to be an old one that is gone."""
        with translated():
            try:
                return await self._read_once(query, values)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return await self._read_once(query, values)

    async def _read_once(self, query: Executable, values: Mapping[str, object]) -> Sequence[Found[Any]]:
        async with self.engines.readers.connect() as connection:
            found: Sequence[Found[Any]] = (await connection.execute(query, values)).all()
            return found


def _row(found: Found[Any]) -> Row:
    return Row(found.table_id, found.number, found.time, found.body, found.identity, found.command_id)


def _digest(found: Found[Any], seats: tuple[tuple[str, str | None], ...] | None) -> Digest:
    return Digest(found.table_id, found.game, found.state, found.created, found.creator, found.wake, found.summary, seats)


_EVENTS: Final = (
    select(EVENTS)
    .where(EVENTS.c.table_id == bindparam("table"), EVENTS.c.number > bindparam("since"))
    .order_by(EVENTS.c.number)
)
_BEGINNINGS: Final = (
    select(EVENTS).join(TABLES, TABLES.c.table_id == EVENTS.c.table_id).where(EVENTS.c.number == 1, TABLES.c.state == "running")
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
    select(TABLES, SEATS.c.outcome)
    .join(SEATS, SEATS.c.table_id == TABLES.c.table_id)
    .where(SEATS.c.identity == bindparam("identity"))
    .order_by(TABLES.c.created.desc(), TABLES.c.table_id)
    .limit(bindparam("limit"))
)
_UNFINISHED: Final = (
    select(func.count().label("many"))
    .select_from(TABLES)
    .where(TABLES.c.creator == bindparam("identity"), TABLES.c.state != "over")
)
_OUTCOMES: Final = (
    select(TABLES.c.game, SEATS.c.outcome, func.count().label("many"))
    .join(SEATS, SEATS.c.table_id == TABLES.c.table_id)
    .where(SEATS.c.identity == bindparam("identity"), SEATS.c.outcome.is_not(None))
    .group_by(TABLES.c.game, SEATS.c.outcome)
)
_FACES: Final = select(
    func.count().label("games"), *(func.sum(FINISHED.c[f"face_{face}"]).label(f"face_{face}") for face in range(1, 7))
)
_COUNTS: Final = select(TABLES.c.state, func.count().label("many")).group_by(TABLES.c.state)
_SEEN: Final = select(PRESENCE).where(PRESENCE.c.table_id.in_(bindparam("tables", expanding=True)))
