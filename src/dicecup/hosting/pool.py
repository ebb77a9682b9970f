"""Processes that think, so that no table waits for a computation. What waits has a limit. Computer players and analyses have a pool each:
a move waits for other moves, never for somebody's review."""

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

PATIENCE: Final = 10
"""By how much analyses are nicer than tables and computer players."""
ATTEMPTS: Final = 2
"""How often a job is tried whose process dies."""


class Pool:
    """`processes` that work, and at most `waiting` jobs that wait for one. Nothing is started before it is needed, or warmed.
    `patient`: what they do may take longer where others need the machine."""

    def __init__(self, processes: int, waiting: int, *, patient: bool = False) -> None:
        self._processes = processes
        self._room = processes + waiting
        self._patient = patient
        self._executor: ProcessPoolExecutor | None = None
        self._closed = False

    @property
    def room(self) -> int:
        """How many more jobs are taken now."""
        return self._room

    async def run(self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        """What a function of some module answers; it and its arguments travel to another process.

        Raises what the function raises, and `HostingError`: `busy` where too many wait, `no-answer` where the process died twice."""
        if self._room == 0 or self._closed:
            raise HostingError(HostingCode.BUSY)
        self._room -= 1
        try:
            for _ in range(ATTEMPTS):
                executor = self._running()
                try:
                    return await asyncio.wrap_future(executor.submit(function, *arguments, **named))
                except BrokenProcessPool:  # every job of the others that died with it is tried again as well
                    self._replace(executor)
            raise HostingError(HostingCode.NO_ANSWER)
        finally:
            self._room += 1

    async def warm(self, prepare: Callable[[], None]) -> None:
        """Starts every process and lets it do this first; what is asked meanwhile waits and is counted as ever. A process that dies of
        it is replaced when one is needed."""
        with suppress(BrokenProcessPool, HostingError):
            executor = self._running()
            prepared = (asyncio.wrap_future(executor.submit(prepare)) for _ in range(self._processes))
            await asyncio.gather(*prepared)

    async def close(self) -> None:
        """Ends the processes; what they were at is not finished."""
        self._closed = True
        if (executor := self._executor) is not None:
            self._executor = None
            await asyncio.to_thread(_end, executor)

    def _running(self) -> ProcessPoolExecutor:
        if self._closed:
            raise HostingError(HostingCode.BUSY)
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._processes, get_context("spawn"), initializer=_begin, initargs=(self._patient,)
            )
        return self._executor

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._executor is broken:
            self._executor = None
            broken.shutdown(wait=False)


def _end(executor: ProcessPoolExecutor) -> None:
    processes = list((executor._processes or {}).values())  # noqa: SLF001 until Python 3.14 there is no other way
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


def _begin(patient: bool) -> None:
    """Ctrl-C is for the server to hear; and a process whose server was killed has nobody left to work for."""
    if patient and hasattr(os, "nice"):
        os.nice(PATIENCE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def players() -> None:
    """Imports and loads what computer players need."""
    from dicecup.players.warm import warm

    warm()


def analysis() -> None:
    """Imports and loads what analyses need."""
    from dicecup.analysis.warm import warm

    warm()
