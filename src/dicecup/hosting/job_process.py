"""A process that runs one job after another, each of which can be interrupted.

The signal SIGTERM raises `Interrupted` in the function that runs. A function that does not end
within `GRACE`, because it computes outside the interpreter, is killed with its process. Windows
has no such signal: there the process is killed at once.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Final

from dicecup.hosting.errors import HostingCode, HostingError

NICENESS: Final = 10
"""Increment of the niceness of processes with low priority."""
GRACE: Final = 2.0
"""Seconds from an interruption until the process is killed."""
FRAGILE: Final = ("importlib._bootstrap", "numba.")
"""Modules that an exception in the middle would leave unusable: the process ends instead."""


class Interrupted(BaseException):
    """The job of this process is interrupted. No `except Exception` catches it."""


class JobProcess:
    """A process, started with the first job and replaced after its end.

    The caller runs one job at a time. `prepare` runs in every new process before the first job.
    With `low_priority` other processes of the machine go first.
    """

    def __init__(self, *, low_priority: bool) -> None:
        self.prepare: Callable[[], object] = os.getpid
        self._low_priority = low_priority
        self._executor: ProcessPoolExecutor | None = None
        self._has_job = False
        self._is_interrupted = False
        self._killing: asyncio.TimerHandle | None = None

    async def start(self) -> ProcessPoolExecutor:
        """Return the executor. A new one starts its process and runs `prepare` in it.

        Raises `BrokenProcessPool`, and what `prepare` raises.
        """
        if self._executor is not None:
            return self._executor
        context = get_context("spawn")
        executor = ProcessPoolExecutor(1, context, initializer=_initialize, initargs=(self._low_priority,))
        self._executor = executor
        await self._done(executor, self.prepare)
        return executor

    async def run(self, function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any], seconds: float) -> Any:
        """Return the result of a function.

        It is interrupted after `seconds`, not counting the start of the process. Raises
        what the function raises, `HostingError` (`took-too-long`) if it was interrupted, and
        `BrokenProcessPool` if the process died by itself.
        """
        self._is_interrupted = False
        executor = await self.start()
        limit = asyncio.get_running_loop().call_later(seconds, self.interrupt)
        self._has_job = True
        try:
            if not self._is_interrupted:
                return await self._done(executor, _run, function, arguments, named)
        except Interrupted:
            pass
        except BrokenProcessPool:
            if not self._is_interrupted:
                raise
        finally:
            self._has_job = False
            limit.cancel()
            if self._killing is not None:
                self._killing.cancel()
                self._killing = None
        raise HostingError(HostingCode.TOOK_TOO_LONG, seconds=seconds)

    def interrupt(self) -> None:
        """Interrupt the job, so that `run` ends within `GRACE`. A process that is being prepared
        gets ready first."""
        self._is_interrupted = True
        if self._has_job and self._killing is None:
            for process in self._processes:
                process.terminate()
            self._killing = asyncio.get_running_loop().call_later(GRACE, self._kill)

    def close(self) -> None:
        """Kill the process and wait for its end. Its job ends with `BrokenProcessPool`."""
        if (executor := self._executor) is not None:
            processes = self._processes
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
            for process in processes:
                process.join()

    @property
    def _processes(self) -> list[BaseProcess]:
        """Return the process in a list, which is empty without one."""
        return list((getattr(self._executor, "_processes", None) or {}).values())  # Python 3.14 adds a public method

    async def _done(self, executor: ProcessPoolExecutor, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a function in the process. If the process dies, the next job starts
        a new one."""
        try:
            return await asyncio.wrap_future(executor.submit(function, *arguments))
        except BrokenProcessPool:
            if self._executor is executor:
                self._executor = None
            executor.shutdown(wait=False)
            raise

    def _kill(self) -> None:
        for process in self._processes:
            process.kill()


# --- In the process -------------------------------------------------------------------------------

_has_job = False


def _run(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return the result of a function. An interruption has an effect only in here."""
    global _has_job  # noqa: PLW0603 the handler of the signal reads it
    _has_job = True
    try:
        return function(*arguments, **named)
    finally:
        _has_job = False


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    if not _has_job:
        return
    if any(module.startswith(FRAGILE) for module in _running_modules(frame)):
        os._exit(1)
    raise Interrupted


def _running_modules(frame: FrameType | None) -> Iterator[str]:
    """Yield the modules of the functions that run, the innermost first."""
    while frame is not None:
        yield str(frame.f_globals.get("__name__"))
        frame = frame.f_back


def _initialize(low_priority: bool) -> None:
    """Ignore Ctrl-C, which the server handles, let SIGTERM interrupt a job, and end the process
    when the server dies."""
    if low_priority and hasattr(os, "nice"):
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _interrupt)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
