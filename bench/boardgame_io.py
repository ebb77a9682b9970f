"""Beside boardgame.io's server, in the same run: the same turn of Yamm (throw, keep and throw, keep and throw, write), two people a table, one
process each. Ours is `dicecup serve` with SQLite, `synchronous=FULL`; theirs keeps its matches in files (FlatFile) or in memory. Their people are
their own client over socket.io, in a program of its own; ours are ours over WebSockets: both share the machine with the server, so that the
server's own CPU time stands beside what came through.

What durable means is not the same: ours tells a table what is on the disk. Theirs tells both seats first and writes after, and the files
are not synced: a power cut takes back what everybody saw. So its latency holds no write, and its rate does: the next command waits for it.
FlatFile's `node-persist` is 3.1.0, the oldest that it allows: later ones of that line write from a queue that is looked at once a second.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import httpx

from bench._server import Served, served
from bench.table_latency import Seat, table
from dicecup.service.commands import command_to_json

TABLES = 50
WARM = 10
"""Tables that are there before memory is first looked at: what is loaded once is no table's."""
SECONDS = 10
SETTLE = 2.0
SOURCE = Path(__file__).with_suffix("")
PEER = Path(__file__).parents[1] / "build" / "boardgame_io"


@dataclass(frozen=True)
class Measured:
    """What one server did. `rate`: actions a second, as fast as answers come; `cpu`: the server's seconds of CPU for each of them;
    `times`: seconds from a command to the other seat's event, at one action a second a table; `memory`: bytes a table."""

    name: str
    rate: float
    cpu: float
    times: Sequence[float]
    memory: float

    @property
    def figures(self) -> tuple[float, float, float, float, float]:
        """Actions a second, CPU ms an action, p50 and p99 in ms, KiB a table."""
        percent = quantiles(self.times, n=100)
        return self.rate, 1000 * self.cpu, 1000 * percent[49], 1000 * percent[98], self.memory / 1024


def choose(view: Mapping[str, Any]) -> str:
    """Throws all dice again while there is a throw left, then writes the last cell that is open."""
    if view["turn"]["throws_left"]:
        return "k-"
    action: str = view["actions"][-1]["action"]
    return action


async def act(seats: list[Seat]) -> float | None:
    """One action of whoever is to act; seconds until the other seat was told of it, None where the game is over."""
    for at, seat in sorted(enumerate(seats), key=lambda found: -found[1].acted):
        if (command := seat.duty.command(seat.view, choose)) is None:
            continue
        seat.acted = number = seat.number
        other = seats[1 - at]
        message = {"type": "command", "id": f"{at}-{number}", "version": number, "command": command_to_json(command)}
        begin = perf_counter()
        await seat.connection.send(json.dumps(message))
        await asyncio.gather(*(each.up_to(number + 1) for each in seats))
        return min(time for told, time in other.told.items() if told > number) - begin
    return None


async def paced(tables: list[list[Seat]]) -> list[float]:
    """The times of one action a second at each table."""
    begin = perf_counter() + 0.5

    async def play(seats: list[Seat], at: int) -> list[float]:
        times = []
        for second in range(SECONDS):
            await asyncio.sleep(max(0.0, begin + second + at / len(tables) - perf_counter()))
            if (took := await act(seats)) is not None:
                times.append(took)
        return times

    return [time for times in await asyncio.gather(*(play(seats, at) for at, seats in enumerate(tables))) for time in times]


async def flat_out(tables: list[list[Seat]]) -> tuple[int, float]:
    """Actions as fast as answers come, until the first game is over, and in how many seconds."""
    begin = perf_counter()
    count, ended = 0, False

    async def play(seats: list[Seat]) -> None:
        nonlocal count, ended
        while not ended and perf_counter() < begin + SECONDS:
            if await act(seats) is None:
                ended = True
            else:
                count += 1
            for seat in seats:
                seat.told.clear()

    await asyncio.gather(*(play(seats) for seats in tables))
    return count, perf_counter() - begin


