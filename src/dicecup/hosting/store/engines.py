"""Connections to the database: how SQLite and PostgreSQL are opened for writing and for reading."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from stat import S_IMODE
from time import monotonic, sleep
from typing import Any, Final

from sqlalchemy import Connection, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from dicecup.core.shown_url import shown_url
from dicecup.hosting.store import driver
from dicecup.hosting.store.faults import StorageFaults
from dicecup.hosting.store.postgresql_writer import PostgresqlWriter
from dicecup.hosting.store.sqlite_readers import ReadingConnections
from dicecup.hosting.store.sqlite_writer import BEGIN, SqliteWriter
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.store.tasks import OnWritten, Task, Work

READERS: Final = 4
"""Connections of a process that read."""
LISTENERS: Final = 1
"""Connections of a process that listen to PostgreSQL's notifications."""
CONNECT_TIMEOUT: Final = 5
ANSWER_TIMEOUT: Final = 15
"""Seconds without an answer after which PostgreSQL counts as down."""
LOCK_TIMEOUT: Final = 10
"""Seconds to wait for another process that has locked the SQLite file."""
MOST_PORT: Final = 65_535
PRIVATE: Final = 0o600
"""Mode of a new SQLite file. SQLite gives its files `-wal` and `-shm` the same mode."""


@dataclass(frozen=True, slots=True)
class Engines:
    """Connections of one process.

    `dialect` is `sqlite` or `postgresql`. `faults` are those of the database. `writer` has one
    connection, so its transactions run one after another. `readers` has several connections without
    transactions; on SQLite `reading` opens them.
    """

    dialect: str
    faults: StorageFaults
    writer: SqliteWriter | PostgresqlWriter
    readers: AsyncEngine
    reading: ReadingConnections | None = None

    @property
    def postgresql(self) -> bool:
        """Return whether several machines can share the database."""
        return self.dialect == "postgresql"

    def begin(self, task: Task, on_written: OnWritten) -> object:
        """Start to write all of `task` in one transaction and call `on_written` after the commit or
        the rollback.

        The caller must hold the returned object until then. Exceptions may be the driver's own.
        """
        return self.writer.begin(task, on_written)

    def revision(self) -> object | None:
        """Return a value that changes when any program changes the database, except by the appends
        of this process. Return `None` if it is unknown, as always on PostgreSQL."""
        return self.writer.revision() if isinstance(self.writer, SqliteWriter) else None

    async def write(self, work: Work) -> Any:
        """Return the result of `work` in a transaction of its own."""
        done = asyncio.get_running_loop().create_future()
        _held = self.begin(work, partial(resolve, done))
        return await done

    async def dispose(self) -> None:
        """Close every connection. No thread of a connection calls the event loop afterwards."""
        await self.writer.dispose()
        await self.readers.dispose()
        if self.reading is not None:
            await self.reading.join()


def resolve(waiting: asyncio.Future[Any], error: BaseException | None, answer: Any) -> None:
    """Set the result or the exception of a future, unless it is done (cancelled, for example)."""
    if waiting.done():
        return
    if error is None:
        waiting.set_result(answer)
    else:
        waiting.set_exception(error)


def database_url(text: str) -> URL:
    """Return the URL with the driver that Dicecup uses.

    Raises `StoreError` (`not-a-database`, which does not show the password, and `no-driver`).
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # ValueError: the port is no number
        raise StoreError(StoreCode.NOT_A_DATABASE, text=shown_url(text)) from None
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    backend = url.drivername.partition("+")[0]
    no_file = backend == "sqlite" and url.database in (None, "", ":memory:")
    if backend not in drivers or no_file or (url.port is not None and not 0 < url.port <= MOST_PORT):
        raise StoreError(StoreCode.NOT_A_DATABASE, text=shown_url(text))
    if backend != "sqlite" and not driver.is_installed():
        raise StoreError(StoreCode.NO_DRIVER)
    # libpq's name of the parameter that asyncpg calls ssl
    if (mode := url.query.get("sslmode")) is not None:
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    return url.set(drivername=drivers[backend])


def sqlite_url(path: Path) -> URL:
    """Return the URL of an SQLite file."""
    return URL.create("sqlite+aiosqlite", database=str(path))


def open_engines(url: URL) -> Engines:
    """Return engines for the database. They connect when they are first used."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    arguments = {
        "timeout": CONNECT_TIMEOUT,
        "command_timeout": ANSWER_TIMEOUT,
        "server_settings": {"application_name": "dicecup"},
    }
    writer = create_async_engine(url, **_pool(1), connect_args=arguments)
    readers = create_async_engine(url, **_pool(READERS + LISTENERS), connect_args=arguments, isolation_level="AUTOCOMMIT")
    faults = StorageFaults(shown_url(url.render_as_string(hide_password=False)))
    return Engines("postgresql", faults, PostgresqlWriter(writer), readers)


def _pool(connections: int) -> dict[str, Any]:
    return {"pool_size": connections, "max_overflow": 0, "pool_reset_on_return": None}


def _sqlite(url: URL) -> Engines:
    """Return the connections to an SQLite file.

    Every transaction of the writer takes the write lock at its beginning.
    """
    writer = create_engine(url.set(drivername="sqlite"), **_pool(1))
    writing = SqliteWriter(writer, LOCK_TIMEOUT)
    reading = ReadingConnections(writing.synced)
    readers = create_async_engine(url, **_pool(READERS), connect_args={"async_creator_fn": reading})
    for engine in (writer, readers.sync_engine):
        event.listen(engine, "do_connect", _create_private)
        event.listen(engine, "connect", _prepare)

    @event.listens_for(writer, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql(BEGIN)

    return Engines("sqlite", StorageFaults(Path(str(url.database))), writing, readers, reading)


def _create_private(_dialect: object, _record: object, arguments: Sequence[object], _parameters: object) -> None:
    """Create a missing SQLite file before SQLite does, so that only its owner can ever read it.

    Give the files of its write-ahead log the same mode: files from a time when the database was
    read-only would stay read-only.
    """
    path = Path(str(arguments[0]))
    with suppress(OSError):  # opening the file raises an error with the reason
        path.touch(PRIVATE, exist_ok=False)
    for beside in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        with suppress(OSError):
            if beside.stat().st_mode != (mode := path.stat().st_mode):
                beside.chmod(S_IMODE(mode))


def _prepare(connection: DBAPIConnection, _record: object) -> None:
    """Set the pragmas of a new SQLite connection, and close it if this fails."""
    connection.isolation_level = None  # keeps the driver from beginning transactions by itself
    try:
        cursor = connection.cursor()
        _switch_to_wal(cursor)
        for pragma in ("synchronous=FULL", f"busy_timeout={round(LOCK_TIMEOUT * 1000)}", "cache_size=-8000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except BaseException:
        connection.close()
        raise


def _switch_to_wal(cursor: DBAPICursor) -> None:
    """Switch the file to write-ahead logging, again and again for `LOCK_TIMEOUT` seconds.

    While one process switches a new file, SQLite refuses all others at once, without waiting for
    `busy_timeout`.
    """
    until = monotonic() + LOCK_TIMEOUT
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return
