"""Pools of processes for computations, so that no table waits for one.

The number of waiting jobs is limited, clients take turns, and every job has a time limit. Computer
players and analyses have a pool each: a move of a computer never waits for a review.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.fair_queue import SERVER, Client, FairQueue
from dicecup.hosting.job_process import JobProcess

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

ATTEMPTS: Final = 2
"""Attempts to run a job whose process dies."""
SECONDS: Final = 60.0
"""Time limit of a job."""


class Pool:
    """Pool of `processes`, for which at most `waiting` jobs wait, of one address at most
    `waiting_of_address` (`None`: all of them).

    The processes start with the first jobs or with `warm`. A job that takes longer than `seconds`
    is interrupted. With `low_priority` other processes of the machine go first.
    """

    def __init__(
        self,
        processes: int,
        waiting: int,
        *,
        waiting_of_address: int | None = None,
        seconds: float = SECONDS,
        low_priority: bool = False,
    ) -> None:
        self._processes = tuple(JobProcess(low_priority=low_priority) for _ in range(processes))
        self._idle = list(self._processes)
        self._most = processes + waiting
        self._seconds = seconds
        self._queue = FairQueue(self._most if waiting_of_address is None else waiting_of_address)
        self._running = 0
        self._jobs: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def room(self) -> int:
        """Return how many more jobs the pool accepts now."""
        return self._most - self._running - len(self._queue)

    @property
    def waiting(self) -> int:
        """Return how many jobs wait for a process."""
        return len(self._queue)

    async def run(self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        """Return the result of a function that the server itself needs; see `run_for`."""
        return await self.run_for(SERVER, function, *arguments, **named)

    async def run_for(
        self, client: Client, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        """Return the result of a function of a module, run in another process.

        If the caller is cancelled, a waiting job leaves the queue at once and a running one is
        interrupted. Raises what the function raises, and `HostingError`: `busy` if too many jobs
        wait, `took-too-long`, and `no-answer` if the process died twice.
        """
        process = await self._process_for(client)
        job = asyncio.create_task(self._run(process, function, arguments, named))
        self._jobs.add(job)
        job.add_done_callback(self._job_done)
        try:
            result: Result = await asyncio.shield(job)
        except asyncio.CancelledError:
            if not job.done():  # otherwise the process runs the job of another client already
                process.interrupt()
            raise
        return result

    async def warm(self, prepare: Callable[[], object], *, after: Coroutine[Any, Any, None] | None = None) -> None:
        """Run `prepare` in every process, now or `after` something else, and whenever a process is
        replaced. Jobs wait meanwhile.

        A process that dies of it is replaced by one without `prepare`.
        """
        idle, self._idle = self._idle, []
        if after is not None:
            await after
        await asyncio.gather(*(self._warm(process, prepare) for process in idle))

    async def close(self) -> None:
        """End the processes without finishing their jobs."""
        self._closed = True
        self._queue.refuse_all()
        await asyncio.gather(*(asyncio.to_thread(process.close) for process in self._processes))
        await asyncio.gather(*self._jobs, return_exceptions=True)

    async def _process_for(self, client: Client) -> JobProcess:
        """Return a process when it is the turn of a client. Raises `HostingError` (`busy`)."""
        if self._closed:
            raise HostingError(HostingCode.BUSY)
        if self._idle:
            self._queue.served(client)
            self._running += 1
            return self._idle.pop()
        place = self._queue.add(client, full=self.room <= 0)
        try:
            return await place
        except asyncio.CancelledError:
            self._queue.remove(place)
            if place.done() and not place.cancelled() and place.exception() is None:
                self._release(place.result())
            raise

    async def _run(
        self, process: JobProcess, function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """Return the result of a job and release its process. Raises as `run_for`."""
        try:
            for _ in range(ATTEMPTS):
                with suppress(BrokenProcessPool):
                    return await process.run(function, arguments, named, self._seconds)
                if self._closed:
                    raise HostingError(HostingCode.BUSY)
            raise HostingError(HostingCode.NO_ANSWER)
        finally:
            self._release(process)

    async def _warm(self, process: JobProcess, prepare: Callable[[], object]) -> None:
        process.prepare = prepare
        try:
            await process.start()
        except BrokenProcessPool:
            process.prepare = os.getpid
        finally:
            self._offer(process)

    def _release(self, process: JobProcess) -> None:
        self._running -= 1
        self._offer(process)

    def _offer(self, process: JobProcess) -> None:
        """Give a process to the next job, or keep it for a later one."""
        if self._queue.next(process):
            self._running += 1
        else:
            self._idle.append(process)

    def _job_done(self, job: asyncio.Task[Any]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # a caller that was cancelled does not read it


def load_players() -> None:
    """Import and load what computer players need."""
    from dicecup.players.warm import warm

    warm()


def load_readers() -> None:
    """Import what records and positions of all games need."""
    from dicecup import games
    from dicecup.table import game_views

    for name in games.names():
        game_views.game_view(games.from_id(name))


def load_analysis() -> None:
    """Import and load what analyses need."""
    from dicecup.analysis.warm import warm

    warm()
