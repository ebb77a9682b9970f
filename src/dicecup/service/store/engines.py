"""The way into a database: how SQLite and PostgreSQL are opened for writing and for reading."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from dicecup.service.store.errors import StoreCode, StoreError

READERS: Final = 4
"""Connections that read, a process."""
LISTENERS: Final = 1
"""And one that hears of what others write (PostgreSQL)."""
CONNECT_WITHIN: Final = 5
ANSWER_WITHIN: Final = 15
"""Seconds after which a PostgreSQL that says nothing counts as gone."""


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Engines:
    """`writer` has one connection, whose transactions are serial: SQLite's in a `thread` of its own, so that a whole transaction is one
    step for the event loop. `readers` has several connections, each statement on its own."""

    url: URL
    writer: AsyncEngine | Engine
    readers: AsyncEngine
    thread: ThreadPoolExecutor | None = None

    @property
    def postgresql(self) -> bool:
        """Whether several machines can share it."""
        return self.url.get_backend_name() == "postgresql"

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers, in a transaction."""
        if isinstance(self.writer, Engine):
            return await asyncio.get_running_loop().run_in_executor(self.thread, _transaction, self.writer, work)
        async with self.writer.begin() as connection:
            return await connection.run_sync(work)

    async def insert(self, statement: str, values: tuple[object, ...]) -> None:
        """One statement in the driver's words, which is a transaction by itself: in SQLite one step for the interpreter, in PostgreSQL one
        question. Raises also what SQLite's own driver raises."""
        if isinstance(self.writer, Engine):
            await asyncio.get_running_loop().run_in_executor(self.thread, _insert, self.writer, statement, values)
        else:
            async with self.writer.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
                await connection.exec_driver_sql(statement, values)

    async def dispose(self) -> None:
        """Closes every connection."""
        if isinstance(self.writer, Engine):
            self.writer.dispose()
        else:
            await self.writer.dispose()
        if self.thread is not None:
            self.thread.shutdown()
        await self.readers.dispose()


def _transaction(engine: Engine, work: Callable[[Connection], Result]) -> Result:
    with engine.begin() as connection:
        return work(connection)


def _insert(engine: Engine, statement: str, values: tuple[object, ...]) -> None:
    connection = engine.raw_connection()
    try:
        connection.cursor().execute(statement, values)
    finally:
        connection.close()


def database_url(text: str) -> URL:
    """The URL with the driver that Dicecup brings. Raises `StoreError` (`not-a-database`)."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError(StoreCode.NOT_A_DATABASE, text=text) from None
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    if (backend := url.drivername.partition("+")[0]) not in drivers or (
        backend == "sqlite" and url.database in (None, "", ":memory:")
    ):
        raise StoreError(StoreCode.NOT_A_DATABASE, text=url.render_as_string())
    if (mode := url.query.get("sslmode")) is not None:  # what every other program calls what this driver calls ssl
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    return url.set(drivername=drivers[backend])


def sqlite_url(path: Path) -> URL:
    """The URL of a database file."""
    return URL.create("sqlite+aiosqlite", database=str(path))


def open_engines(url: URL) -> Engines:
    """Nothing is connected yet."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    waiting = {"timeout": CONNECT_WITHIN, "command_timeout": ANSWER_WITHIN, "server_settings": {"application_name": "dicecup"}}
    writer = create_async_engine(url, **_pool(1), connect_args=waiting)
    readers = create_async_engine(url, **_pool(READERS + LISTENERS), connect_args=waiting, isolation_level="AUTOCOMMIT")
    return Engines(url, writer, readers)


def _pool(connections: int) -> dict[str, Any]:
    return {"pool_size": connections, "max_overflow": 0, "pool_reset_on_return": None}


def _sqlite(url: URL) -> Engines:
    writer = create_engine(url.set(drivername="sqlite"), **_pool(1))
    readers = create_async_engine(url, **_pool(READERS))
    for engine in (writer, readers.sync_engine):
        event.listen(engine, "connect", _prepare)

    @event.listens_for(writer, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # a transaction that only asks for the lock when it writes may fail then

    return Engines(url, writer, readers, ThreadPoolExecutor(1, "writer"))


def _prepare(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "cache_size=-8000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
