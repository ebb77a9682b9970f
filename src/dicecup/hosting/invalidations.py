"""Invalidations: workers notify each other of changed tables, and take the events over."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Final

from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.loaded_tables import TableCache
from dicecup.hosting.publisher import publish_trouble
from dicecup.hosting.store import Store
from dicecup.hosting.store.notifications import (
    CHANNELS_CHANGED,
    CREDENTIALS_ENDED,
    DELETED,
    LOBBY,
    LOBBY_KEY,
    RECONNECT_DELAY,
    REWRITTEN,
    SEEK,
    SEEK_KEY,
    TOURNAMENT_KEY,
    Change,
    Notification,
)
from dicecup.hosting.store.rows import EventRow
from dicecup.hosting.store.store_errors import StoreCode

GATHER: Final = 0.05
"""Seconds after a notification in which the next ones are gathered, unless people at other workers
wait for one: every worker wakes for each. A notification that comes alone does not wait."""


class Invalidations:
    """Sends notifications of this worker's changes and receives those of the others.

    `trouble` is the code of the reason for which the database cannot be used, or empty. `recheck`
    checks the credentials of an identity, or of all, and `read_channels` reads their channels.
    Functions in `on_lobby` are called with the identity that a change of the lobby concerns, or
    with an empty text if such changes may have been missed, those in `on_seek` with an identity and
    the text of its new seek, which may be empty.
    """

    def __init__(
        self,
        store: Store,
        cache: TableCache,
        tasks: BackgroundTasks,
        recheck: Callable[[str | None], Awaitable[None]],
        read_channels: Callable[[str | None], Awaitable[None]],
    ) -> None:
        self.trouble = ""
        self._store = store
        self._cache = cache
        self._tasks = tasks
        self._recheck = recheck
        self._read_channels = read_channels
        self.on_lobby: list[Callable[[str], None]] = []
        self.on_seek: list[Callable[[str, str], None]] = []
        self.on_tournament: list[Callable[[str], None]] = []
        self._changes: dict[str, Change] = {}
        self._announced = asyncio.Event()
        self._awaited = asyncio.Event()

    def start(self) -> None:
        """Begin to send and to receive."""
        self._tasks.repeat(self._receive, RECONNECT_DELAY)
        self._tasks.repeat(self._send, RECONNECT_DELAY)

    def announce(self, table: str, number: int, rows: tuple[EventRow, ...] = (), text: str = "") -> None:
        """Notify the other workers of the newest event of a table or that it is `REWRITTEN`, or
        with `CREDENTIALS_ENDED` or `CHANNELS_CHANGED` of an identity. `rows` are the new events, if
        people at other workers may wait for them. `text`: a change that has no events, as JSON."""
        if self._store.shared:
            self._changes[table] = Change(number, rows, text).joined_to(self._changes.get(table))
            self._announced.set()
            if rows:
                self._awaited.set()

    def forget_rewritten(self, table: str) -> None:
        """Let this worker and the others read a table again whose earlier events have another
        text."""
        self._cache.forget([table])
        self.announce(table, REWRITTEN)

    def announce_lobby(self, identity: str) -> None:
        """Notify the other workers of a change of the lobby that concerns an identity."""
        self.announce(f"{LOBBY_KEY}{identity}", LOBBY)

    def announce_seek(self, identity: str, text: str) -> None:
        """Notify the other workers of the new seek of an identity. They read it from `text`."""
        self.announce(f"{SEEK_KEY}{identity}", SEEK, text=text)

    def _call_lobby(self, identity: str) -> None:
        for call in self.on_lobby:
            call(identity)

    def _call_seek(self, identity: str, text: str) -> None:
        for call in self.on_seek:
            call(identity, text)

    def announce_tournament(self, tournament: str, number: int) -> None:
        """Notify the other workers of the newest event of a tournament."""
        self.announce(f"{TOURNAMENT_KEY}{tournament}", number)

    def _call_tournaments(self, tournament: str) -> None:
        for call in self.on_tournament:
            call(tournament)

    async def _send(self) -> None:
        """Send notifications, and repeat those that failed. Raises `StoreError`."""
        while True:
            await self._announced.wait()
            self._announced.clear()
            self._awaited.clear()
            changes = dict(self._changes)
            self._changes.clear()
            try:
                await self._store.notify(changes)
            except BaseException:
                self._changes = changes | self._changes
                self._announced.set()
                raise
            with suppress(TimeoutError):
                async with asyncio.timeout(GATHER):
                    await self._awaited.wait()

    async def _receive(self) -> None:
        """Load the tables that other workers change. If the connection is lost, publish that the
        database is down.

        Raises `ListenerLost`.
        """
        try:
            async with aclosing(self._store.listen()) as notifications:
                async for notification in notifications:
                    if notification is None:
                        await self._check_all()
                        await self._recheck(None)
                        await self._read_channels(None)
                        self._call_lobby("")
                        self._call_tournaments("")
                    elif notification.number == CREDENTIALS_ENDED:
                        await self._recheck(notification.table)
                    elif notification.number == CHANNELS_CHANGED:
                        await self._read_channels(notification.table)
                    elif notification.number == LOBBY:
                        self._call_lobby(notification.table.removeprefix(LOBBY_KEY))
                    elif notification.number == SEEK:
                        self._call_seek(notification.table.removeprefix(SEEK_KEY), notification.text)
                    elif notification.table.startswith(TOURNAMENT_KEY):
                        self._call_tournaments(notification.table.removeprefix(TOURNAMENT_KEY))
                    elif notification.number == DELETED:
                        self._cache.delete(notification.table)
                    elif notification.number == REWRITTEN:
                        self._cache.forget([notification.table])
                    else:
                        self._invalidate(notification)
        except Exception:
            if not self.trouble:
                self.trouble = StoreCode.DOWN
                for loaded in list(self._cache.tables.values()):
                    publish_trouble(list(loaded.subscribers), loaded.number, self.trouble)
            raise

    async def _check_all(self) -> None:
        """Compare every loaded table with the database: notifications may have been missed. Raises
        `StoreError`."""
        numbers = {loaded.table: loaded.number for loaded in self._cache.tables.values()}
        newest = await self._store.newest(numbers)
        for table, number in numbers.items():
            if number and table not in newest:
                self._cache.delete(table)
            else:
                self._invalidate(Notification(table, newest.get(table, 0)))
        if self.trouble:
            self.trouble = ""
            for loaded in list(self._cache.tables.values()):
                if loaded.subscribers:
                    self._tasks.spawn(self._cache.refresh(loaded))

    def _invalidate(self, notification: Notification) -> None:
        loaded = self._cache.tables.get(notification.table)
        if loaded is not None and loaded.number < notification.number:
            self._tasks.spawn(self._cache.invalidate(loaded, notification.rows))
