"""Workers on one PostgreSQL: what limits first, and a model of 100 000 running tables.

1, 2 and 4 processes of `dicecup serve` share a PostgreSQL as Debian configures it. Two client
processes play at tables of two people over WebSockets, half of them Yam Master and half Yamm, at a
rate that doubles until the p99 from a command to the other seat's event exceeds 50 ms or fewer
actions succeed than were asked for. Each person is connected to a worker chosen by chance, as
behind a proxy without sticky sessions. Everything shares the cores of this machine, so the CPU time
of each part is measured for an action, besides the idle cost.

The model has a cost for each part: an action at one worker, the events that the worker of the other
seat reads, the notification that every other worker receives, the same in PostgreSQL, and what an
idle connection costs, whose presence the workers save. They are measured with one worker and in two
measurements with two: both seats of all tables at the same worker, and at different ones. The model
then predicts the measurements with 2 and with 4 workers, and what 100 000 running tables need.
Linux only.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from typing import Any, Final

import asyncpg

from bench._load import Players, playing
from bench._processes import busy_seconds, cpu_of, cpu_of_family
from bench._scaling_model import Costs, print_model
from bench._server import ServerProcess, served
from tests import postgres

WORKERS: Final = (1, 2, 4)
TABLES: Final = 400
"""Tables of each measurement."""
CALIBRATED: Final = 200
"""Tables of the two measurements with two workers for the model."""
CLIENTS: Final = 2
"""Processes that play at the tables."""
RATES: Final = (200.0, 400.0, 800.0, 1200.0, 1600.0, 2400.0, 3200.0, 4800.0)
"""Actions a second."""
COMMON: Final = 400.0
"""The rate at which the costs of the model are measured and the predictions are compared."""
SECONDS: Final = 10.0
"""Duration of a measurement: two sweeps of the workers."""
MAX_P99: Final = 0.050
"""Seconds from a command to the other seat's event."""
REACHED: Final = 0.95
"""Share of the actions that must succeed, or the rate is too high."""

RANDOM: Final = Random(1)


@dataclass(frozen=True)
class Snapshot:
    """Counters at one time: seconds of CPU, and what PostgreSQL counts."""

    time: float
    workers: tuple[float, ...]
    postgresql: float
    clients: float
    machine: float
    transactions: int
    log_bytes: int
    events: int


@dataclass(frozen=True)
class Measurement:
    """A rate of actions with its latencies in seconds, and the cores that each part used."""

    actions: float
    p50: float
    p99: float
    late: float
    workers: tuple[float, ...]
    postgresql: float
    clients: float
    others: float
    transactions: float
    events: float
    log_bytes: float
    """Bytes of write-ahead log for each event."""


class Database:
    """The PostgreSQL of all workers. Its counters are read over a connection of its own."""

    def __init__(self, server: postgres.Postgres) -> None:
        self.url = server.new_database()
        self.process = int((server.data / "postmaster.pid").read_text("ascii").splitlines()[0])

    def row(self, query: str) -> Any:
        """Return the first row of a query."""

        async def read() -> Any:
            connection = await asyncpg.connect(self.url)
            try:
                return await connection.fetchrow(query)
            finally:
                await connection.close()

        return asyncio.run(read())


@dataclass(frozen=True)
class Idle:
    """The cores that are used, and the bytes of write-ahead log a second, while nobody acts."""

    workers: tuple[float, ...]
    postgresql: float
    log_bytes: float


