"""PostgreSQL's writer: one connection, which is kept as long as it works."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from dicecup.hosting.store import driver
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.store.tasks import OnWritten, Statement, Task


class PostgresqlWriter:
    """A connection whose transactions run one after another.

    Statements go to the driver directly, because every action of a person passes here and needs
    nothing of what SQLAlchemy does for each (docs/decisions/0055).
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        """The connection of asyncpg under `_connection`."""

    def begin(self, task: Task, on_written: OnWritten) -> asyncio.Task[Any]:
        """Carry out `task` and call `on_written`."""
        writing = asyncio.get_running_loop().create_task(self._write(task))
        writing.add_done_callback(partial(_call_back, on_written))
        return writing

    async def _write(self, task: Task) -> Any:
        """Carry out a task in one transaction. Return the result of a `Work`, `None` for
        statements.

        A broken connection is closed, and the next task opens one.
        """
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
                self._driver = (await self._connection.get_raw_connection()).driver_connection
            if callable(task):
                async with self._connection.begin():
                    return await self._connection.run_sync(task)
            await _run_statements(self._driver, task)
        except BaseException as error:
            if self._is_broken(error):
                await self._disconnect()
            raise

    def _is_broken(self, error: BaseException) -> bool:
        """Return whether the connection cannot be used after an error. An answer that did not come
        in time may come later."""
        if self._connection is None or self._driver is None:
            return True
        if isinstance(error, (OSError, asyncio.CancelledError, *driver.BROKEN)):
            return True
        return self._connection.invalidated or self._driver.is_closed()

    async def _disconnect(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            with suppress(*driver.ERRORS):
                await connection.invalidate()
                await connection.close()

    async def dispose(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            with suppress(*driver.ERRORS):
                await self._connection.close()
        await self._engine.dispose()


async def _run_statements(connection: Any, statements: Sequence[Statement]) -> None:
    """Execute statements in one transaction. A single execution is a transaction by itself, which
    saves two round trips."""
    if len(statements) == len(statements[0][1]) == 1:
        await connection.execute(statements[0][0], *statements[0][1][0])
        return
    async with connection.transaction():
        for text, values in statements:
            await connection.executemany(text, values)


def _call_back(on_written: OnWritten, writing: asyncio.Task[Any]) -> None:
    error = StoreError(StoreCode.DOWN) if writing.cancelled() else writing.exception()
    on_written(error, None if error is not None else writing.result())
