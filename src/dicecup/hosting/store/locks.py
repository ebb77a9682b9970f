"""Locks between the workers of a database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.store import Store
from dicecup.hosting.store.store_errors import StoreCode, StoreError

PATIENCE: Final = 15.0
"""Seconds to wait for the lock. Its holder may be frozen, or renew very many tables."""
PAUSE: Final = 0.1
"""Seconds between two attempts."""
_LOCK: Final = 0x74696D65
"""Key of PostgreSQL's advisory lock: any number that is the same in every worker."""


@asynccontextmanager
async def timeline_lock(store: Store) -> AsyncIterator[None]:
    """Hold the lock under which workers compare their tables with the database and begin a new
    timeline, one worker at a time.

    PostgreSQL releases it also when the connection of its holder ends. SQLite needs no lock: one
    server uses the file. Raises `StoreError`, after `PATIENCE` seconds `storage-down`.
    """
    if not store.shared:
        yield
        return
    with translated():
        connection = await _connected(store.engines.readers)
        try:
            await _lock(connection)
            yield
        finally:
            await connection.invalidate()  # the lock ends with the connection, whatever has happened to it
            await connection.close()


async def _lock(connection: AsyncConnection) -> None:
    """Wait for the lock. A query that waits would be ended by the time limit of answers."""
    until = monotonic() + PATIENCE
    while not (await connection.execute(_TRY, {"lock": _LOCK})).scalar_one():
        if monotonic() > until:
            raise StoreError(StoreCode.DOWN)
        await asyncio.sleep(PAUSE)


async def _connected(engine: AsyncEngine) -> AsyncConnection:
    """Return a connection that answers. The pool may hold one that the database has closed."""
    connection = await engine.connect()
    try:
        await connection.execute(text("SELECT 1"))
    except DBAPIError as error:
        await connection.close()
        if not error.connection_invalidated:
            raise
        return await engine.connect()
    return connection


_TRY: Final = text("SELECT pg_try_advisory_lock(:lock)")
