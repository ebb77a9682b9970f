"""The servers of `bench.chaos`, and what can be done to them: workers, PostgreSQL, and a disk."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bench import _jumping
from tests import postgres

TOP: Final = Path(__file__).parent.parent
HOST_KEY: Final = "5a" * 32
RESTART_AFTER: Final = 0.5
"""Seconds from the end of a worker until it is started again, if no fault keeps it down."""
ORPHANED_AFTER: Final = 45.0
"""Seconds after the death of a worker within which its processes have to end."""
MEGABYTES: Final = {"PostgreSQL": 512, "SQLite": 256}
"""Size of the disk of each database."""
JUMPS: Final = (-31 * 86_400.0, -3600.0, -60.0, -3.0, 0.0, 0.0, 3.0, 60.0, 3600.0, 31 * 86_400.0)
"""Seconds by which the system time of a worker is ahead after a jump."""


class Worker:
    """A `dicecup serve` that is started again whenever it ends."""

    def __init__(self, name: str, folder: Path, environment: dict[str, str]) -> None:
        self.name = name
        self.ready = asyncio.Event()
        self.starts = 0
        self.refused_starts = 0
        """Starts that ended before the server listened, for example because the disk was full."""
        self.orphans = 0
        """Processes of killed workers that had not ended after `ORPHANED_AFTER` seconds."""
        self.log = folder / f"{name}.log"
        self._time = folder / f"{name}.time"
        _jumping.write(self._time, 0.0)
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = os.environ | {"DICECUP_HOST_KEY": HOST_KEY, "DICECUP_PROCESSES": "1"} | environment
        self._process: asyncio.subprocess.Process | None = None
        self._sessions: list[int] = []
        self._down_for = 0.0
        self._watching: set[asyncio.Task[None]] = set()
        self._supervising: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the worker, again and again until `stop`."""
        self._supervising = asyncio.create_task(self._supervise())

    async def stop(self) -> int | None:
        """End the worker with SIGTERM and return its exit code, `None` if it did not run."""
        process = self._process
        if self._supervising is not None:
            self._supervising.cancel()
            await asyncio.gather(self._supervising, return_exceptions=True)
        if process is None or process.returncode is not None:
            return None
        process.terminate()
        try:
            async with asyncio.timeout(60):
                return await process.wait()
        except TimeoutError:
            process.kill()
            return await process.wait()

    def end_all(self) -> None:
        """Kill whatever is left of all processes that this worker started."""
        for session in self._sessions:
            while processes := processes_of(session):
                for process in processes:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                time.sleep(0.05)

    async def _supervise(self) -> None:
        command = ["-m", "bench._jumping", str(self._time), "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        while True:
            with self.log.open("ab") as log:
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    *command,
                    cwd=TOP,
                    env=self._environment,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,
                )
            self._process = process
            self._sessions.append(process.pid)
            self.starts += 1
            assert process.stdout is not None
            if await process.stdout.readline():
                self.ready.set()
            else:
                self.refused_starts += 1
            await process.wait()
            self.ready.clear()
            self._watch(process.pid)
            await asyncio.sleep(max(RESTART_AFTER, self._down_for))
            self._down_for = 0.0

    def _watch(self, session: int) -> None:
        """Count the processes of a dead worker that do not end by themselves."""

        async def count() -> None:
            await asyncio.sleep(ORPHANED_AFTER)
            self.orphans += len(processes_of(session))

        task = asyncio.create_task(count())
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    # --- Faults -----------------------------------------------------------------------------------

    async def killed(self, seconds: float) -> None:
        """Kill the worker with SIGKILL and keep it down for some seconds. Return when it listens
        again."""
        if self._process is not None and self._process.returncode is None and self.ready.is_set():
            self._down_for = seconds
            self.ready.clear()
            self._process.kill()
        await self.ready.wait()

    async def frozen(self, seconds: float) -> None:
        """Stop the worker and its processes for some seconds, as a machine that hangs."""
        if self._process is None:
            return
        stopped = processes_of(self._process.pid)
        for sent in (signal.SIGSTOP, signal.SIGCONT):
            for process in stopped:
                with suppress(ProcessLookupError):
                    os.kill(process, sent)
            if sent is signal.SIGSTOP:
                try:
                    await asyncio.sleep(seconds)
                except asyncio.CancelledError:
                    self.end_all()
                    raise

    async def jumped(self, ahead: float) -> None:
        """Let the system time of the worker jump."""
        _jumping.write(self._time, ahead)


