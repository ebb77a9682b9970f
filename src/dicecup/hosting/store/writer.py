"""The queue of writes: one transaction after another. Appends that wait meanwhile share the next
commit."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from dicecup.hosting.store.driver_errors import translate
from dicecup.hosting.store.engines import Engines, resolve
from dicecup.hosting.store.rows import Append, AppendConflict
from dicecup.hosting.store.statements import append_statements
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.store.tasks import Work

Result = TypeVar("Result")

LONGEST_QUEUE: Final = 4096
"""Writes that may wait. Further ones are refused with `busy`."""
LARGEST_BATCH: Final = 128
"""Appends that share a commit at most."""


@dataclass(slots=True, eq=False)
class _Job:
    """Appends that are written together, or other work, and the future of its caller."""

    task: Sequence[Append] | Work
    done: asyncio.Future[Any]


class Writer:
    """Queue of writes of one process."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._waiting: deque[_Job] = deque()
        self._alone: deque[_Job] = deque()
        """Jobs of a batch that conflicted. Each is written in a transaction of its own."""
        self._idle = asyncio.Event()
        self._idle.set()
        self._writing: object = None
        self._closed = False

    def append(self, *appends: Append) -> asyncio.Future[None]:
        """Write all appends or none. The future is done when they are on disk.

        Raises `AppendConflict` and `StoreError` (`storage-full`, `busy`) if nothing was written,
        and `StoreError` (`storage-down`) if the outcome is unknown.
        """
        return self._put(appends)

    def work(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """Return the result of `work` in a transaction of its own. Raises what `work` raises and
        the errors of `append`."""
        return self._put(work)

    async def close(self) -> None:
        """Refuse further writes and wait for those in the queue."""
        self._closed = True
        await self._idle.wait()

    def _put(self, task: Sequence[Append] | Work) -> asyncio.Future[Any]:
        """Queue a task and return the future of its result.

        Raises `StoreError`: `storage-down` after `close`, `busy` if the queue is full.
        """
        if self._closed:
            raise StoreError(StoreCode.DOWN)
        if len(self._waiting) >= LONGEST_QUEUE:
            raise StoreError(StoreCode.BUSY)
        job = _Job(task, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._idle.is_set():
            self._idle.clear()
            self._write_next()
        return job.done

    def _write_next(self) -> None:
        """Begin to write the next batch, or mark the queue as idle.

        A batch that cannot be prepared fails as if the database had refused it.
        """
        if not self._waiting and not self._alone:
            self._idle.set()
            return
        jobs = self._next_batch()
        first, on_written = jobs[0].task, partial(self._written, jobs)
        try:
            task = first if callable(first) else append_statements(_appends(jobs), self._engines.dialect)
            self._writing = self._engines.begin(task, on_written)
        except Exception as error:  # noqa: BLE001 the futures of the jobs receive it
            asyncio.get_running_loop().call_soon(on_written, error, None)

    def _next_batch(self) -> list[_Job]:
        """Return the next jobs to write together: several appends, or one job of other work."""
        if self._alone:
            return [self._alone.popleft()]
        jobs = [self._waiting.popleft()]
        if not callable(jobs[0].task):
            while self._waiting and not callable(self._waiting[0].task) and len(jobs) < LARGEST_BATCH:
                jobs.append(self._waiting.popleft())
        return jobs

    def _written(self, jobs: Sequence[_Job], error: BaseException | None, answer: Any) -> None:
        """Resolve the jobs of a batch. After a conflict in a batch of several, each is written
        again alone."""
        faults = self._engines.faults
        failure = None if error is None else translate(error, faults.name)
        if failure is not None:
            faults.failed(failure)
        elif not callable(jobs[0].task):
            faults.succeeded()
        if isinstance(failure, StoreError) and failure.code is StoreCode.DOWN:
            jobs = [*jobs, *self._take_appends()]
        if isinstance(failure, AppendConflict) and len(jobs) > 1:
            self._alone.extend(jobs)
        else:
            for job in jobs:
                resolve(job.done, failure, answer)
        self._write_next()

    def _take_appends(self) -> list[_Job]:
        """Return the waiting appends and take them out of the queue.

        They follow from states that have to be compared with the database first: it may have gone
        back to an earlier time while it could not be reached.
        """
        taken = [*self._alone, *(job for job in self._waiting if not callable(job.task))]
        self._alone.clear()
        self._waiting = deque(job for job in self._waiting if callable(job.task))
        return taken


def _appends(jobs: Iterable[_Job]) -> list[Append]:
    return [append for job in jobs for append in job.task]  # type: ignore[union-attr]
