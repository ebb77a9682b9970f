"""Word of what other processes wrote. Only a hint: whoever hears it reads the events."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

import asyncpg
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from dicecup.hosting.store.engines import Engines
from dicecup.hosting.store.writer import Writer

CHANNEL: Final = "dicecup"
HEARTBEAT: Final = 5.0
"""Seconds between two questions whether PostgreSQL is still there: a listener does not notice a dead peer."""
GLANCE: Final = 1.0
"""Seconds between two glances at whether another process wrote into the SQLite file."""
GONE: Final = 2**31 - 1
"""The newest number of a table that was deleted."""
AGAIN: Final = 0.5
"""Seconds until a lost listener subscribes again."""


class Lost(Exception):  # noqa: N818 it says so itself
    """Nothing is heard any more."""


def listen(engines: Engines, writer: Writer) -> AsyncGenerator[tuple[str, int] | None, None]:
    """A table and its newest number, or `None`: anything may have changed, as when one has just begun to listen. Raises `Lost`; then
    it is for the caller to begin again."""
    return _postgresql(engines) if engines.postgresql else _sqlite(writer)


async def _sqlite(writer: Writer) -> AsyncGenerator[tuple[str, int] | None, None]:
    """The writer's own connection sees this number change only when another connection commits."""

    def version(connection: Connection) -> int:
        return int(connection.execute(text("PRAGMA data_version")).scalar_one())

    before = -1
    while True:
        try:
            now = await writer.work(version)
        except Exception as error:  # whatever it is, nothing is heard
            raise Lost from error
        if now != before:
            before = now
            yield None
        await asyncio.sleep(GLANCE)


async def _postgresql(engines: Engines) -> AsyncGenerator[tuple[str, int] | None, None]:
    """One connection that does nothing else."""
    queue: asyncio.Queue[tuple[str, int] | None] = asyncio.Queue()

    def hear(_connection: object, _process: int, _channel: str, payload: object) -> None:
        table, _, number = str(payload).rpartition(",")
        if number.isdecimal():
            queue.put_nowait((table, int(number)))

    try:
        async with engines.readers.connect() as connection:
            listener: Any = (await connection.get_raw_connection()).driver_connection
            try:
                listener.add_termination_listener(lambda _: queue.put_nowait(None))
                await listener.add_listener(CHANNEL, hear)
                yield None
                while True:
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            hint = await queue.get()
                    except TimeoutError:
                        await listener.fetchval("SELECT 1", timeout=HEARTBEAT)
                    else:
                        if hint is None:
                            raise Lost
                        yield hint
            finally:
                await connection.invalidate()  # no other reader shall hear what this one listens to
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, SQLAlchemyError) as error:
        raise Lost from error


async def notify(engines: Engines, hints: Mapping[str, int]) -> None:
    """Tells the other workers, in a transaction of its own: within the one that writes, NOTIFY makes all commits wait for each
    other."""
    rows = [{"channel": CHANNEL, "payload": f"{table},{number}"} for table, number in hints.items()]
    async with engines.readers.connect() as connection:
        await connection.execute(text("SELECT pg_notify(:channel, :payload)"), rows)
