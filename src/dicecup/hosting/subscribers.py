"""Subscribers of a table and the updates that they receive."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import orjson

from dicecup.core.errors import DicecupError
from dicecup.hosting.errors import HostingCode, HostingError

LONGEST_QUEUE: Final = 256
"""Updates that may wait for a subscriber. A slower subscriber is ended with `too-slow` and can
subscribe again."""


@dataclass(frozen=True)
class PublishedUpdate:
    """Change of a table for the subscribers who hold the same seats.

    `number` is the number of the last event. `events` are the events since the last update as JSON
    without identities. `make_view` makes `view`, and `make_delta` the view without the parts that
    have not changed since the last update. While the database is down, `trouble` is the code of the
    reason, and the view is empty.
    """

    number: int
    events: tuple[dict[str, Any], ...]
    make_view: Callable[[], dict[str, Any]]
    make_delta: Callable[[], dict[str, Any]]
    trouble: str = ""

    @cached_property
    def view(self) -> dict[str, Any]:
        """The whole view after this update."""
        return self.make_view()

    @cached_property
    def text(self) -> str:
        """The update as a message with the changed parts of the view (docs/protocol.md). It is made
        once for all subscribers."""
        message = {
            "type": "update",
            "number": self.number,
            "events": self.events,
            "view": self.make_delta() or None,
            "trouble": self.trouble,
        }
        return orjson.dumps(message).decode()


Deliver = Callable[[PublishedUpdate], bool]
"""Sends an update at once, or returns `False` if it cannot."""


class Subscriber:
    """Receiver of the updates of one table. `identity` decides which seats' view it gets, `key` is
    the key of the link with which it came.

    An update is passed to `deliver` if no other waits. What cannot be delivered is queued for
    `updates`: that takes another round of the event loop.
    """

    __slots__ = ("_changed", "_deliver", "_ended", "_is_waiting", "_updates", "identity", "key")

    def __init__(self, identity: str | None, key: str | None = None, deliver: Deliver | None = None) -> None:
        self.identity = identity
        self.key = key
        self._deliver = deliver
        self._is_waiting = False
        """Whether everything before was taken out of the queue and sent."""
        self._updates: deque[PublishedUpdate] = deque()
        self._changed = asyncio.Event()
        self._ended: DicecupError | bool = False

    def put(self, update: PublishedUpdate) -> None:
        """Deliver or queue an update without waiting. If the queue is full, end the subscriber with
        `too-slow`."""
        if self._ended is not False:
            return
        if self._is_waiting and not self._changed.is_set() and self._delivered(update):
            return
        if len(self._updates) >= LONGEST_QUEUE:
            self._updates.clear()
            self.end(HostingError(HostingCode.TOO_SLOW))
        else:
            self._updates.append(update)
            self._changed.set()

    def _delivered(self, update: PublishedUpdate) -> bool:
        """Return whether an update could be delivered."""
        try:
            return self._deliver is not None and self._deliver(update)
        except Exception:  # noqa: BLE001 who takes it out of the queue gets the exception
            return False

    def end(self, error: DicecupError | None = None) -> None:
        """End the iteration after the queued updates, with an error if one is given."""
        self._ended = error or True
        self._changed.set()

    async def updates(self) -> AsyncIterator[PublishedUpdate]:
        """Yield the updates in order. Raises `HostingError` (`too-slow`, `no-such-table`) and
        `TableError` (`table-closed`)."""
        while True:
            while self._updates:
                yield self._updates.popleft()
            if isinstance(self._ended, DicecupError):
                raise self._ended
            if self._ended:
                return
            self._changed.clear()
            self._is_waiting = True
            await self._changed.wait()
            self._is_waiting = False
