"""Blocks of games on a Ray cluster, whose machines have the same Dicecup installed.

Ray repeats a block whose process or machine is lost. A block that Ray gives up is submitted again.
"""

import logging
import os
import socket
from collections import deque
from collections.abc import Generator, Sequence
from typing import Any, Final

from dicecup import __version__
from dicecup.arena.block import GameBlock
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.workers import ATTEMPTS, Span, Task
from dicecup.core.errors import DicecupError

AHEAD: Final = 2
"""Submitted blocks for each core of the cluster: one in play, one waiting."""

PATIENCE: Final = 10
"""The timeout in seconds of a connection to an address."""


def played_by_cluster(task: Task, spans: Sequence[Span], address: str) -> Generator[GameBlock, None, None]:
    """Yield the blocks as they are finished.

    `address`: `HOST:PORT`, `ray://HOST:PORT`, `auto` (Ray finds the cluster) or `local` (a cluster
    on this machine that ends with this function).

    Raises what a block raises, and `ArenaError` (`no-ray`, `no-cluster`, `worker-died`)."""
    ray = _connected(address)
    try:
        yield from _played(ray, ray.remote(max_retries=ATTEMPTS)(answer), task, spans)
    finally:
        ray.shutdown()


def answer(task: Task, version: str, span: Span) -> GameBlock | DicecupError:
    """Play a block on a machine of the cluster. An error of Dicecup is returned as a value.

    Ray would wrap an exception that is raised."""
    if version != __version__:
        return ArenaError(ArenaCode.OTHER_VERSION, version=__version__, expected=version)
    try:
        return task(*span)
    except DicecupError as error:
        return error


def _connected(address: str) -> Any:
    """Connect to the cluster and return the module `ray`.

    Raises `ArenaError` (`no-ray`, `no-cluster`).
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # Ray sends no usage reports
    try:
        import ray
    except ImportError:
        raise ArenaError(ArenaCode.NO_RAY) from None
    try:
        _check_address(address)

        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        raise ArenaError(ArenaCode.NO_CLUSTER, address=address, why=error) from error
    return ray


def _check_address(address: str) -> None:
    """Raise `OSError` or `ValueError` for an address that does not answer.

    Ray ends the whole process in this case."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()


def _played(ray: Any, remote: Any, task: Task, spans: Sequence[Span]) -> Generator[GameBlock, None, None]:
    """Yield the blocks as the cluster finishes them.

    A block whose worker dies is submitted again. Raises the error that a block returned, and
    `ArenaError` (`worker-died`) after `ATTEMPTS` deaths.
    """
    left = deque(spans)
    attempts: dict[Span, int] = {}
    waiting: dict[Any, Span] = {}
    shared = ray.put(task)
    while left or waiting:
        room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(waiting)
        for _ in range(min(room, len(left))):
            span = left.popleft()
            waiting[remote.remote(shared, __version__, span)] = span
        ready, _ = ray.wait(list(waiting), num_returns=1)
        for reference in ready:
            span = waiting.pop(reference)
            try:
                found = ray.get(reference)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError):
                attempts[span] = attempts.get(span, 0) + 1
                if attempts[span] == ATTEMPTS:
                    first, games = span
                    raise ArenaError(ArenaCode.WORKER_DIED, first=first, last=first + games - 1) from None
                left.appendleft(span)
                continue
            if isinstance(found, DicecupError):
                raise found
            yield found
