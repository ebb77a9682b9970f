"""Lists of the database that every worker keeps in memory and reads again and again."""

from asyncio import Lock
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from dicecup.hosting.store import Store

REFRESH_INTERVAL: Final = 0.5
"""Seconds between two readings, so that every worker knows a change within a second, also one that
another program made."""
Row = TypeVar("Row")


class Refreshed(Generic[Row]):
    """A list that `read` returns, of rows that no append writes. `refresh` reads it, and then calls
    every function in `on_change` if it has changed."""

    def __init__(self, store: Store, read: Callable[[Store], Awaitable[list[Row]]]) -> None:
        self.on_change: list[Callable[[], None]] = []
        self.rows: list[Row] = []
        self._store = store
        self._read = read
        self._revision: object | None = None
        """Revision of the database before the list was last read."""
        self._reading = Lock()  # no reading that began earlier ends later and brings old rows back

    async def refresh(self) -> None:
        """Read the list, unless the database is known not to have changed. Raises `StoreError`."""
        async with self._reading:
            revision = self._store.engines.revision()
            if revision is not None and revision == self._revision:
                return
            read = await self._read(self._store)
            self._revision = revision
        if read == self.rows:
            return
        self.rows = read
        for call in self.on_change:
            call()
