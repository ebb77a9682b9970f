"""The connection to a server: a client in a thread of its own, which stays connected while the
terminal waits for an entry."""

import asyncio
import os
import queue
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeAlias, TypeVar

from dicecup.client import RemoteTable, TableLink, TableUpdate
from dicecup.client.tokens import open_client
from dicecup.core.errors import DicecupError
from dicecup.table.commands import Command

Answer = TypeVar("Answer")
Updates: TypeAlias = "queue.SimpleQueue[TableUpdate | DicecupError]"
TOKENS: Final = "servers.json"
"""The file with the token of this keyboard for each server."""


class Connection:
    """A connection to one table of a server at a time. Every method blocks and may raise
    `DicecupError`.

    `wake` is the reading end of a pipe. A byte comes through it with every update, and at the times
    that `wake_after` asks for.
    """

    def __init__(self, link: TableLink, tokens: Path, language: str) -> None:
        self.wake, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._updates: Updates = queue.SimpleQueue()
        self._forwarding: asyncio.Task[None] | None = None
        self._table: RemoteTable | None = None
        self._client = self._wait(open_client(link.url, tokens, language))
        self.move(link.table, link.key)

    def move(self, table: str, key: str | None) -> None:
        """Follow another table from its first event on, and no longer the one before."""
        self._updates = queue.SimpleQueue()
        self._wait(self._follow(table, key, self._updates))

    def send(self, command: Command, version: int) -> int:
        """Send a command and return the number of the last event that it made."""
        assert self._table is not None
        return self._wait(self._table.send(command, version=version))

    def update(self) -> TableUpdate:
        """Wait for the next update and return it."""
        return _checked(self._updates.get())

    def update_within(self, seconds: float) -> TableUpdate | None:
        """Return the next update, `None` if none comes within `seconds`."""
        try:
            return _checked(self._updates.get(timeout=seconds))
        except queue.Empty:
            return None

    def waiting(self) -> bool:
        """Return whether an update waits to be read."""
        return not self._updates.empty()

    def wake_after(self, seconds: float) -> None:
        """Send a byte through the pipe `wake` after some seconds."""
        self._loop.call_soon_threadsafe(self._loop.call_later, seconds, self._wake)

    def look(self, table: str) -> Mapping[str, Any]:
        """Return the view of a table at which the person here sits."""
        return self._wait(self._client.look(table))

    def link_to_join(self, table: str) -> str:
        """Return the link to join a table at which the person here sits."""
        return self._wait(self._client.links(table)).join

    def next(self, table: str, key: str | None) -> TableLink:
        """Return the link to watch the game that follows the one at this table."""
        return self._wait(self._client.next(table, key=key))

    def close(self) -> None:
        """Close the connection and end the thread."""
        self._wait(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        os.close(self.wake)
        os.close(self._waker)

    def _wait(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run a coroutine in the thread of the client and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _follow(self, table: str, key: str | None, updates: Updates) -> None:
        await self._leave_table()
        self._table = self._client.table(table, key=key, since=0)
        await self._table.__aenter__()
        self._forwarding = asyncio.create_task(self._forward(self._table, updates))

    async def _forward(self, table: RemoteTable, updates: Updates) -> None:
        """Put every update of a table into the queue."""
        try:
            async for update in table:
                self._put(updates, update)
        except DicecupError as error:
            self._put(updates, error)

    def _put(self, updates: Updates, found: TableUpdate | DicecupError) -> None:
        updates.put(found)
        self._wake()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # a full pipe wakes the reader as well
            os.write(self._waker, b".")

    async def _leave_table(self) -> None:
        if self._forwarding is not None:
            self._forwarding.cancel()
        if self._table is not None:
            await self._table.__aexit__(None, None, None)

    async def _close(self) -> None:
        await self._leave_table()
        await self._client.__aexit__(None, None, None)


def _checked(found: TableUpdate | DicecupError) -> TableUpdate:
    if isinstance(found, DicecupError):
        raise found
    return found
