"""Blocks of games on a Ray cluster, whose machines have the same Dicecup installed.

Ray itself plays a block again whose process or machine is lost; what it gives up is given to it
anew.
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
"""Blocks that are handed out for each core of the cluster: one in play, one waiting."""

PATIENCE: Final = 10
"""Seconds after which an address that does not answer is nobody's."""


def played_by_cluster(task: Task, spans: Sequence[Span], address: str) -> Generator[GameBlock, None, None]:
    """The blocks, as they are finished. `address`: `HOST:PORT`, `ray://HOST:PORT`, `auto` (found by
    Ray) or `local` (a cluster on this machine for as long as it takes).

    Raises what a block raises, and `ArenaError` (`no-ray`, `no-cluster`, `worker-died`)."""
    ray = _connected(address)
    try:
        yield from _played(ray, ray.remote(max_retries=ATTEMPTS)(answer), task, spans)
    finally:
        ray.shutdown()


def answer(task: Task, version: str, span: Span) -> GameBlock | DicecupError:
    """What a machine of the cluster does; a refusal comes back as a value, as it is."""
    if version != __version__:
        return ArenaError(ArenaCode.OTHER_VERSION, version=__version__, expected=version)
    try:
        return task(*span)
    except DicecupError as error:
        return error


def _connected(address: str) -> Any:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is reported to anybody
    try:
        import ray
    except ImportError:
        raise ArenaError(ArenaCode.NO_RAY) from None
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        raise ArenaError(ArenaCode.NO_CLUSTER, address=address, why=error) from error
    return ray


def _knock(address: str) -> None:
    """Ray ends the whole process where nobody answers, so that is found out before. Raises
    `OSError`, `ValueError`."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()


def _played(ray: Any, remote: Any, task: Task, spans: Sequence[Span]) -> Generator[GameBlock, None, None]:
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