async def ours(server: Served) -> Measured:
    tables: list[list[Seat]] = []
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:

        async def up_to(count: int) -> int:
            while len(tables) < count:
                tables.append(await table(server.url, http, 1))  # an odd number: Yamm
            await asyncio.sleep(SETTLE)
            return server.resident()

        before = await up_to(WARM)
        memory = (await up_to(WARM + TABLES) - before) / TABLES
    times = await paced(tables)
    used = server.cpu_seconds()
    count, seconds = await flat_out(tables)
    used = server.cpu_seconds() - used
    for seats in tables:
        for seat in seats:
            seat.hearing.cancel()
            await seat.connection.close()
    return Measured("dicecup, SQLite FULL", count / seconds, used / count, times, memory)


@contextmanager
def node(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A script of theirs, until the end of the block."""
    process = subprocess.Popen(
        ["node", PEER / script, *arguments],  # noqa: S607 the machine's own
        env=os.environ | {"NODE_ENV": "production"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def said(process: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert process.stdout is not None
    if line := process.stdout.readline().strip():
        return line
    raise SystemExit(f"{process.args!r} ended")


async def theirs(name: str, *folder: str) -> Measured:
    with node("server.cjs", *folder) as process:
        server = Served(said(process), process)
        with node("people.cjs", server.url, str(TABLES), str(WARM), str(SECONDS)) as people:

            def step() -> Any:
                assert people.stdin is not None
                people.stdin.write("\n")
                people.stdin.flush()
                return json.loads(said(people))

            async def resident() -> int:
                step()
                await asyncio.sleep(SETTLE)
                return server.resident()

            before = await resident()
            memory = (await resident() - before) / TABLES
            times = step()["times"]
            used = server.cpu_seconds()
            done = step()
            used = server.cpu_seconds() - used
    return Measured(name, done["actions"] / done["seconds"], used / done["actions"], times, memory)


def missing() -> str:
    """Installs their server below `build`; why it cannot be there, or nothing."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    lock = PEER / "package-lock.json"
    ready = lock.exists() and lock.read_bytes() == (SOURCE / lock.name).read_bytes()
    shutil.copytree(SOURCE, PEER, dirs_exist_ok=True)
    if not ready:
        install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(install, cwd=PEER, capture_output=True, text=True, check=False)
        if done.returncode:
            lock.unlink()
            return f"npm ci failed: {done.stderr.strip()}"
    return ""


def show(all_measured: Sequence[Measured]) -> None:
    """A table, and beneath it the first against each other: over 1 where the first is ahead."""
    heads = ("actions/s", "CPU ms/action", "p50 ms", "p99 ms", "KiB/table")
    print(f"{TABLES + WARM} tables of two{'':16}" + "".join(f"{head:>15}" for head in heads))
    for each in all_measured:
        print(f"{each.name:32}" + "".join(f"{figure:>15,.2f}" for figure in each.figures))
    first = all_measured[0].figures
    for each in all_measured[1:]:
        ratios = [first[0] / each.figures[0], *(their / our for our, their in zip(first[1:], each.figures[1:], strict=True))]
        print(f"{'ahead of ' + each.name:32}" + "".join(f"{ratio:>14.2f}x" for ratio in ratios))


async def measure() -> list[Measured]:
    """Ours, theirs with files, theirs in memory, one after the other."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server:
        found = [await ours(server)]
    with tempfile.TemporaryDirectory() as folder:
        found.append(await theirs("boardgame.io, FlatFile", folder))
    return [*found, await theirs("boardgame.io, in memory")]


def main() -> int:
    if reason := missing():
        print(f"skipped: {reason}")
        return 0
    found = asyncio.run(measure())
    show(found)
    ahead, durable = found[0].figures, found[1].figures
    return 0 if ahead[0] > durable[0] and all(our < their for our, their in zip(ahead[2:], durable[2:], strict=True)) else 1


if __name__ == "__main__":
    sys.exit(main())
