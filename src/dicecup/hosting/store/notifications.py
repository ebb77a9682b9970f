"""Notifications between workers: a table has new events. They bring what is new along if it is
short, so that a worker that receives one need not read it from the database."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import Connection, text

from dicecup.hosting.store import driver
from dicecup.hosting.store.engines import Engines
from dicecup.hosting.store.rows import EventRow
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
"""Event number in a notification of the lobby that tells the new seek of an identity."""
SEEK_KEY: Final = "seek "
TOURNAMENT_KEY: Final = "tournament "
"""Before the id of a tournament in place of a table."""
REWRITTEN: Final = SEEK - 1
"""Event number in the notification of a table whose earlier events have another text."""
RECONNECT_DELAY: Final = 0.5
"""Seconds until a listener that lost its connection listens again."""

LONGEST_PAYLOAD: Final = 7_900
"""Bytes of a notification; PostgreSQL refuses 8 000."""
_NOTIFY: Final = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload"


class Change(NamedTuple):
    """The newest events of a table and the number of the last one. `rows` may be empty. `text`: a
    change that has no events, as JSON."""

    number: int
    rows: tuple[EventRow, ...] = ()
    text: str = ""

    def joined_to(self, earlier: "Change | None") -> "Change":
        """Return this change together with an earlier one that nobody was told of."""
        if earlier is None or not self.rows or not earlier.rows or earlier.rows[-1].number + 1 != self.rows[0].number:
            return self
        return Change(self.number, earlier.rows + self.rows)


class Notification(NamedTuple):
    """A table and the number of its newest event. `text` holds what is new as JSON, or nothing."""

    table: str
    number: int
    text: str = ""

    @property
    def rows(self) -> list[EventRow]:
        """The newest events of the table, in order. There may be none: they are a shortcut."""
        try:
            return [EventRow(self.table, *values) for values in orjson.loads(self.text)] if self.text else []
        except (ValueError, TypeError):  # another program has notified
            return []


class ListenerLost(Exception):  # noqa: N818 it is expected and handled, not an error
    """The connection of a listener has ended. Notifications may have been missed."""


class Notifications:
    """The notifications of one process. On PostgreSQL one connection listens, and notifies others
    while it does."""

    def __init__(self, engines: Engines, writer: Writer) -> None:
        self._engines = engines
        self._writer = writer
        self._listener: Any = None
        """The connection of asyncpg that listens."""
        self._asking = asyncio.Lock()
        """Held for every query on it."""

    def listen(self) -> AsyncGenerator[Notification | None, None]:
        """Yield notifications, first `None`, until the connection ends. `None`: any table may have
        changed. Raises `ListenerLost`."""
        return self._listen_postgresql() if self._engines.postgresql else _poll_sqlite(self._writer)

    async def notify(self, changes: Mapping[str, Change]) -> None:
        """Notify the other workers of changes, by table.

        The notification has a transaction of its own: NOTIFY in the transaction of a write makes
        all commits wait for each other.
        """
        payloads = [_payload(table, change) for table, change in changes.items()]
        if (listener := self._listener) is not None:
            async with self._asking:
                await listener.execute(_NOTIFY, CHANNEL, payloads)
            return
        async with self._engines.readers.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            await raw.execute(_NOTIFY, CHANNEL, payloads)

    async def _listen_postgresql(self) -> AsyncGenerator[Notification | None, None]:
        """Yield the notifications of one connection."""
        queue: asyncio.Queue[Notification | None] = asyncio.Queue()

        def receive(_connection: object, _process: int, _channel: str, payload: object) -> None:
            head, _, rows = str(payload).partition("\n")
            table, _, number = head.rpartition(",")
            if number.isdecimal():
                queue.put_nowait(Notification(table, int(number), rows))

        try:
            async with self._engines.readers.connect() as connection:
                listener: Any = (await connection.get_raw_connection()).driver_connection
                try:
                    listener.add_termination_listener(lambda _: queue.put_nowait(None))
                    await listener.add_listener(CHANNEL, receive)
                    self._listener = listener
                    yield None
                    while True:
                        try:
                            async with asyncio.timeout(HEARTBEAT):
                                notification = await queue.get()
                        except TimeoutError:
                            async with self._asking:
                                await listener.fetchval("SELECT 1", timeout=HEARTBEAT)
                        else:
                            if notification is None:
                                raise ListenerLost
                            yield notification
                finally:
                    self._listener = None
                    # keeps the listening connection from going back to the readers
                    await connection.invalidate()
        except driver.ERRORS as error:
            raise ListenerLost from error


def _payload(table: str, change: Change) -> str:
    """Return the text of a notification, without what is new if that is too long for one."""
    head = f"{table},{change.number}"
    text = orjson.dumps([row[1:] for row in change.rows]) if change.rows else change.text.encode()
    return f"{head}\n{text.decode()}" if text and len(head) + len(text) < LONGEST_PAYLOAD else head


async def _poll_sqlite(writer: Writer) -> AsyncGenerator[Notification | None, None]:
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
