"""SQLite's writer: a thread, so that a whole transaction is one step for the event loop."""

import asyncio
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
from dicecup.hosting.store.tasks import OnWritten, Statement, Task, Work

BEGIN: Final = "BEGIN IMMEDIATE"
"""Takes SQLite's write lock at once. A transaction that asks for the lock at its first write can
fail there."""
HAND_OVER: Final = 0.001
"""Seconds that the event loop waits at most for the writing thread to run."""


class SqliteWriter:
    """A thread with one connection."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: Connection | None = None

    def begin(self, task: Task, on_written: OnWritten) -> Future[None]:
        """Carry out `task` in the thread and call `on_written` in the running event loop.

        Return when the thread runs. Otherwise it would get the interpreter, and begin to write,
        only after the event loop has done everything else that it can do now.
        """
        step = partial(_transaction, task) if callable(task) else partial(_run_statements, task)
        waiting = Lock()
        waiting.acquire()
        written = self._thread.submit(self._run, waiting, step, on_written, asyncio.get_running_loop())
        waiting.acquire(timeout=HAND_OVER)
        return written

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
            answer = step(self._connection)
        except BaseException as error:  # noqa: BLE001 the callback receives it
            if must_reconnect(error):
                self._disconnect()
            loop.call_soon_threadsafe(on_written, error, None)
        else:
            loop.call_soon_threadsafe(on_written, None, answer)

    def _disconnect(self) -> None:
        with suppress(SQLAlchemyError, sqlite3.Error):
            if self._connection is not None:
                self._connection.invalidate()
                self._connection.close()
        self._connection = None

    async def dispose(self) -> None:
        """End the thread and close the connection."""
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


def _transaction(work: Work, connection: Connection) -> Any:
    with connection.begin():
        return work(connection)


def _run_statements(statements: Sequence[Statement], connection: Connection) -> None:
    """Execute statements in one transaction with as few driver calls as possible.

    Every driver call releases the interpreter lock and waits to get it back.
    """
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
