"""Pools of processes for computations, so that no table waits for one. The number of waiting jobs
is limited.

Computer players and analyses have a pool each: a move of a computer never waits for a review.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process
from typing import Final, ParamSpec, TypeVar

from dicecup.hosting.errors import HostingCode, HostingError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

NICENESS: Final = 10
"""Increment of the niceness of processes with low priority."""
ATTEMPTS: Final = 2
"""Attempts to run a job whose process dies."""


class Pool:
    """Pool of `processes`, for which at most `waiting` jobs wait. The processes start with the
    first job or with `warm`.

    With `low_priority` other processes of the machine go first.
    """

    def __init__(self, processes: int, waiting: int, *, low_priority: bool = False) -> None:
        self._processes = processes
        self._room = processes + waiting
        self._low_priority = low_priority
        self._executor: ProcessPoolExecutor | None = None
        self._closed = False

    @property
    def room(self) -> int:
        """Return how many more jobs the pool accepts now."""
        return self._room

    async def run(self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        """Return the result of a function of a module, run in another process.

        Raises what the function raises, and `HostingError`: `busy` if too many jobs wait,
        `no-answer` if the process died twice.
        """
        if self._room == 0 or self._closed:
            raise HostingError(HostingCode.BUSY)
        self._room -= 1
        try:
            for _ in range(ATTEMPTS):
                executor = self._running()
                try:
                    return await asyncio.wrap_future(executor.submit(function, *arguments, **named))
                except BrokenProcessPool:  # all other jobs of the executor end with this error, too, and are tried again
                    self._replace(executor)
            raise HostingError(HostingCode.NO_ANSWER)
        finally:
            self._room += 1

    async def warm(self, prepare: Callable[[], None]) -> None:
        """Start every process and run `prepare` in each. Jobs wait meanwhile.

        A process that dies of it is replaced by the next job.
        """
        with suppress(BrokenProcessPool, HostingError):
            executor = self._running()
            prepared = (asyncio.wrap_future(executor.submit(prepare)) for _ in range(self._processes))
            await asyncio.gather(*prepared)

    async def close(self) -> None:
        """End the processes without finishing their jobs."""
        self._closed = True
        if (executor := self._executor) is not None:
            self._executor = None
            await asyncio.to_thread(_end, executor)

    def _running(self) -> ProcessPoolExecutor:
        """Return the executor, after creating it if there is none.

        Raises `HostingError` (`busy`) after `close`.
        """
        if self._closed:
            raise HostingError(HostingCode.BUSY)
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._processes, get_context("spawn"), initializer=_initialize, initargs=(self._low_priority,)
            )
        return self._executor

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._executor is broken:
            self._executor = None
            broken.shutdown(wait=False)


def _end(executor: ProcessPoolExecutor) -> None:
    """Terminate the processes of an executor and wait for their end. Jobs are not finished."""
    processes = list((executor._processes or {}).values())  # noqa: SLF001 Python 3.14 adds a public method
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


def _initialize(low_priority: bool) -> None:
    """Ignore Ctrl-C, which the server handles, and end the process when the server dies."""
    if low_priority and hasattr(os, "nice"):
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def load_players() -> None:
    """Import and load what computer players need."""
    from dicecup.players.warm import warm

    warm()


def load_analysis() -> None:
    """Import and load what analyses need."""
    from dicecup.analysis.warm import warm

    warm()