class Cluster:
    """Workers on one database."""

    def __init__(self, database: Database, workers: Sequence[ServerProcess]) -> None:
        self.database = database
        self.workers = workers

    def wait_until_warm(self) -> None:
        """Wait until the processes for computers and analyses of all workers are ready."""
        while True:
            before = self._family()
            time.sleep(3.0)
            if self._family() - before < 0.3 * len(self.workers):
                return

    def _family(self) -> float:
        return sum(cpu_of_family(worker.process.pid) for worker in self.workers)

    def snapshot(self, players: Players | None) -> Snapshot:
        """Return the counters now."""
        row = self.database.row(COUNTERS)
        processes = [] if players is None else [process.pid or 0 for process in players.processes]
        return Snapshot(
            time.perf_counter(),
            tuple(cpu_of(worker.process.pid) for worker in self.workers),
            cpu_of_family(self.database.process),
            sum(map(cpu_of, processes)),
            busy_seconds(),
            *row,
        )

    def idle(self) -> Idle:
        """Measure while nobody acts."""
        before = self.snapshot(None)
        time.sleep(SECONDS)
        after = self.snapshot(None)
        took = after.time - before.time
        return Idle(
            _rates(before.workers, after.workers, took),
            (after.postgresql - before.postgresql) / took,
            (after.log_bytes - before.log_bytes) / took,
        )

    def measure(self, players: Players, rate: float) -> Measurement:
        """Play at a rate and return what it took."""
        before = self.snapshot(players)
        played = players.play(rate, SECONDS)
        after = self.snapshot(players)
        took = after.time - before.time
        workers = _rates(before.workers, after.workers, took)
        postgresql, clients = (after.postgresql - before.postgresql) / took, (after.clients - before.clients) / took
        percent, events = quantiles(played.times, n=100), max(1, after.events - before.events)
        return Measurement(
            actions=len(played.times) / took,
            p50=percent[49],
            p99=percent[98],
            late=quantiles(played.late, n=100)[98],
            workers=workers,
            postgresql=postgresql,
            clients=clients,
            others=max(0.0, (after.machine - before.machine) / took - sum(workers) - postgresql - clients),
            transactions=(after.transactions - before.transactions) / took,
            events=events / took,
            log_bytes=(after.log_bytes - before.log_bytes) / events,
        )


def cpu_of_action(measured: Measurement, idle: Idle) -> tuple[float, float]:
    """Return the CPU seconds of an action, without the idle cost: of all workers together, and of
    PostgreSQL."""
    used = sum(measured.workers) - sum(idle.workers)
    return used / measured.actions, (measured.postgresql - idle.postgresql) / measured.actions


def _rates(before: Sequence[float], after: Sequence[float], took: float) -> tuple[float, ...]:
    return tuple((now - then) / took for then, now in zip(before, after, strict=True))


def start_worker(database: Database, folder: Path, stack: ExitStack) -> ServerProcess:
    """Start a worker on the database that ends with the stack."""
    folder.mkdir()
    settings = {
        "DICECUP_DATABASE_URL": database.url,
        "DICECUP_HOST_KEY": bytes(range(32)).hex(),
        "DICECUP_SOCKETS_PER_ADDRESS": "100000",
    }
    return stack.enter_context(served(folder, **settings))


COUNTERS: Final = """
SELECT (SELECT sum(xact_commit)::bigint FROM pg_stat_database), pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint,
       (SELECT count(*) FROM events)
"""
SIZES: Final = """
SELECT pg_total_relation_size('events')::bigint AS events, (SELECT count(*) FROM events) AS number,
       (pg_total_relation_size('tables') + pg_total_relation_size('seats'))::bigint AS digests,
       (SELECT count(*) FROM tables) AS tables
"""
CONNECTIONS: Final = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dicecup'"


# --- Measurements ---------------------------------------------------------------------------------


def show(count: int, rate: float, measured: Measurement) -> None:
    """Print a line of the table."""
    busy = " ".join(f"{100 * used:4.0f}" for used in measured.workers)
    print(
        f"{count:>7} {rate:>6.0f} {measured.actions:>7.0f} {1e3 * measured.p50:>6.1f} {1e3 * measured.p99:>7.1f} "
        f"{1e3 * measured.late:>6.0f} {busy:>19} {100 * measured.postgresql:>6.0f} {100 * measured.clients:>7.0f} "
        f"{100 * measured.others:>6.0f} {measured.transactions:>7.0f} {measured.events:>7.0f} {measured.log_bytes:>6.0f}",
        flush=True,
    )


def climb(running: Cluster, players: Players) -> dict[float, Measurement]:
    """Measure at growing rates until one is too high, the common one at least, and return the
    measurements by rate."""
    found: dict[float, Measurement] = {}
    for rate in RATES:
        found[rate] = measured = running.measure(players, rate)
        show(len(running.workers), rate, measured)
        if rate >= COMMON and (measured.p99 > MAX_P99 or measured.actions < REACHED * rate * SECONDS / (SECONDS + 0.3)):
            break
    return found


def by_chance(workers: Sequence[ServerProcess], tables: int) -> list[tuple[str, str]]:
    """Return the URLs of the workers to which the two people of each table are connected."""
    urls = [worker.url for worker in workers]
    return [(RANDOM.choice(urls), RANDOM.choice(urls)) for _ in range(tables)]