def processes_of(session: int) -> list[int]:
    """Return the running processes of a session (Linux only)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return found


class Disk:
    """A small file system in memory that can be filled."""

    def __init__(self, folder: Path) -> None:
        self._filler = folder / "filler"

    async def full(self, seconds: float) -> None:
        """Leave no room on the disk for some seconds, whatever others delete."""
        left = seconds
        with self._filler.open("wb", buffering=0) as file:
            while left > 0:
                for size in (2**20, 2**12):
                    with suppress(OSError):
                        while True:
                            file.write(bytes(size))
                await asyncio.sleep(min(0.2, left))
                left -= 0.2
        self._filler.unlink()


Fault = Callable[[], Awaitable[None]]


@dataclass
class Arena:
    """Workers with one database. `fault` returns faults; `url` is that of the database."""

    name: str
    url: str
    workers: list[Worker]
    disk: Disk | None
    server: postgres.Postgres | None = None
    faults: Counter[str] = field(default_factory=Counter)
    _database_down: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def kinds(self) -> list[str]:
        """The kinds of faults that this arena can have."""
        kinds = ["worker killed", "worker frozen", "time jumped"]
        kinds += ["all workers killed"] if len(self.workers) > 1 else []
        kinds += ["database frozen", "database stopped"] if self.server is not None else []
        return kinds + (["disk full"] if self.disk is not None else [])

    def fault(self, kind: str, random: Random, longest: float) -> Fault:
        """Return a fault of at most so many seconds, to be awaited until it is over."""
        seconds = min(longest, 30 ** random.random())
        worker = random.choice(self.workers)
        ahead = random.choice(JUMPS)
        faults: dict[str, Fault] = {
            "worker killed": lambda: worker.killed(min(seconds, 5.0)),
            "all workers killed": lambda: self._killed_all(min(seconds, 5.0)),
            "worker frozen": lambda: worker.frozen(seconds),
            "time jumped": lambda: worker.jumped(ahead),
            "database frozen": lambda: self._frozen_database(seconds),
            "database stopped": lambda: self._stopped_database(seconds),
            "disk full": lambda: self._full_disk(seconds),
        }
        self.faults[kind] += 1
        return faults[kind]

    async def all_up(self) -> None:
        """Wait until the database and all workers run."""
        await self._database_up()
        for worker in self.workers:
            await worker.ready.wait()

    async def _killed_all(self, seconds: float) -> None:
        await asyncio.gather(*(worker.killed(seconds) for worker in self.workers))

    async def _frozen_database(self, seconds: float) -> None:
        assert self.server is not None
        async with self._database_down:
            with suppress(OSError), self.server.frozen():  # it does not run
                await asyncio.sleep(seconds)

    async def _stopped_database(self, seconds: float) -> None:
        assert self.server is not None
        async with self._database_down:
            with suppress(RuntimeError):  # it does not run any more if the disk was full
                await asyncio.to_thread(self.server.stop, "immediate")
            await asyncio.sleep(seconds)
            await self._database_up()

    async def _full_disk(self, seconds: float) -> None:
        assert self.disk is not None
        async with self._database_down:
            await self.disk.full(seconds)
            await self._database_up()

    async def _database_up(self) -> None:
        """Start PostgreSQL unless it runs: a full disk can end it."""
        while self.server is not None:
            try:
                await asyncio.to_thread(self.server.sql, "SELECT 1")
            except RuntimeError:
                with suppress(RuntimeError):
                    await asyncio.to_thread(self.server.start)
                await asyncio.sleep(0.5)
            else:
                return


@contextmanager
def small_disk(name: str) -> Iterator[tuple[Path, Disk | None]]:
    """Yield a new folder and the disk below it, `None` where only root may make one."""
    folder = Path(tempfile.mkdtemp(prefix="dicecup-chaos-"))
    mounted = False
    if os.getuid() == 0:
        size = f"size={MEGABYTES[name]}m,mode=0700"
        mount = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
        mounted = subprocess.run(mount, check=False).returncode == 0
    try:
        yield folder, Disk(folder) if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=False)  # noqa: S607
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def arenas(folder: Path) -> Iterator[list[Arena]]:
    """Yield two workers on PostgreSQL, if it is installed, and a server on SQLite. Logs are in
    `folder`. No worker is started yet."""
    made = []
    with ExitStack() as stack:
        if (programs := postgres.programs()) is not None:
            on_disk, disk = stack.enter_context(small_disk("PostgreSQL"))
            server = postgres.Postgres.create(programs, on_disk, durable=True)
            stack.callback(_stop, server)
            for setting in ("max_wal_size = '64MB'", "min_wal_size = '32MB'"):
                server.sql(f"ALTER SYSTEM SET {setting}")
            server.stop()
            server.start()
            url = server.new_database()
            workers = []
            for name in ("postgresql-1", "postgresql-2"):
                (folder / name).mkdir()
                workers.append(Worker(name, folder, {"DICECUP_DATA": str(folder / name), "DICECUP_DATABASE_URL": url}))
            made.append(Arena("PostgreSQL", url, workers, disk, server))
        on_disk, disk = stack.enter_context(small_disk("SQLite"))
        environment = {"DICECUP_DATA": str(on_disk), "DICECUP_DATABASE_URL": ""}
        made.append(Arena("SQLite", f"sqlite:///{on_disk / 'tables.sqlite'}", [Worker("sqlite", folder, environment)], disk))
        try:
            yield made
        finally:
            for arena in made:
                for worker in arena.workers:
                    worker.end_all()


def _stop(server: postgres.Postgres) -> None:
    with suppress(RuntimeError):
        server.stop("immediate")
