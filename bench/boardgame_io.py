"""Beside boardgame.io's server, in the same run: the same turn of Yamm (throw, keep and throw, keep
and throw, write), two people a table, one process each. Ours is `dicecup serve` with SQLite,
`synchronous=FULL`; theirs keeps its matches in files (FlatFile) or in memory. The people are one
program in Node, at their server behind their own client over socket.io, at ours over plain
WebSockets: both share the machine with the server, so that the server's own CPU time stands beside
what came through.

Told is not yet kept: ours tells a table what is on the disk, theirs tells both seats first and
writes after (and the files are not synced: a power cut takes back what everybody saw). So there are
two latencies: until the other seat was told, and until it was told what had also been written, from
when on nobody has to take it back. Theirs says itself when it has written. FlatFile's
`node-persist` is 3.1.0, the oldest that it allows: later ones of that line write from a queue that
is looked at once a second.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import sleep
from typing import Any

from bench._server import Served, served

TABLES = 50
WARM = 10
"""Tables that are there before memory is first looked at: what is loaded once is no table's."""
ROUNDS = 10
"""How often each of them is asked in its turn, since the machine is not as quick all the time."""
SECONDS = 3
SETTLE = 2.0
SOURCE = Path(__file__).with_suffix("")
PEER = Path(__file__).parents[1] / "build" / "boardgame_io"


@dataclass
class Measured:
    """What one server did. `rate`: actions a second, as fast as answers come; `cpu`: the server's
    seconds of CPU for each of them; `told` and `safe`: seconds from a command until the other seat
    was told, and until it was written as well, at one action a second a table; `memory`: bytes a
    table. `ask`: what its people are to do."""

    name: str
    server: Served
    ask: Callable[[str], Any]
    memory: float = 0.0
    rate: float = 0.0
    cpu: float = 0.0
    told: list[float] = field(default_factory=list)
    safe: list[float] = field(default_factory=list)

    def begin(self) -> None:
        """Makes the tables."""
        before = self._resident("warm")
        self.memory = (self._resident("tables") - before) / TABLES

    def _resident(self, step: str) -> int:
        self.ask(step)
        sleep(SETTLE)
        return self.server.resident()

    def pace(self) -> None:
        """One action a second."""
        times = self.ask("paced")
        self.told += times["told"]
        self.safe += times["safe"]

    def hurry(self) -> None:
        """As fast as answers come."""
        used = self.server.cpu_seconds()
        done = self.ask("flat")
        self.cpu = (self.server.cpu_seconds() - used) / done["actions"]
        self.rate = done["actions"] / done["seconds"]

    @property
    def figures(self) -> tuple[float, ...]:
        """As the `HEADS` say."""
        told, safe = quantiles(self.told, n=100), quantiles(self.safe, n=100)
        milliseconds = [1000 * seconds for seconds in (self.cpu, told[49], told[98], safe[49], safe[98])]
        return self.rate, *milliseconds, self.memory / 1024


HEADS = ("actions/s", "CPU ms/action", "told p50 ms", "p99 ms", "safe p50 ms", "p99 ms", "KiB/table")


@contextmanager
def node(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A script of the peer's folder, until the end of the block."""
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


def asked(people: subprocess.Popen[str], step: str) -> Any:
    """What they did."""
    assert people.stdin is not None
    people.stdin.write(f"{step}\n")
    people.stdin.flush()
    return json.loads(said(people))


@contextmanager
def ours() -> Iterator[Measured]:
    """`dicecup serve`, and people who came to it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server,
        visited("ours", server) as ask,
    ):
        yield Measured("dicecup, SQLite FULL", server, ask)


@contextmanager
def theirs(name: str, *folder: str) -> Iterator[Measured]:
    """The same of their server."""
    with node("server.cjs", *folder) as process:
        server = Served(said(process), process)
        with visited("theirs", server) as ask:
            yield Measured(name, server, ask)


@contextmanager
def visited(whose: str, server: Served) -> Iterator[Callable[[str], Any]]:
    """A server with people, and how to ask them to do something."""
    with node("people.cjs", whose, server.url, str(TABLES), str(WARM), str(SECONDS)) as people:
        yield partial(asked, people)


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


def ahead(first: Measured, other: Measured) -> list[float]:
    """How many times better the first is in each figure; all but the first figure are the better
    the smaller they are."""
    pairs = list(zip(first.figures, other.figures, strict=True))
    return [pairs[0][0] / pairs[0][1], *(their / our for our, their in pairs[1:])]


def line(head: str, cells: Iterable[str]) -> str:
    return f"{head:32}" + "".join(f"{cell:>15}" for cell in cells)


def main() -> int:
    if reason := missing():
        print(f"skipped: {reason}")
        return 0
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        others = theirs("boardgame.io, FlatFile", folder), theirs("boardgame.io, in memory")
        found = [stack.enter_context(each) for each in (ours(), *others)]
        for each in found:
            each.begin()
        for _ in range(ROUNDS):
            for each in found:
                each.pace()
        for each in found:
            each.hurry()
    print(line(f"{TABLES + WARM} tables of two", HEADS))
    for each in found:
        print(line(each.name, (f"{figure:,.2f}" for figure in each.figures)))
    for each in found[1:]:
        print(line(f"ahead of {each.name}", (f"{ratio:.2f}x" for ratio in ahead(found[0], each))))
    return 0 if min(ahead(found[0], found[1])) > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