def compare(count: int, costs: Costs, idle: Idle, found: dict[float, Measurement]) -> None:
    """Print the predictions for a number of workers, the measurements and the errors, at the common
    rate and at the highest one that was reached."""
    for rate in sorted({COMMON, max(found)}):
        measured = cpu_of_action(found[rate], idle)
        for name, alone, predicted, cost in zip(
            ("workers", "PostgreSQL"), (costs.worker, costs.postgresql), costs.predicted(count), measured, strict=True
        ):
            print(
                f"  {count} workers, {rate:.0f} a second: an action takes {1e6 * cost:.0f} µs of {name}; "
                f"the model says {1e6 * predicted:.0f} ({predicted / cost - 1:+.0%}), "
                f"one worker alone {1e6 * alone:.0f} ({alone / cost - 1:+.0%})"
            )


def measure(database: Database, folder: Path) -> None:
    """Measure all numbers of workers, then print the model."""
    print(
        f"{'workers':>7} {'asked':>6} {'actions':>7} {'p50':>6} {'p99':>7} {'late':>6} {'workers':>19} {'postg.':>6} "
        f"{'clients':>7} {'others':>6} {'transa.':>7} {'events':>7} {'WAL':>6}   (a second, ms, % of a core, bytes an event)"
    )
    costs: Costs | None = None
    memory = 0.0
    with ExitStack() as stack:
        workers: list[ServerProcess] = []
        for count in WORKERS:
            while len(workers) < count:
                workers.append(start_worker(database, folder / str(len(workers)), stack))
            running = Cluster(database, tuple(workers))
            running.wait_until_warm()
            empty, resident = running.idle(), running.workers[0].resident()
            with playing(by_chance(running.workers, TABLES), CLIENTS) as players:
                idle = running.idle()
                if count == 1:
                    memory = (running.workers[0].resident() - resident) / TABLES
                found = climb(running, players)
                connections = database.row(CONNECTIONS)[0]
            print(
                f"  {connections} connections to PostgreSQL; idle without tables a worker takes {mean(empty.workers):.2%} "
                f"of a core and PostgreSQL {empty.postgresql:.2%}, with {2 * TABLES} WebSockets {mean(idle.workers):.2%} "
                f"and {idle.postgresql:.2%}"
            )
            if count == 1:
                costs = costs_of_one(found[COMMON], empty, idle)
            if count == 2 and costs is not None:
                costs = with_second_worker(running, costs)
            if count > 1 and costs is not None:
                compare(count, costs, idle, found)
    assert costs is not None
    print_model(costs, memory, database.row(SIZES))


def costs_of_one(measured: Measurement, empty: Idle, idle: Idle) -> Costs:
    """Return the costs of one worker that serves all tables."""
    worker, postgresql = cpu_of_action(measured, idle)
    return Costs(
        worker,
        postgresql,
        notified=0.0,
        follow=0.0,
        follow_postgresql=0.0,
        connection=max(0.0, idle.workers[0] - empty.workers[0]) / (2 * TABLES),
        connection_postgresql=max(0.0, idle.postgresql - empty.postgresql) / (2 * TABLES),
        connection_log=max(0.0, idle.log_bytes - empty.log_bytes) / (2 * TABLES),
        events=measured.events / measured.actions,
        transactions=measured.transactions / measured.actions,
        log_bytes=measured.log_bytes - idle.log_bytes / measured.events,
    )


def with_second_worker(running: Cluster, costs: Costs) -> Costs:
    """Return the costs together with those that a second worker causes."""
    first, second = (each.url for each in running.workers)
    with playing([(first, first)] * CALIBRATED, CLIENTS) as players:
        idle, together = running.idle(), running.measure(players, COMMON)
        show(2, COMMON, together)
    notified = max(0.0, together.workers[1] - idle.workers[1]) / together.actions
    with playing([(first, second)] * CALIBRATED, CLIENTS) as players:
        idle, apart = running.idle(), running.measure(players, COMMON)
        show(2, COMMON, apart)
    worker, postgresql = cpu_of_action(apart, idle)
    return replace(
        costs,
        notified=notified,
        follow=worker - costs.worker - notified,
        follow_postgresql=postgresql - costs.postgresql,
    )


def main() -> int:
    """Measure with a private PostgreSQL; return 0, or 1 if it is not installed."""
    if postgres.programs() is None:
        print("PostgreSQL is not installed")
        return 1
    with postgres.running(durable=True) as server, tempfile.TemporaryDirectory() as folder:
        measure(Database(server), Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
