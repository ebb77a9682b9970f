"""The way into a database: how SQLite and PostgreSQL are opened for writing and for reading."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, TypeAlias, cast

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.hosting.store.statements import Statement

READERS: Final = 4
"""Connections that read, a process."""
LISTENERS: Final = 1
"""And one that hears of what others write (PostgreSQL)."""
CONNECT_WITHIN: Final = 5
ANSWER_WITHIN: Final = 15
"""Seconds after which a PostgreSQL that says nothing counts as gone."""
LOCKED_FOR: Final = 10
"""Seconds that somebody else may hold SQLite's file."""
BEGIN: Final = "BEGIN IMMEDIATE"
"""A transaction that only asks for SQLite's lock when it writes may fail then."""

Work: TypeAlias = Callable[[Connection], Any]
"""What is done in a transaction."""
Then: TypeAlias = Callable[[BaseException | None, Any], object]
"""Told what became of it: the error, or what was answered."""


class OneWriter:
    """SQLite's: a thread with one connection, open as long as the thread lives, so that a whole transaction is one step for the event
    loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: Connection | None = None

    def begin(self, step: Callable[[Connection], Any], then: Then) -> Future[None]:
        """Does it in the thread."""
        return self._thread.submit(self._do, step, then, asyncio.get_running_loop())

    def _do(self, step: Callable[[Connection], Any], then: Then, loop: asyncio.AbstractEventLoop) -> None:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            answer = step(self._connection)
        except BaseException as error:  # noqa: BLE001 it is raised where it is waited for
            loop.call_soon_threadsafe(then, error, None)
        else:
            loop.call_soon_threadsafe(then, None, answer)

    async def dispose(self) -> None:
        """Closes the connection."""
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


@dataclass(frozen=True, slots=True)
class Engines:
    """`dialect`: sqlite or postgresql. `writer` has one connection, whose transactions are serial. `readers` has several connections, each
    statement on its own."""

    dialect: str
    writer: AsyncEngine | OneWriter
    readers: AsyncEngine

    @property
    def postgresql(self) -> bool:
        """Whether several machines can share it."""
        return self.dialect == "postgresql"

    def begin(self, task: Work | Sequence[Statement], then: Then) -> object:
        """Writes all of this, or nothing, beside everything else; `then` is told once that is done. Statements are in the driver's words:
        what it raises may be SQLite's own. A single one is a transaction by itself. What is answered is to be held until then."""
        if isinstance(self.writer, OneWriter):
            step = partial(_transaction, task) if callable(task) else partial(_run, task)
            return self.writer.begin(step, then)
        writing = asyncio.get_running_loop().create_task(self._write(self.writer, task))
        writing.add_done_callback(partial(_done, then))
        return writing

    async def write(self, work: Work) -> Any:
        """What `work` answers, in a transaction."""
        done = asyncio.get_running_loop().create_future()
        _held = self.begin(work, partial(resolve, done))
        return await done

    async def _write(self, writer: AsyncEngine, task: Work | Sequence[Statement]) -> Any:
        if callable(task):
            async with writer.begin() as connection:
                return await connection.run_sync(task)
        one = len(task) == len(task[0][1]) == 1
        single = writer.execution_options(isolation_level="AUTOCOMMIT")
        async with single.connect() if one else writer.begin() as connection:
            for statement in task:
                await connection.exec_driver_sql(*statement)
        return None

    async def dispose(self) -> None:
        """Closes every connection."""
        await self.writer.dispose()
        await self.readers.dispose()


def _transaction(work: Work, connection: Connection) -> Any:
    with connection.begin():
        return work(connection)


def _run(statements: Sequence[Statement], connection: Connection) -> None:
    """Each call gives the interpreter to other threads and has to wait for it again: no more of them than it takes."""
    driver = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    if len(statements) == len(statements[0][1]) == 1:
        driver.execute(statements[0][0], statements[0][1][0])
        return
    driver.execute(BEGIN)
    try:
        for text, values in statements:
            driver.executemany(text, values)
        driver.execute("COMMIT")
    except BaseException:
        driver.rollback()
        raise


def _done(then: Then, writing: asyncio.Task[Any]) -> None:
    error = StoreError(StoreCode.DOWN) if writing.cancelled() else writing.exception()
    then(error, None if error is not None else writing.result())


def resolve(waiting: asyncio.Future[Any], error: BaseException | None, answer: Any) -> None:
    """Tells whoever still waits."""
    if waiting.done():
        return
    if error is None:
        waiting.set_result(answer)
    else:
        waiting.set_exception(error)


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
    return Engines("postgresql", writer, readers)


def _pool(connections: int) -> dict[str, Any]:
    return {"pool_size": connections, "max_overflow": 0, "pool_reset_on_return": None}


def _sqlite(url: URL) -> Engines:
    writer = create_engine(url.set(drivername="sqlite"), **_pool(1))
    readers = create_async_engine(url, **_pool(READERS))
    for engine in (writer, readers.sync_engine):
        event.listen(engine, "connect", _prepare)

    @event.listens_for(writer, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql(BEGIN)

    return Engines("sqlite", OneWriter(writer), readers)


def _prepare(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    cursor = connection.cursor()
    _write_ahead(cursor)
    for pragma in ("synchronous=FULL", f"busy_timeout={LOCKED_FOR * 1000}", "cache_size=-8000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _write_ahead(cursor: DBAPICursor) -> None:
    """Of several that open a new file together one changes its mode, and SQLite refuses the others at once, however long they would wait."""
    until = monotonic() + LOCKED_FOR
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return
