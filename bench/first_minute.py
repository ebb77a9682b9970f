"""The first minute of a fresh clone with an empty home: `make play` step by step.

Printed are the time to the packages, to the built page and to its first answer over HTTP, and the
time from the page until a computer of the page's first level has played in each game, while the
server compiles the kernels. The goals are 17 s from the packages to the page and 30 s from the page
to the first answer, on two cores. At last the kernels of all commands are compiled once more from
nothing (goal: at most 70 CPU seconds).

CPU seconds count all processes. On a busy machine only they can be compared.
"""

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from signal import SIGTERM
from time import perf_counter
from typing import Final

from bench._processes import cpu_of_family
from dicecup.client import Client, SeatAgent
from dicecup.table.setup import Occupant, SeatSetup, Setup

TOP: Final = Path(__file__).parent.parent
LEVEL: Final = "novice"
"""The level that the page offers first (`ui/src/start/fittingLevel.ts`)."""
GAMES: Final = ("yam-master", "yamm")
COMPUTER: Final = 1
"""The seat of the computer."""
INHERITED: Final = ("VIRTUAL_ENV", "PYTHONPATH", "NUMBA_CACHE_DIR")
"""Variables that would let the clone find something."""


class Stopwatch:
    """Wall-clock and CPU seconds, those of ended children included, since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = perf_counter(), _cpu_of_children()

    def __str__(self) -> str:
        return f"{perf_counter() - self._wall:6.1f} s {_cpu_of_children() - self._cpu:6.1f} CPU s"


def _cpu_of_children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def first_answer(url: str, game: str) -> None:
    """Play at a table against a computer until it has acted."""
    setup, agent = Setup(game, (SeatSetup(), SeatSetup(Occupant.LEVEL, LEVEL))), SeatAgent()
    async with Client(url) as client:
        made = await client.create(setup, name="Anna")
        async with client.table(made.table) as table:
            async for update in table:
                if any(event["type"] == "acted" and event["seat"] == COMPUTER for event in update.events):
                    return
                command = agent.command(update.view, lambda view: view["actions"][-1]["action"])
                if command and update.number == table.number:
                    await table.send(command, version=update.number)


async def first_answers(url: str) -> dict[str, float]:
    """Return the seconds from now until a computer has acted in each game."""
    begin = perf_counter()

    async def seconds(game: str) -> float:
        await first_answer(url, game)
        return perf_counter() - begin

    return dict(zip(GAMES, await asyncio.gather(*map(seconds, GAMES)), strict=True))


@contextmanager
def serving(program: Path, environment: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Serve a page with `dicecup`; yield the process and the address that it prints."""
    command = [str(program), "serve", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process.pid, process.stdout.readline().strip()
    finally:
        process.send_signal(SIGTERM)
        process.communicate()


async def page_of(url: str) -> None:
    """Get the page. Raises `SystemExit` for another answer."""
    import httpx

    async with httpx.AsyncClient() as client:
        answer = await client.get(url)
    if answer.status_code != httpx.codes.OK:
        raise SystemExit(answer.text)


def main() -> None:
    """Print a line for each step."""
    with tempfile.TemporaryDirectory() as folder:
        clone, home = Path(folder) / "clone", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", TOP, clone], check=True)  # noqa: S607 the git and make of the path
        environment = {name: value for name, value in os.environ.items() if name not in INHERITED} | {"HOME": str(home)}
        for step, target in (("packages", ".venv/run"), ("page built", "ui")):
            watch = Stopwatch()
            make = ["make", "--silent", target]
            subprocess.run(make, cwd=clone, env=environment, check=True, stderr=subprocess.DEVNULL)
            print(f"{step:<26}{watch}", flush=True)
        begin = perf_counter()
        with serving(clone / ".venv" / "bin" / "dicecup", environment) as (process, url):
            asyncio.run(page_of(url))
            print(f"{'page served':<26}{perf_counter() - begin:6.1f} s {cpu_of_family(process):6.1f} CPU s", flush=True)
            for game, seconds in asyncio.run(first_answers(url)).items():
                print(f"{f'{LEVEL} in {game}':<26}{seconds:6.1f} s after the page", flush=True)
        watch = Stopwatch()
        compiled = environment | {"NUMBA_CACHE_DIR": f"{folder}/compiled"}
        subprocess.run([clone / ".venv" / "bin" / "python", "-m", "dicecup.arena.warm"], env=compiled, check=True)
        print(f"{'all kernels':<26}{watch}", flush=True)


if __name__ == "__main__":
    main()
