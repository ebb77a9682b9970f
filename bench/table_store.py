"""Durable actions per second at the host: throws, keeps and results, without a network.

Many tables play at once, and the host saves every action before it answers. The databases are
SQLite with `synchronous=FULL` and PostgreSQL as Debian configures it, the latter with two workers.
The last number of a line is high if other programs used the machine.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from time import perf_counter, process_time

from sqlalchemy.engine import URL, make_url

from dicecup.hosting.settings import Settings
from dicecup.hosting.store.engines import database_url, sqlite_url
from dicecup.hosting.table_host import TableHost
from dicecup.table import fairness
from dicecup.table.commands import Act, Command, CommitSeed, RevealSeed, Throw
from dicecup.table.setup import SeatSetup, Setup
from dicecup.yamm import Row

TABLES = 256
"""Tables that are played at once, by all workers together."""
SECONDS = 5.0
"""Duration of a measurement; too short for a game to end."""
SEED = bytes(16)


def commands() -> Iterator[Command]:
    """Yield the commands of a game of Yamm: three throws per turn, one column after the other."""
    yield CommitSeed(fairness.seed_commitment(SEED))
    yield RevealSeed(SEED.hex())
    for column in ("d1", "d2", "d3", "u1", "u2", "u3", "f1", "f2", "f3"):
        for row in reversed(Row) if column.startswith("u") else Row:
            yield from (Throw(), Act("k-"), Act("k-"), Act(f"{column}.{row}"))


async def serve(url: URL, tables: int, seconds: float) -> tuple[int, float, float, float]:
    """Play at `tables` tables for some seconds.

    Returns the number of actions, the elapsed seconds, the CPU seconds of this process, and the
    seconds for which it waited for a core.
    """
    host = await TableHost.open(Settings(url, bytes(32), tables=tables))
    try:
        setup = Setup("yamm(players=1)", (SeatSetup(),))
        created = [(await host.create(f"{number}", setup, name="Anna")).table for number in range(tables)]
        begin, cpu, waited = perf_counter(), process_time(), _waited()
        done = await asyncio.gather(*(_play(host, table, f"{n}", begin + seconds) for n, table in enumerate(created)))
        return sum(done), perf_counter() - begin, process_time() - cpu, _waited() - waited
    finally:
        await host.close()


async def _play(host: TableHost, table: str, identity: str, until: float) -> int:
    """Send commands to one table until a time of `perf_counter`; return the number of commands.

    Raises `RuntimeError` if the game ends first.
    """
    version = 2
    for done, command in enumerate(commands()):
        if perf_counter() >= until:
            return done
        version = await host.send(table, identity, command, version=version, command_id=f"c{done}")
    raise RuntimeError(f"the game at table {table} ended")


def _waited() -> float:
    """Return for how many seconds this thread was ready but waited for a core; 0 outside Linux."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def worker(url: str, tables: int, seconds: float) -> tuple[int, float, float, float]:
    """Run `serve` in a worker process."""
    return asyncio.run(serve(make_url(url), tables, seconds))


def measure(pool: Pool, name: str, url: URL, workers: int) -> None:
    """Measure one database and print the rate."""
    asyncio.run(serve(url, 0, 0.0))  # creates the tables of the database before the measurement
    text = url.render_as_string(hide_password=False)
    results = pool.starmap(worker, [(text, TABLES // workers, SECONDS)] * workers)
    actions = sum(done for done, *_ in results)
    rate = sum(done / seconds for done, seconds, *_ in results)
    cpu = sum(used for *_, used, _ in results) / actions
    waited = sum(waited / seconds for _, seconds, _, waited in results) / workers
    print(
        f"{name:11}{workers} worker(s) {rate:>7,.0f} durable actions per second; each {cpu * 1e6:,.0f} µs of the workers' CPU;"
        f" {waited:.0%} of the time waiting for a core"
    )


def main(postgresql: str | None) -> None:
    """Measure SQLite and PostgreSQL.

    `postgresql` is the URL of an empty database. Without it, a private PostgreSQL server is started
    if PostgreSQL is installed.
    """
    with get_context("spawn").Pool(2) as pool:
        with tempfile.TemporaryDirectory() as folder:
            measure(pool, "SQLite", sqlite_url(Path(folder, "tables.sqlite")), 1)
        if postgresql is not None:
            measure(pool, "PostgreSQL", database_url(postgresql), 2)
            return
        from tests import postgres

        if postgres.programs() is None:
            print("PostgreSQL is not installed")
            return
        with postgres.running(durable=True) as server:
            measure(pool, "PostgreSQL", database_url(server.new_database()), 2)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
