"""A table while somebody looks at it, and those who do."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Digest
from dicecup.table.state import TableState

PATIENCE: Final = 256
"""Updates that wait for a follower before it is told to come back when it is faster."""


@dataclass(frozen=True)
class Update:
    """`number` of the last event; `events` since the last update, as JSON without identities; `look` makes the `view`, `changes`
    what of it `changed`. `trouble`, a code: for now nothing can be done or heard of, and the view is empty."""

    number: int
    events: tuple[dict[str, Any], ...]
    look: Callable[[], dict[str, Any]]
    changes: Callable[[], dict[str, Any]]
    trouble: str = ""

    @cached_property
    def view(self) -> dict[str, Any]:
        """How the table stood then; made when somebody looks, so that nobody waits for the views of others."""
        return self.look()

    @cached_property
    def changed(self) -> dict[str, Any]:
        """The view without parts that are as they were when the same people were told last."""
        return self.changes()


class Follower:
    """Somebody who is told of every change. `identity`: whose seats they see."""

    __slots__ = ("_changed", "_ended", "_updates", "identity")

    def __init__(self, identity: str | None) -> None:
        self.identity = identity
        self._updates: deque[Update] = deque()
        self._changed = asyncio.Event()
        self._ended: HostingError | bool = False

    def tell(self, update: Update) -> None:
        """Never waits. Whoever does not keep up is told nothing more."""
        if self._ended is not False:
            return
        if len(self._updates) >= PATIENCE:
            self._updates.clear()
            self.end(HostingError(HostingCode.TOO_SLOW))
        else:
            self._updates.append(update)
            self._changed.set()

    def end(self, error: HostingError | None = None) -> None:
        """After what waits nothing more comes, or this error."""
        self._ended = error or True
        self._changed.set()

    async def updates(self) -> AsyncIterator[Update]:
        """Raises `HostingError` (`too-slow`, `no-such-table`)."""
        while True:
            while self._updates:
                yield self._updates.popleft()
            if isinstance(self._ended, HostingError):
                raise self._ended
            if self._ended:
                return
            self._changed.clear()
            await self._changed.wait()


@dataclass(eq=False, slots=True)
class Live:
    """A table in this process. `lock`: one change at a time. `state`: None where it was forgotten, or not read yet; `number` of
    the last event that was told, and the `people` by seat, which are not forgotten; `sure`: whether all this may be believed to be the
    newest; `digest` as it was saved, of a state that looked so at a `glance`; `away`: the seats of which that was told; `used`: when, in
    seconds of the event loop."""

    table: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    state: TableState | None = None
    number: int = 0
    people: dict[int, str] = field(default_factory=dict)
    creator: str | None = None
    digest: Digest | None = None
    glance: tuple[object, ...] = ()
    sure: bool = True
    followers: set[Follower] = field(default_factory=set)
    away: frozenset[int] = frozenset()
    timer: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None
    used: float = 0.0

    def stop_timer(self) -> None:
        """Nobody wakes it."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
