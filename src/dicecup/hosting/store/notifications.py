"""Notifications between workers: a table has new events. A worker that receives one reads the
events itself."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, text

from dicecup.hosting.store import driver
from dicecup.hosting.store.engines import Engines
from dicecup.hosting.store.writer import Writer

CHANNEL: Final = "dicecup"
HEARTBEAT: Final = 5.0
"""Seconds of silence after which the listener checks its connection, which does not notice a dead
peer by itself."""
POLL_INTERVAL: Final = 1.0
"""Seconds between two checks whether another process wrote to the SQLite file."""
DELETED: Final = 2**31 - 1
"""Event number in the notification of a deleted table."""
CREDENTIALS_ENDED: Final = DELETED - 1
"""Event number in a notification with an identity in place of a table: credentials of it ended."""
CHANNELS_CHANGED: Final = CREDENTIALS_ENDED - 1
"""Event number in a notification with an identity: its channels have changed."""
LOBBY: Final = CHANNELS_CHANGED - 1
"""Event number in a notification of the lobby, with an identity in place of a table."""
LOBBY_KEY: Final = "lobby "
"""Before that identity, so that it does not replace another notification of the identity."""
SEEK: Final = LOBBY - 1
"""Event number in a notification of the lobby of which only the seek of an identity is new."""
SEEK_KEY: Final = "seek "
TOURNAMENT_KEY: Final = "tournament "
"""Before the id of a tournament in place of a table."""
REWRITTEN: Final = SEEK - 1
"""Event number in the notification of a table whose earlier events have another text."""
RECONNECT_DELAY: Final = 0.5
"""Seconds until a listener that lost its connection listens again."""

Notification: TypeAlias = tuple[str, int] | None
"""A table and the number of its newest event. `None`: any table may have changed."""


class ListenerLost(Exception):  # noqa: N818 it is expected and handled, not an error
    """The connection of a listener has ended. Notifications may have been missed."""


def listen(engines: Engines, writer: Writer) -> AsyncGenerator[Notification, None]:
    """Yield notifications, first `None`, until the connection ends. Raises `ListenerLost`."""
    return _listen_postgresql(engines) if engines.postgresql else _poll_sqlite(writer)


async def notify(engines: Engines, newest: Mapping[str, int]) -> None:
    """Notify the other workers of the newest event number of each table.

    The notification has a transaction of its own: NOTIFY in the transaction of a write makes all
    commits wait for each other.
    """
    rows = [{"channel": CHANNEL, "payload": f"{table},{number}"} for table, number in newest.items()]
    async with engines.readers.connect() as connection:
        await connection.execute(text("SELECT pg_notify(:channel, :payload)"), rows)


async def _poll_sqlite(writer: Writer) -> AsyncGenerator[Notification, None]:
    """Yield `None` whenever another process has written.

    `data_version` changes on the writer's connection only when another connection commits.
    """

    def version(connection: Connection) -> int:
        return int(connection.execute(text("PRAGMA data_version")).scalar_one())

    before = -1
    while True:
        try:
            now = await writer.work(version)
        except Exception as error:
            raise ListenerLost from error
        if now != before:
            before = now
            yield None
        await asyncio.sleep(POLL_INTERVAL)


async def _listen_postgresql(engines: Engines) -> AsyncGenerator[Notification, None]:
    """Yield the notifications of one connection that does nothing else."""
    queue: asyncio.Queue[Notification] = asyncio.Queue()

    def receive(_connection: object, _process: int, _channel: str, payload: object) -> None:
        table, _, number = str(payload).rpartition(",")
        if number.isdecimal():
            queue.put_nowait((table, int(number)))

    try:
        async with engines.readers.connect() as connection:
            listener: Any = (await connection.get_raw_connection()).driver_connection
            try:
                listener.add_termination_listener(lambda _: queue.put_nowait(None))
                await listener.add_listener(CHANNEL, receive)
                yield None
                while True:
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            notification = await queue.get()
                    except TimeoutError:
                        await listener.fetchval("SELECT 1", timeout=HEARTBEAT)
                    else:
                        if notification is None:
                            raise ListenerLost
                        yield notification
            finally:
                # keeps the listening connection from going back to the readers
                await connection.invalidate()
    except driver.ERRORS as error:
        raise ListenerLost from error
