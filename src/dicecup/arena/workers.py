"""Blocks of games on the cores of this machine.

One process plays one block at a time. A process that ends in the middle takes nothing with it:
another plays its block again.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from traceback import format_exception
from typing import Any, Final, TypeAlias

from dicecup.arena.block import GameBlock
from dicecup.arena.errors import ArenaCode, ArenaError

Span: TypeAlias = tuple[int, int]
"""The number of the first game of a block, and the number of games."""
Task: TypeAlias = Callable[[int, int], GameBlock]
"""A function that plays a span. It is sent to other processes."""

ATTEMPTS: Final = 3
"""The number of processes that may crash in the same block."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def played_here(task: Task, spans: Sequence[Span]) -> Generator[GameBlock, None, None]:
    """Yield the blocks in their order, played by this process."""
    for span in spans:
        yield task(*span)


def played_by_workers(task: Task, spans: Sequence[Span], count: int) -> Generator[GameBlock, None, None]:
    """Yield the blocks as they are finished, played by `count` other processes.

    All processes are ended when the generator is closed. Raises what a process raised, and
    `ArenaError` (`worker-died`)."""
    left = deque(spans)
    attempts: dict[Span, int] = {}
    busy: dict[Connection, tuple[Any, Span]] = {}
    try:
        for _ in range(min(count, len(spans))):
            _start(task, left.popleft(), busy)
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                process, span = busy[pipe]
                try:
                    answer = pipe.recv()
                except (EOFError, ConnectionError):
                    _end(busy, pipe)
                    attempts[span] = attempts.get(span, 0) + 1
                    if attempts[span] == ATTEMPTS:
                        first, games = span
                        raise ArenaError(ArenaCode.WORKER_DIED, first=first, last=first + games - 1) from None
                    _start(task, span, busy)
                    continue
                if isinstance(answer, BaseException):
                    raise answer
                if left:
                    busy[pipe] = process, left.popleft()
                    _send(pipe, busy[pipe][1])
                else:
                    _end(busy, pipe)
                yield answer
    finally:
        for pipe in list(busy):
            _end(busy, pipe)


def _start(task: Task, span: Span, busy: dict[Connection, tuple[Any, Span]]) -> None:
    """Start a process and send it its first block."""
    spawn = get_context("spawn")  # the same on every system, and no fork of a process with threads
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=work, args=(task, theirs), daemon=True)
    with _undisturbed():
        process.start()
        busy[ours] = process, span
    theirs.close()
    _send(ours, span)


def _send(pipe: Connection, span: Span) -> None:
    """Send a block. A process that has ended is noticed when its answer is read."""
    with suppress(ConnectionError):
        pipe.send(span)


def _end(busy: dict[Connection, tuple[Any, Span]], pipe: Connection) -> None:
    process, _ = busy.pop(pipe)
    pipe.close()
    process.kill()
    process.join()
    process.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Block Ctrl-C in processes that are started in this context. The parent handles it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(task: Task, pipe: Connection) -> None:
    """Play blocks until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            span = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(task(*span))
        except Exception as error:  # noqa: BLE001 the parent raises it again
            error.add_note("".join(format_exception(error)))  # pickling drops the traceback
            pipe.send(error)
