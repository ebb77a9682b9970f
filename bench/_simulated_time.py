"""A server in this process whose time a program hands in.

The event loop counts real seconds and those that were handed in, and the clock of the tables is
that of the loop. So all waits of the server pass, as they would in this time: timers of tables, the
time until a table is evicted, and the pauses of the repeated tasks.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import httpx

from dicecup.hosting import quotas, retention
from dicecup.hosting.scheduled_backups import CHECK_INTERVAL, SETTLE
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import Settings
from dicecup.hosting.store.engines import sqlite_url
from dicecup.hosting.table_host import TableHost
from dicecup.web.app import App
from dicecup.web.base_url import BaseUrl
from dicecup.web.config import Config
from dicecup.web.context import AppContext
from dicecup.web.server import avoid_collector_pauses

BEGIN = 1_800_014_400.0
"""Time at which a simulation begins, in seconds since 1970: noon of a day (UTC)."""
LONGEST_WORK = 120.0
"""Real seconds that the server may work without new time before the simulation fails."""
MANY = 10**6
"""A limit that the simulation does not reach."""


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Event loop whose time is `ahead` of the real one by the seconds that were handed in."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


@dataclass
class SimulatedServer:
    """The tables and the application of a server. People count as `busy` until they `pause`."""

    host: TableHost
    context: AppContext
    app: App
    loop: SimulatedLoop
    folder: Path
    busy: int = 0
    times: list[float] = field(default_factory=list)
    """Seconds of each command since the list was last emptied."""
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while nobody is busy."""

    @property
    def file(self) -> Path:
        """Return the file of the database."""
        return self.folder / "tables.sqlite"

    async def pause(self, seconds: float) -> None:
        """Wait for some simulated seconds."""
        self.count(-1)
        await asyncio.sleep(seconds)
        self.count(1)

    def count(self, change: int) -> None:
        """Count a person who comes (1) or goes (-1)."""
        self.busy += change
        if self.busy:
            self.idle.clear()
        else:
            self.idle.set()

    async def advance(self, seconds: float) -> None:
        """Hand in some seconds in which the server ran, and wait until it has done its work.

        There is one sweep, and one round of each repeated task that is due. The heartbeats of the
        time are not made one by one; instead the last one is set to its end.
        """
        outages = self.host.outages
        async with outages._beating:  # noqa: SLF001 a heartbeat must not see half of it
            self.loop.ahead += seconds
            outages._last = self.host.clock()  # noqa: SLF001 otherwise the time would be an outage
        for _ in range(5):
            await asyncio.sleep(0)  # those whose time has come begin
        await self.host.sweep()
        async with asyncio.timeout(LONGEST_WORK):
            await self.idle.wait()
        begun = perf_counter()
        while self._is_working():
            await asyncio.sleep(0.001)
            if perf_counter() - begun > LONGEST_WORK:
                raise SystemExit("the server does not finish its work")

    def _is_working(self) -> bool:
        """Return whether a computer is choosing, or a scheduled backup is due and not finished."""
        if any(loaded.computer is not None and not loaded.computer.done() for loaded in self.host.cache.tables.values()):
            return True
        backups = self.host.gauges()
        if backups["backup_failed"]:
            raise SystemExit("a scheduled backup failed")
        last = backups["last_good_backup"]
        due = last + 3600 * self.host.settings.backup_hours if last else BEGIN + SETTLE
        return self.host.clock() > due + CHECK_INTERVAL

    async def request(self, address: str, method: str, path: str, body: object = None, token: str = "") -> httpx.Response:
        """Send a request from an address to the application. Raises `httpx.HTTPStatusError` for a
        refusal."""
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
            return (await client.request(method, path, json=body)).raise_for_status()

    def open_files(self) -> int:
        """Return the number of descriptors of this process."""
        return len(list(Path("/proc/self/fd").iterdir()))

    def resident(self) -> int:
        """Return the resident set size of this process in bytes."""
        lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss:"))


@asynccontextmanager
async def simulated_server(folder: Path, keep_days: int) -> AsyncIterator[SimulatedServer]:
    """Run a server with an SQLite file in a folder until the end of the block, as `dicecup serve`
    does, but without sockets. It makes a backup every day, and keeps two."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    begin = loop.time()
    clock = ServerClock(lambda: BEGIN + loop.time() - begin, loop.time)
    settings = Settings(
        sqlite_url(folder / "tables.sqlite"),
        bytes(range(32)),
        tables=MANY,
        tables_per_day=MANY,
        identities_per_day=MANY,
        keep_days=keep_days,
        backup_hours=24,
        backups_kept=2,
        backups=folder / "backups",
        folder=folder,
    )
    host = await TableHost.open(settings, clock)
    config = Config(requests_per_second=MANY)
    context = AppContext.of(host, config, BaseUrl("http://127.0.0.1", "this-device"))
    sparing = asyncio.create_task(avoid_collector_pauses())
    try:
        host.tasks.repeat(context.quotas.synchronise, quotas.INTERVAL)
        host.tasks.repeat(context.metrics.watch_event_loop, 0)
        host.tasks.repeat(context.retention.sweep, retention.INTERVAL)
        server = SimulatedServer(host, context, App(context), loop, folder)
        server.idle.set()
        yield server
    finally:
        sparing.cancel()
        await host.close()
