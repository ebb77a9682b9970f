"""SQLite's writer: a thread, so that nothing else waits for the disk or for a lock.

The event loop commits small transactions itself, and the thread only waits until they are on disk:
waking a thread takes longer than SQLite takes to write a few rows into the kernel's memory
(docs/decisions/0058).
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, NamedTuple, cast

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
MOST_VALUES: Final = 100
"""Values that the event loop writes itself at most, about ten rows. The thread writes more."""
THREAD_EVERY: Final = 100
"""Every so many small transactions the thread carries one out. Only a commit of the thread copies a
long write-ahead log into the database file."""

_WITHOUT_WAITING: Final = ("synchronous=NORMAL", "busy_timeout=0", "wal_autocheckpoint=0")
"""Pragmas with which a commit waits neither for the disk nor for a lock."""
_sync_data: Final = getattr(os, "fdatasync", os.fsync)


class _Step(NamedTuple):
    """What the thread carries out for a task: `run` with its connection, then `on_written` in
    `loop`. It releases `waiting` when it begins."""

    waiting: Lock
    run: Callable[[Connection], Any]
    on_written: OnWritten
    loop: asyncio.AbstractEventLoop


class SqliteWriter:
    """A thread with one connection, which the event loop uses while the thread does not.

    `begin` must not be called again before `on_written` was called. The thread waits at most
    `lock_timeout` seconds for another process that has locked the file.
    """

    def __init__(self, engine: Engine, lock_timeout: float) -> None:
        self._engine = engine
        self._for_thread = "synchronous=FULL", f"busy_timeout={round(lock_timeout * 1000)}", "wal_autocheckpoint=1000"
        """Pragmas with which a commit waits for the disk and for locks."""
        self._steps: SimpleQueue[_Step | None] = SimpleQueue()
        """Steps for the thread; `None` ends it. An executor would need as long to pass a step on as
        SQLite to write a row."""
        self._thread: Thread | None = None
        self._connection: Connection | None = None
        self._wal: int | None = None
        """File descriptor of the write-ahead log."""
        self._pragmas: tuple[str, ...] = self._for_thread
        """Pragmas of the connection now; empty if setting them failed."""
        self._small = 0
        """Number of small transactions."""
        self._changing_works = 0
        """Number of transactions of a `Work` that changed rows."""
        self._is_synced = asyncio.Event()
        """Set while the thread has nothing to do: all that can be read is on disk."""
        self._is_synced.set()

    def begin(self, task: Task, on_written: OnWritten) -> None:
        """Carry out `task` and call `on_written` in the running event loop.

        Return when the task is committed and only has to be synced, or when the thread runs.
        Otherwise the thread would get the interpreter, and begin to write, only after the event
        loop has done everything else that it can do now.
        """
        if not callable(task) and (wal := self._commit(task)) is not None:
            self._pass_on(partial(self._sync, wal), on_written)
            return
        step = partial(self._transaction, task) if callable(task) else partial(_run_statements, task)
        self._pass_on(partial(self._write, step), on_written).acquire(timeout=HAND_OVER)

    def _pass_on(self, run: Callable[[Connection], Any], on_written: OnWritten) -> Lock:
        """Let the thread carry out a step. Return a lock that it releases when it begins."""
        if self._thread is None:
            self._thread = Thread(target=self._carry_out_steps, name="writer", daemon=True)
            self._thread.start()
        self._is_synced.clear()
        waiting = Lock()
        waiting.acquire()
        self._steps.put(_Step(waiting, run, on_written, asyncio.get_running_loop()))
        return waiting

    def revision(self) -> tuple[int, int] | None:
        """Return a value that changes when the database does, except by statements of this process.
        Return `None` while the thread works: then it is unknown.

        The first number is SQLite's `data_version`, which changes on a connection when another
        connection commits. The second counts each `Work` that changed rows.
        """
        if self._connection is None or not self._is_synced.is_set():
            return None
        try:
            self._set_pragmas(self._connection, _WITHOUT_WAITING)
            (version,) = _driver(self._connection).execute("PRAGMA data_version").fetchone()
        except sqlite3.Error:
            return None
        return version, self._changing_works

    async def synced(self) -> None:
        """Wait until everything that can be read now is on disk."""
        await self._is_synced.wait()

    def _commit(self, task: Sequence[Statement]) -> int | None:
        """Carry out a small transaction in the event loop without waiting.

        Return the file descriptor of the write-ahead log, which has to be synced. Return `None` if
        nothing was written and the thread has to carry the task out: it is too large, it is the
        thread's turn, another process holds the lock, or SQLite raised an error, which the thread
        will report.
        """
        if self._connection is None or self._wal is None or _size(task) > MOST_VALUES:
            return None
        self._small += 1
        if self._small % THREAD_EVERY == 0:
            return None
        try:
            self._set_pragmas(self._connection, _WITHOUT_WAITING)
            _run_statements(task, self._connection)
        except sqlite3.Error:
            return None
        return self._wal

    def _sync(self, wal: int, connection: Connection) -> None:
        """Wait until the write-ahead log is on disk.

        After a failed sync the kernel does not write the same pages again. SQLite therefore copies
        the log into the database file and syncs that. Raises `StoreError` (`storage-down`: the
        outcome is unknown) if this fails, too.
        """
        try:
            _sync_data(wal)
        except OSError as error:
            self._set_pragmas(connection, self._for_thread)
            with suppress(sqlite3.Error):
                busy, _, _ = _driver(connection).execute("PRAGMA wal_checkpoint(FULL)").fetchone()
                if not busy:
                    return
            raise StoreError(StoreCode.DOWN) from error

    def _write(self, step: Callable[[Connection], Any], connection: Connection) -> Any:
        """Return the result of `step`. Its commit waits for the disk and for locks."""
        self._set_pragmas(connection, self._for_thread)
        return step(connection)

    def _transaction(self, work: Work, connection: Connection) -> Any:
        """Return the result of `work` in a transaction, and count it if it changed rows."""
        before = _driver(connection).total_changes
        try:
            with connection.begin():
                return work(connection)
        finally:
            self._changing_works += _driver(connection).total_changes != before

    def _set_pragmas(self, connection: Connection, pragmas: tuple[str, ...]) -> None:
        if pragmas != self._pragmas:
            self._pragmas = ()
            for pragma in pragmas:
                _driver(connection).execute(f"PRAGMA {pragma}")
            self._pragmas = pragmas

    def _carry_out_steps(self) -> None:
        """Carry out steps in the thread until the end of the queue."""
        while (step := self._steps.get()) is not None:
            step.waiting.release()
            error, answer = self._result(step.run)
            step.loop.call_soon_threadsafe(self._written, step.on_written, error, answer)
            del step, error, answer  # nothing is kept in memory while the next step is awaited

    def _result(self, run: Callable[[Connection], Any]) -> tuple[BaseException | None, Any]:
        """Return the exception of a step, or its result.

        The first step opens the connection. A step that fails for another reason than its data, a
        lock or a full disk closes it: a connection to a file that could not be written once never
        writes again.
        """
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
                self._pragmas = self._for_thread
            answer = run(self._connection)
            if self._wal is None:
                self._wal = _open_wal(self._connection)
        except BaseException as error:  # noqa: BLE001 the callback receives it
            if must_reconnect(error):
                self._disconnect()
            return error, None
        return None, answer

    def _written(self, on_written: OnWritten, error: BaseException | None, answer: Any) -> None:
        """Answer a task in the event loop. `on_written` may begin the next one."""
        self._is_synced.set()
        on_written(error, answer)

    def _disconnect(self) -> None:
        self._close_wal()
        with suppress(SQLAlchemyError, sqlite3.Error):
            if self._connection is not None:
                self._connection.invalidate()
                self._connection.close()
        self._connection = None

    def _close_wal(self) -> None:
        if self._wal is not None:
            os.close(self._wal)
            self._wal = None

    async def dispose(self) -> None:
        """End the thread and close the connection."""
        if self._thread is not None:
            self._steps.put(None)
            self._thread.join()
            self._thread = None
        self._close_wal()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


def _size(task: Sequence[Statement]) -> int:
    """Return the number of values of statements."""
    return sum(len(values) for _, executions in task for values in executions)


def _driver(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.dbapi_connection)


def _open_wal(connection: Connection) -> int | None:
    """Return a file descriptor of the write-ahead log, `None` if there is no such file.

    Closing a descriptor ends all locks of this process on the file. SQLite has none on this one.
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
