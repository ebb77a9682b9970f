"""SQLite's writer: a thread, so that nothing else waits for the disk or for a lock.

Little is written by the event loop itself, which hands only the wait for the disk over: a sleeping
thread takes longer to wake than SQLite takes to write a few rows into the kernel's memory.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any, Final, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from dicecup.hosting.store.driver_errors import must_reconnect
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.store.tasks import OnWritten, Statement, Task, Work

BEGIN: Final = "BEGIN IMMEDIATE"
"""Takes SQLite's write lock at once. A transaction that asks for the lock at its first write can
fail there."""
HAND_OVER: Final = 0.001
"""Seconds that the event loop waits at most for the writing thread to run."""
SMALL: Final = 100
"""Values that the event loop writes itself at most: those of about ten rows."""
IN_A_ROW: Final = 100
"""Transactions of the event loop after which the thread writes one. Only the thread copies the
write-ahead log into the file, when it has become long."""

_WITHOUT_WAITING: Final = ("synchronous=NORMAL", "busy_timeout=0", "wal_autocheckpoint=0")
"""Pragmas with which a commit waits neither for the disk nor for a lock."""
_sync_data: Final = getattr(os, "fdatasync", os.fsync)


class SqliteWriter:
    """A thread with one connection, which the event loop uses while the thread does not.

    The thread waits at most `lock_timeout` seconds for another process that has locked the file.
    """

    def __init__(self, engine: Engine, lock_timeout: float) -> None:
        self._engine = engine
        self._waiting = "synchronous=FULL", f"busy_timeout={round(lock_timeout * 1000)}", "wal_autocheckpoint=1000"
        """Pragmas with which a commit waits."""
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: Connection | None = None
        self._log: int | None = None
        """The descriptor of the write-ahead log."""
        self._pragmas: tuple[str, ...] = self._waiting
        """Those of the connection; empty after an error in between."""
        self._in_a_row = 0
        self._works = 0
        """Transactions of work that changed rows."""
        self._writing: Future[None] | None = None

    def begin(self, task: Task, on_written: OnWritten) -> Future[None]:
        """Carry out `task` and call `on_written` in the running event loop. The task before must
        have called its own.

        Return when the task is committed and only has to be synced, or when the thread runs.
        Otherwise the thread would get the interpreter, and begin to write, only after the event
        loop has done everything else that it can do now.
        """
        waiting, loop = Lock(), asyncio.get_running_loop()
        waiting.acquire()
        if not callable(task) and (log := self._commit(task)) is not None:
            self._writing = self._thread.submit(self._run, waiting, partial(self._sync, log), on_written, loop)
            return self._writing
        step = partial(self._transaction, task) if callable(task) else partial(_run_statements, task)
        self._writing = self._thread.submit(self._run, waiting, partial(self._write, step), on_written, loop)
        waiting.acquire(timeout=HAND_OVER)
        return self._writing

    def revision(self) -> tuple[int, int] | None:
        """Return a value that changes with everything that is written, except for statements of
        this process. `None`: it is unknown while the thread works.

        `data_version` changes on a connection when another connection commits.
        """
        if self._connection is None or (self._writing is not None and not self._writing.done()):
            return None
        try:
            self._set_pragmas(self._connection, _WITHOUT_WAITING)
            (version,) = _driver(self._connection).execute("PRAGMA data_version").fetchone()
        except sqlite3.Error:
            return None
        return version, self._works

    async def synced(self) -> None:
        """Wait until everything that can be read now is on disk."""
        if self._writing is not None and not self._writing.done():
            await asyncio.wait([asyncio.wrap_future(self._writing)])

    def _commit(self, task: Sequence[Statement]) -> int | None:
        """Commit a few values in this thread without waiting.

        Return the descriptor of the log, which has to be synced, or `None` if nothing was written:
        too many values, the thread's turn, a lock, or an error that the thread will meet, too.
        """
        if self._connection is None or self._log is None or _size(task) > SMALL:
            return None
        self._in_a_row = (self._in_a_row + 1) % IN_A_ROW
        if self._in_a_row == 0:
            return None
        try:
            self._set_pragmas(self._connection, _WITHOUT_WAITING)
            _run_statements(task, self._connection)
        except sqlite3.Error:
            return None
        return self._log

    def _sync(self, log: int, connection: Connection) -> None:
        """Wait until the write-ahead log is on disk.

        After an error the kernel counts as written what it could not write. Then SQLite copies the
        log into the file, and waits for that. Raises `StoreError` (`storage-down`: the outcome is
        unknown).
        """
        try:
            _sync_data(log)
        except OSError as error:
            self._set_pragmas(connection, self._waiting)
            with suppress(sqlite3.Error):
                busy, _, _ = _driver(connection).execute("PRAGMA wal_checkpoint(FULL)").fetchone()
                if not busy:
                    return
            raise StoreError(StoreCode.DOWN) from error

    def _write(self, step: Callable[[Connection], Any], connection: Connection) -> Any:
        """Return the result of `step`, whose commit waits for the disk."""
        self._set_pragmas(connection, self._waiting)
        return step(connection)

    def _transaction(self, work: Work, connection: Connection) -> Any:
        """Return the result of `work` in a transaction, and count it if it changed rows."""
        before = _driver(connection).total_changes
        try:
            with connection.begin():
                return work(connection)
        finally:
            self._works += _driver(connection).total_changes != before

    def _set_pragmas(self, connection: Connection, pragmas: tuple[str, ...]) -> None:
        if pragmas != self._pragmas:
            self._pragmas = ()
            for pragma in pragmas:
                _driver(connection).execute(f"PRAGMA {pragma}")
            self._pragmas = pragmas

    def _run(
        self, waiting: Lock, step: Callable[[Connection], Any], on_written: OnWritten, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Run `step` in the thread, and pass its exception or its result to `on_written` in `loop`.
        `waiting` is released first.

        The first step opens the connection. A step that fails for another reason than its data, a
        lock or a full disk closes it: a connection to a file that could not be written once never
        writes again.
        """
        waiting.release()
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
                self._pragmas = self._waiting
            answer = step(self._connection)
            if self._log is None:
                self._log = _open_log(self._connection)
        except BaseException as error:  # noqa: BLE001 the callback receives it
            if must_reconnect(error):
                self._disconnect()
            loop.call_soon_threadsafe(on_written, error, None)
        else:
            loop.call_soon_threadsafe(on_written, None, answer)

    def _disconnect(self) -> None:
        self._close_log()
        with suppress(SQLAlchemyError, sqlite3.Error):
            if self._connection is not None:
                self._connection.invalidate()
                self._connection.close()
        self._connection = None

    def _close_log(self) -> None:
        if self._log is not None:
            os.close(self._log)
            self._log = None

    async def dispose(self) -> None:
        """End the thread and close the connection."""
        self._thread.shutdown()
        self._close_log()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


def _size(task: Sequence[Statement]) -> int:
    """Return the number of values of statements."""
    return sum(len(values) for _, executions in task for values in executions)


def _driver(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.dbapi_connection)


def _open_log(connection: Connection) -> int | None:
    """Return a descriptor of the write-ahead log, `None` if there is no such file.

    SQLite holds no locks on it, which would end when the descriptor is closed.
    """
    _, _, path = _driver(connection).execute("PRAGMA database_list").fetchone()
    try:
        return os.open(f"{path}-wal", os.O_RDWR)
    except OSError:
        return None


def _run_statements(statements: Sequence[Statement], connection: Connection) -> None:
    """Execute statements in one transaction with as few driver calls as possible.

    Every driver call releases the interpreter lock and waits to get it back.
    """
    driver = _driver(connection)
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
