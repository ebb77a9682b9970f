"""Numbers of the last days for administrators, counted in the database now and then."""

from collections.abc import Callable
from typing import Any, Final

from dicecup.hosting.store import Store
from dicecup.hosting.store.day_numbers import DAY, numbers_since

DAYS: Final = 30
"""Days in the answer, with today."""
COUNTED_FOR: Final = 300.0
"""Seconds for which an answer is given again: counting reads a month of tables."""


class DayNumbers:
    """The numbers of one server."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._counted: dict[str, Any] = {}
        self._until = 0.0

    async def read(self) -> dict[str, Any]:
        """Return `first`, the first day since 1970 (UTC), and by name the numbers of each day from
        then on. Raises `StoreError`."""
        now = self._clock()
        if now >= self._until:
            first = int(now // DAY) - DAYS + 1
            counted = await numbers_since(self._store, first)
            self._counted = {"first": first} | {
                name: [days.get(first + day, 0) for day in range(DAYS)] for name, days in counted.items()
            }
            self._until = now + COUNTED_FOR
        return self._counted
