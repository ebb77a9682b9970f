"""The one who writes: one transaction after the other, and everything that waits meanwhile goes into the next, so that it shares one
commit."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from dicecup.hosting.store.engines import Engines, Work, resolve
from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.hosting.store.faults import translation
from dicecup.hosting.store.rows import Append, Raced
from dicecup.hosting.store.statements import of_appends

Result = TypeVar("Result")

WAITING: Final = 4096
"""How many may wait to be written before the others are told that the server is busy."""
TOGETHER: Final = 128
"""How many share a commit at most."""


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """Appends that are written all or none, or other work; whoever waits for it."""

    task: Sequence[Append] | Work
    done: asyncio.Future[Any]


class Writer:
    """Writes until `close`, which writes first what waits."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._waiting: deque[_Job] = deque()
        self._again: deque[_Job] = deque()
        self._idle = asyncio.Event()
        self._idle.set()
        self._writing: object = None
        self._closed = False

    def append(self, *appends: Append) -> asyncio.Future[None]:
        """Done when all of it is on disk. Raises `Raced` and `StoreError` (`storage-full`, `storage-down`, `busy`); then nothing
        was written, but for `storage-down`, where nobody knows."""
        return self._put(appends)

    def work(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """What `work` answers, in a transaction of its own. Raises as `append`."""
        return self._put(work)

    async def close(self) -> None:
        """No more is taken."""
        self._closed = True
        await self._idle.wait()

    def _put(self, task: Sequence[Append] | Work) -> asyncio.Future[Any]:
        if self._closed:
            raise StoreError(StoreCode.DOWN)
        if len(self._waiting) >= WAITING:
            raise StoreError(StoreCode.BUSY)
        job = _Job(task, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._idle.is_set():
            self._idle.clear()
            self._write_next()
        return job.done

    def _write_next(self) -> None:
        """Begins to write what comes next, if there is anything."""
        if not self._waiting and not self._again:
            self._idle.set()
            return
        jobs = self._next()
        first, written = jobs[0].task, partial(self._written, jobs)
        try:
            task = first if callable(first) else of_appends(_appends(jobs), self._engines.dialect)
            self._writing = self._engines.begin(task, written)
        except Exception as error:  # noqa: BLE001 it is raised where the jobs are waited for
            asyncio.get_running_loop().call_soon(written, error, None)

    def _next(self) -> list[_Job]:
        """The appends that come next, or other work, which is alone."""
        if self._again:
            return [self._again.popleft()]
        jobs = [self._waiting.popleft()]
        if not callable(jobs[0].task):
            while self._waiting and not callable(self._waiting[0].task) and len(jobs) < TOGETHER:
                jobs.append(self._waiting.popleft())
        return jobs

    def _written(self, jobs: Sequence[_Job], error: BaseException | None, answer: Any) -> None:
        """Tells the jobs; where one of several was raced, nothing was written, and each is to be written alone."""
        told = None if error is None else translation(error)
        if isinstance(told, Raced) and len(jobs) > 1:
            self._again.extend(jobs)
        else:
            for job in jobs:
                resolve(job.done, told, answer)
        self._write_next()


def _appends(jobs: Iterable[_Job]) -> list[Append]:
    return [append for job in jobs for append in job.task]  # type: ignore[union-attr]
