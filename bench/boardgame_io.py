"""Comparison with the server of boardgame.io in the same run.

Both servers play the same turn of Yamm (throw, keep and throw, keep and throw, write) at tables of
two people, one process each. Dicecup is `dicecup serve` with SQLite and `synchronous=FULL`.
boardgame.io stores its matches in files (FlatFile) or in memory. One Node program holds the clients
of both servers: boardgame.io's own client over socket.io, and plain WebSockets for Dicecup. The
clients run on the same machine, so the CPU time of the server is reported beside the rate.

Dicecup broadcasts an action after the write to disk. boardgame.io broadcasts an action to both
seats first and writes it afterwards; it does not sync its files, so that a power cut can undo an
action that both people saw. Two latencies are therefore measured: until the other seat received the
action, and until the action was both received and written. The boardgame.io server reports the time
of each write.

FlatFile's dependency `node-persist` is pinned to 3.1.0, the oldest version that FlatFile accepts.
Later versions write from a queue that is processed once per second.
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

from bench._server import ServerProcess, served

TABLES = 50
WARM = 10
"""Tables that are created before the first measurement of memory, to exclude one-time costs."""
ROUNDS = 10
"""Rounds in which the servers are measured alternately, because the machine's speed varies."""
SECONDS = 3
"""Duration of one measurement."""
SETTLE = 2.0
"""Seconds to wait before memory is measured."""
SOURCE = Path(__file__).with_suffix("")
"""Folder of the JavaScript sources."""
INSTALLED = Path(__file__).parents[1] / "build" / "boardgame_io"
"""Folder with copies of the sources and the installed npm packages."""


@dataclass
class Contestant:
    """One server with its clients, and the measurements."""

    name: str
    server: ServerProcess
    run_step: Callable[[str], Any]
    """Makes the clients run a step of `clients.cjs` and returns the result of the step."""
    memory: float = 0.0
    """Bytes per table."""
    rate: float = 0.0
    """Actions per second when clients act as soon as they may."""
    cpu: float = 0.0
    """CPU seconds of the server per action, at this rate."""
    broadcast: list[float] = field(default_factory=list)
    """Seconds until the other seat received an action, at one action per second and table."""
    durable: list[float] = field(default_factory=list)
    """Seconds until the same action was also written."""

    def create_tables(self) -> None:
        """Create the tables and measure the memory of a table."""
        before = self._resident("warm")
        self.memory = (self._resident("tables") - before) / TABLES

    def _resident(self, step: str) -> int:
        """Run a step, wait, and return the server's resident set size in bytes."""
        self.run_step(step)
        sleep(SETTLE)
        return self.server.resident()

    def measure_latency(self) -> None:
        """Play one action per second and table, and add the latencies."""
        times = self.run_step("paced")
        self.broadcast += times["broadcast"]
        self.durable += times["durable"]

    def measure_rate(self) -> None:
        """Play as fast as the server answers, and measure the rate and the CPU time."""
        used = self.server.cpu_seconds()
        done = self.run_step("unpaced")
        self.cpu = (self.server.cpu_seconds() - used) / done["actions"]
        self.rate = done["actions"] / done["seconds"]

    @property
    def figures(self) -> tuple[float, ...]:
        """The figures in the order and units of `HEADS`."""
        broadcast, durable = quantiles(self.broadcast, n=100), quantiles(self.durable, n=100)
        seconds = self.cpu, broadcast[49], broadcast[98], durable[49], durable[98]
        milliseconds = [1000 * each for each in seconds]
        return self.rate, *milliseconds, self.memory / 1024


HEADS = ("actions/s", "CPU ms/action", "broadcast p50", "p99 ms", "durable p50", "p99 ms", "KiB/table")


@contextmanager
def node(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a script of the installed folder with Node until the end of the block."""
    process = subprocess.Popen(
        ["node", INSTALLED / script, *arguments],  # noqa: S607 the Node of the machine
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


def next_line(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints; raise `SystemExit` if it ended."""
    assert process.stdout is not None
    if line := process.stdout.readline().strip():
        return line
    raise SystemExit(f"{process.args!r} ended")


def step_result(clients: subprocess.Popen[str], step: str) -> Any:
    """Make the clients run a step and return its result."""
    assert clients.stdin is not None
    clients.stdin.write(f"{step}\n")
    clients.stdin.flush()
    return json.loads(next_line(clients))


@contextmanager
def dicecup() -> Iterator[Contestant]:
    """Run `dicecup serve` and its clients until the end of the block."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server,
        clients_of("dicecup", server) as run_step,
    ):
        yield Contestant("dicecup, SQLite FULL", server, run_step)


@contextmanager
def boardgame_io(name: str, *folder: str) -> Iterator[Contestant]:
    """Run boardgame.io's server and its clients until the end of the block.

    The server stores its matches in `folder`, or in memory without one.
    """
    with node("server.cjs", *folder) as process:
        server = ServerProcess(next_line(process), process)
        with clients_of("boardgame_io", server) as run_step:
            yield Contestant(name, server, run_step)


@contextmanager
def clients_of(kind: str, server: ServerProcess) -> Iterator[Callable[[str], Any]]:
    """Run the clients of a server of a kind; yield the function that makes them run a step."""
    with node("clients.cjs", kind, server.url, str(TABLES), str(WARM), str(SECONDS)) as clients:
        yield partial(step_result, clients)


def installation_error() -> str:
    """Install boardgame.io below `build`; return why that failed, or an empty string."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    lock = INSTALLED / "package-lock.json"
    ready = lock.exists() and lock.read_bytes() == (SOURCE / lock.name).read_bytes()
    shutil.copytree(SOURCE, INSTALLED, dirs_exist_ok=True)
    if not ready:
        install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(install, cwd=INSTALLED, capture_output=True, text=True, check=False)
        if done.returncode:
            lock.unlink()
            return f"npm ci failed: {done.stderr.strip()}"
    return ""


def advantages(first: Contestant, other: Contestant) -> list[float]:
    """Return how many times better the first server is in each figure.

    The rate is better if it is higher, all other figures are better if they are lower.
    """
    pairs = list(zip(first.figures, other.figures, strict=True))
    return [pairs[0][0] / pairs[0][1], *(theirs / ours for ours, theirs in pairs[1:])]


def line(head: str, cells: Iterable[str]) -> str:
    """Return a line of the printed table."""
    return f"{head:32}" + "".join(f"{cell:>15}" for cell in cells)


def main() -> int:
    """Print the figures; return 1 if boardgame.io with FlatFile is better in any, 0 otherwise."""
    if reason := installation_error():
        print(f"skipped: {reason}")
        return 0
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        peers = boardgame_io("boardgame.io, FlatFile", folder), boardgame_io("boardgame.io, in memory")
        servers = [stack.enter_context(each) for each in (dicecup(), *peers)]
        for each in servers:
            each.create_tables()
        for _ in range(ROUNDS):
            for each in servers:
                each.measure_latency()
        for each in servers:
            each.measure_rate()
    print(line(f"{TABLES + WARM} tables of two", HEADS))
    for each in servers:
        print(line(each.name, (f"{figure:,.2f}" for figure in each.figures)))
    for each in servers[1:]:
        print(line(f"times {each.name}", (f"{ratio:.2f}x" for ratio in advantages(servers[0], each))))
    return 0 if min(advantages(servers[0], servers[1])) > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
