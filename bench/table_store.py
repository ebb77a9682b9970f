"""Durable actions a second at the hub: throws, keeps and results of many tables at once, each saved
before its answer (SQLite with `synchronous=FULL`; PostgreSQL as Debian sets it up, with two
workers), without a network. On a machine that does other things too, look at how long the workers
had to wait for a core.
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

from dicecup.hosting.hub import Hub
from dicecup.hosting.settings import Settings
from dicecup.hosting.store.engines import database_url, sqlite_url
from dicecup.table import fairness
from dicecup.table.commands import Act, Command, CommitSeed, RevealSeed, Throw
from dicecup.table.setup import SeatSetup, Setup
from dicecup.yamm import Row

TABLES = 256
"""In play at once, over all workers."""
SECONDS = 5.0
"""Too few for a game to end in them."""
SEED = bytes(16)


def commands() -> Iterator[Command]:
    """One sheet, written from the top down, column by column, with three throws a turn."""
    yield CommitSeed(fairness.seed_commitment(SEED))
    yield RevealSeed(SEED.hex())
    for column in ("d1", "d2", "d3", "u1", "u2", "u3", "f1", "f2", "f3"):
        for row in reversed(Row) if column.startswith("u") else Row:
            yield from (Throw(), Act("k-"), Act("k-"), Act(f"{column}.{row}"))


async def serve(url: URL, tables: int, seconds: float) -> tuple[int, float, float, float]:
    """Plays so long: actions, seconds, CPU seconds of this process, and seconds for which it waited
    for a core."""
    hub = await Hub.open(Settings(url, bytes(32), tables=tables))
    try:
        setup = Setup("yamm(players=1)", (SeatSetup(),))
        made = [(await hub.create(f"{number}", setup, name="Anna")).table for number in range(tables)]
        begin, cpu, waited = perf_counter(), process_time(), _waited()
        done = await asyncio.gather(*(_play(hub, table, f"{n}", begin + seconds) for n, table in enumerate(made)))
        return sum(done), perf_counter() - begin, process_time() - cpu, _waited() - waited
    finally:
        await hub.close()


async def _play(hub: Hub, table: str, identity: str, until: float) -> int:
    version = 2
    for done, command in enumerate(commands()):
        if perf_counter() >= until:
            return done
        version = await hub.send(table, identity, command, version=version, command_id=f"c{done}")
    raise RuntimeError(table)


def _waited() -> float:
    """Seconds for which this thread could have run; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def worker(url: str, tables: int, seconds: float) -> tuple[int, float, float, float]:
    """`serve` in a process of its own."""
    return asyncio.run(serve(make_url(url), tables, seconds))


def measure(pool: Pool, name: str, url: URL, workers: int) -> None:
    """Prints the rate."""
    asyncio.run(serve(url, 0, 0.0))  # migrated before anybody measures
    text = url.render_as_string(hide_password=False)
    found = pool.starmap(worker, [(text, TABLES // workers, SECONDS)] * workers)
    actions = sum(done for done, *_ in found)
    rate = sum(done / seconds for done, seconds, *_ in found)
    cpu = sum(used for *_, used, _ in found) / actions
    waited = sum(waited / seconds for _, seconds, _, waited in found) / workers
    print(
        f"{name:11}{workers} worker(s) {rate:>7,.0f} durable actions a second; each {cpu * 1e6:,.0f} µs of the workers' CPU;"
        f" {waited:.0%} of the time no core was free"
    )


def main(postgresql: str | None) -> None:
    """`postgresql`: the URL of an empty database; without one, a private server is started where
    Debian's is installed."""
    with get_context("spawn").Pool(2) as pool:
        with tempfile.TemporaryDirectory() as folder:
            measure(pool, "SQLite", sqlite_url(Path(folder, "tables.sqlite")), 1)
        if postgresql is not None:
            measure(pool, "PostgreSQL", database_url(postgresql), 2)
            return
        from tests import postgres

        if postgres.programs() is None:
            print("PostgreSQL  not installed here")
            return
        with postgres.running(durable=True) as server:
            measure(pool, "PostgreSQL", database_url(server.new_database()), 2)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
