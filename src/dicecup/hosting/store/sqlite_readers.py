"""SQLite's connections that read: each has a thread, which ends before the event loop is closed.
What they read is on disk when they answer."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from threading import Thread
from typing import Any, Final
from weakref import WeakSet

import aiosqlite

ROWS_AT_ONCE: Final = 64
"""Rows that a cursor asks its thread for at once."""


class ReadingConnection(aiosqlite.Connection):
    """A connection whose reader can be cancelled more than once.

    SQLAlchemy closes the connection of a cancelled reader in a task of its own, and stops it at
    once if the reader is cancelled again while it waits for that task. `aiosqlite` would then stop
    the connection a second time when the task goes on, and the task would wait for a thread that
    has ended. `ending` are the threads of the connections that were stopped.

    The writer commits before the disk has synced; `synced` waits for the sync.
    """

    def __init__(
        self,
        connector: Callable[[], sqlite3.Connection],
        ending: WeakSet[Thread],
        synced: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(connector, ROWS_AT_ONCE)
        self._thread.daemon = True
        self._ending = ending
        self._synced = synced

    async def _execute(self, fn: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return what `fn` returns in the thread, once it is on disk."""
        answer = await super()._execute(fn, *arguments, **named)  # type: ignore[no-untyped-call]
        await self._synced()
        return answer

    def stop(self) -> asyncio.Future[Any] | None:
        """Let the thread end when it has done what it was asked for. Return a future for its end,
        or `None` if it was stopped before."""
        if self._thread in self._ending:
            return None
        self._ending.add(self._thread)
        return super().stop()


class ReadingConnections:
    """The connections of one pool, as the argument `async_creator_fn` of SQLAlchemy's driver.
    `synced` returns when everything that can be read is on disk."""

    def __init__(self, synced: Callable[[], Awaitable[None]]) -> None:
        self._synced = synced
        self._ending: WeakSet[Thread] = WeakSet()

    def __call__(self, database: str, **options: Any) -> ReadingConnection:
        """Return a connection to the file, which opens when it is awaited."""
        return ReadingConnection(partial(sqlite3.connect, database, **options), self._ending, self._synced)

    async def join(self) -> None:
        """Wait for the threads of the connections that were stopped.

        A thread whose reader was cancelled still runs its statement, and answers the event loop.
        """
        for thread in list(self._ending):
            await asyncio.to_thread(thread.join)
