"""Processes that play at tables over WebSockets at a given rate."""

import asyncio
import math
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter, process_time
from typing import Final, NamedTuple

import httpx
import uvloop

from bench.table_latency import Seat, act, new_table

CREATED_AT_ONCE: Final = 8
"""Tables that a process creates at the same time."""
PART: Final = 2.0
"""Seconds of a part of a round."""


class Part(NamedTuple):
    """A part of a round: for each action that began in it the seconds from the command until the
    other seat had its event, and the CPU seconds of the players."""

    times: list[float]
    cpu: float


class Round(NamedTuple):
    """Parts of `PART` seconds, and how many seconds later than planned each action began."""

    parts: list[Part]
    late: list[float]

    @property
    def times(self) -> list[float]:
        """The times of all actions."""
        return [time for part in self.parts for time in part.times]


class Players:
    """People at tables, in a number of processes. Both seats of a table connect to the servers of
    one of the `pairs`, given by their URLs."""

    def __init__(self, pairs: Sequence[tuple[str, str]], processes: int) -> None:
        context = get_context("spawn")
        self.tables = len(pairs)
        self.processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []
        for at in range(processes):
            here, there = context.Pipe()
            process = context.Process(target=_run, args=(there, list(pairs[at::processes])))
            process.start()
            there.close()
            self.processes.append(process)
            self._pipes.append(here)
        for pipe in self._pipes:
            pipe.recv()

    def play(self, rate: float, seconds: float) -> Round:
        """Play so many actions a second at all tables together. Raises `EOFError` if a player was
        refused."""
        for pipe in self._pipes:
            pipe.send((rate / len(self._pipes), seconds))
        rounds = [pipe.recv() for pipe in self._pipes]
        return Round(
            [
                Part([time for each in same for time in each.times], sum(each.cpu for each in same))
                for same in zip(*(each.parts for each in rounds), strict=True)
            ],
            [late for each in rounds for late in each.late],
        )

    def close(self) -> None:
        """Leave all tables."""
        for pipe in self._pipes:
            pipe.close()
        for process in self.processes:
            process.join()


@contextmanager
def playing(pairs: Sequence[tuple[str, str]], processes: int) -> Iterator[Players]:
    """Create tables and let people sit down until the end of the block, see `Players`."""
    players = Players(pairs, processes)
    try:
        yield players
    finally:
        players.close()


def _run(pipe: Connection, pairs: list[tuple[str, str]]) -> None:
    allow_files()
    uvloop.run(_serve(pipe, pairs))


async def _serve(pipe: Connection, pairs: list[tuple[str, str]]) -> None:
    """Create the tables and play the rounds that the pipe asks for until it is closed."""
    places = asyncio.Semaphore(CREATED_AT_ONCE)
    async with httpx.AsyncClient(timeout=60) as http:

        async def create(number: int, urls: tuple[str, str]) -> list[Seat]:
            async with places:
                return await new_table(urls[0], http, number, urls[1])

        tables = await asyncio.gather(*(create(number, urls) for number, urls in enumerate(pairs)))
    pipe.send(None)
    try:
        while True:
            rate, seconds = await asyncio.to_thread(pipe.recv)
            pipe.send(await _round(tables, rate, seconds))
    except EOFError:
        pass
    for seats in tables:
        for seat in seats:
            seat.close()


async def _round(tables: list[list[Seat]], rate: float, seconds: float) -> Round:
    """Play at all tables, one after the other, so many actions a second."""
    interval, begin = len(tables) / rate, perf_counter() + 0.2
    late: list[float] = []
    parts: list[list[float]] = [[] for _ in range(math.ceil(seconds / PART))]

    async def play(at: int, seats: list[Seat]) -> None:
        due = begin + at / rate
        while due < begin + seconds:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            if perf_counter() > begin + seconds:
                return
            late.append(max(0.0, perf_counter() - due))
            if (taken := await act(seats)) is None:
                return
            parts[int((due - begin) / PART)].append(taken)
            due += interval

    async def measure_cpu(part: int) -> float:
        await asyncio.sleep(begin + part * PART - perf_counter())
        used = process_time()
        await asyncio.sleep(begin + (part + 1) * PART - perf_counter())
        return process_time() - used

    cpu = asyncio.gather(*(measure_cpu(part) for part in range(len(parts))))
    await asyncio.gather(*(play(at, seats) for at, seats in enumerate(tables)))
    return Round([Part(*each) for each in zip(parts, await cpu, strict=True)], late)


def allow_files() -> None:
    """Let this process open as many files as it may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
