"""When nobody could reach the server: it did not run, the machine slept, the database did not answer. A clock does not count that."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from dicecup.hosting.store import Store
from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.table.clock import Gap

SILENCE: Final = 15.0
"""Seconds without a sign of life, three rounds, after which nobody could reach this process."""
LEAST: Final = 1.0
"""Shorter ones are nothing."""
_SERVER: Final = ("", "")
"""The place of the server's own sign of life among those of people: at no table, of no identity."""


class Outages:
    """Signs of life of whatever serves these tables, kept in the database: where several workers do, any of them will do."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.gap: Gap | None = None
        self._store = store
        self._clock = clock
        self._asking = asyncio.Lock()
        self._last: float | None = None
        self._unsure = True  # how long nobody was here is known once the database was asked

    def lost(self) -> None:
        """The database does not answer."""
        self._unsure = True

    def reached(self) -> None:
        """Something was saved just now."""
        if not self._unsure:
            self._last = self._clock()

    async def check(self) -> None:
        """Finds out whether there was a gap just now: before anything is judged by a clock. Raises `StoreError`."""
        if not self._is_silent():
            return
        async with self._asking:
            if not self._is_silent():  # somebody else has found out meanwhile
                return
            kept = (await self._store.seen([_SERVER[0]])).get(_SERVER)
            signs = [sign for sign in (kept, self._last) if sign is not None]
            now = await self._write()
            if signs and now - max(signs) >= LEAST:
                self.gap = Gap(max(signs), now)

    def _is_silent(self) -> bool:
        return self._unsure or self._last is None or self._clock() - self._last > SILENCE

    async def sign(self) -> None:
        """The server lives. Raises `StoreError`."""
        await self.check()
        await self._write()

    async def _write(self) -> float:
        now = self._clock()
        try:
            await self._store.saw([_SERVER], now)
        except StoreError as error:
            if error.code is StoreCode.DOWN:
                self.lost()
            if error.code is not StoreCode.FULL:  # it can be reached, though it can keep nothing
                raise
        self._last, self._unsure = now, False
        return now

    async def end(self) -> None:
        """The last sign of life, where it can be written."""
        with suppress(StoreError):
            await self.sign()
