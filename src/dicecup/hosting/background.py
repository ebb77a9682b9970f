"""Background tasks of a server."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from dicecup.core.errors import DicecupError
from dicecup.hosting.store.notifications import ListenerLost
from dicecup.hosting.store.store_errors import StoreError

LOG: Final = logging.getLogger(__name__)


class BackgroundTasks:
    """Tasks that `finish()` waits for, and tasks that repeat until `cancel_repeated()`."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._repeated: list[asyncio.Task[None]] = []

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run `work` as a background task that `finish()` waits for. Errors that are not typed are
        logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def repeat(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        """Run `work` again and again, with `pause` seconds between. Errors do not end the
        repetition."""
        self._repeated.append(asyncio.create_task(_repeat(work, pause)))

    def run_until_cancelled(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` once, as a task that `cancel_repeated()` cancels."""
        self._repeated.append(asyncio.create_task(work))
        return self._repeated[-1]

    async def cancel_repeated(self) -> None:
        """Cancel the repeated tasks and wait for their end."""
        for task in self._repeated:
            task.cancel()
        await asyncio.gather(*self._repeated, return_exceptions=True)

    async def finish(self) -> None:
        """Wait for all spawned tasks, and for those that they spawn."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, DicecupError):
            LOG.error("work at a table failed", exc_info=error)


async def _repeat(work: Callable[[], Awaitable[None]], pause: float) -> None:
    """Run `work` with `pause` seconds between until the task is cancelled.

    Errors are logged, except `StoreError` and `ListenerLost`, and do not end the repetition.
    """
    while True:
        try:
            await work()
        except (StoreError, ListenerLost):
            pass  # the server publishes that the database is down, and the next round tries again
        except Exception:
            LOG.exception("background work failed")
        await asyncio.sleep(pause)
