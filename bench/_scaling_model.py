"""A model of many running tables, from the measured costs of an action and of a connection."""

from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from dicecup.hosting.store.engines import LISTENERS, READERS

MODEL_TABLES: Final = 100_000
SECONDS_PER_ACTION: Final = 10.0
"""Seconds between two actions of a table in the model."""
LOAD: Final = 0.5
"""Share of a core that a worker uses in the model."""
YEAR: Final = 365 * 86_400
ACTIONS_PER_GAME: Final = 120
CONNECTIONS_OF_WORKER: Final = READERS + LISTENERS + 1
"""Connections to PostgreSQL: those that read, the one that listens, and the one that writes."""


@dataclass(frozen=True)
class Costs:
    """CPU seconds of an action by part, and the cost of an idle connection.

    - `worker`, `postgresql`: at one worker that serves both seats.
    - `notified`: in every other worker.
    - `follow`, `follow_postgresql`: in addition if the other seat is at another worker.
    - `connection`, `connection_postgresql`: cores that an idle connection uses; `connection_log`
      bytes of write-ahead log a second.
    - `events`, `transactions`, `log_bytes`: of an action, and bytes of an event.
    """

    worker: float
    postgresql: float
    notified: float
    follow: float
    follow_postgresql: float
    connection: float
    connection_postgresql: float
    connection_log: float
    events: float
    transactions: float
    log_bytes: float

    def predicted(self, workers: int) -> tuple[float, float]:
        """Return the CPU seconds of an action of all workers together and of PostgreSQL, with the
        two people of each table at workers chosen by chance."""
        apart = 1 - 1 / workers
        return (
            self.worker + apart * self.follow + (workers - 1) * self.notified,
            self.postgresql + apart * self.follow_postgresql,
        )

    def workers_for(self, rate: float, connections: float) -> int | None:
        """Return the number of workers for so many actions a second and connections, each of them
        with the share `LOAD` of a core. `None`: the notifications alone take more."""
        if (left := LOAD - rate * self.notified) <= 0:
            return None
        return ceil((rate * (self.worker + self.follow) + connections * self.connection) / left)


def print_model(costs: Costs, memory: float, sizes: Any) -> None:
    """Print the costs, and what `MODEL_TABLES` running tables need."""
    rate, connections = MODEL_TABLES / SECONDS_PER_ACTION, 2 * MODEL_TABLES
    event, digest = sizes["events"] / sizes["number"], sizes["digests"] / sizes["tables"]
    workers = costs.workers_for(rate, connections)
    postgresql = rate * (costs.postgresql + costs.follow_postgresql) + connections * costs.connection_postgresql
    events = rate * costs.events
    log_bytes = events * costs.log_bytes + connections * costs.connection_log
    games = rate * YEAR / ACTIONS_PER_GAME
    lines = [
        (
            f"an action at one worker: worker {1e6 * costs.worker:.0f} µs, PostgreSQL {1e6 * costs.postgresql:.0f} µs, "
            f"{costs.events:.2f} events, {costs.transactions:.2f} transactions, {costs.log_bytes:.0f} bytes of WAL for an event"
        ),
        (
            f"if the other seat is at another worker: {1e6 * costs.follow:.0f} µs of the workers and "
            f"{1e6 * costs.follow_postgresql:.0f} µs of PostgreSQL more; in every other worker {1e6 * costs.notified:.1f} µs"
        ),
        (
            f"an idle connection: {1e6 * costs.connection:.1f} µs of its worker and "
            f"{1e6 * costs.connection_postgresql:.1f} µs of PostgreSQL a second, {costs.connection_log:.0f} bytes of WAL"
        ),
        f"memory: {memory / 1024:.0f} KiB for a loaded table with two connections",
        f"size: {event:.0f} bytes an event, {digest:.0f} bytes a table ({sizes['number']} events, {sizes['tables']} tables)",
        (
            f"{MODEL_TABLES} tables with an action each {SECONDS_PER_ACTION:.0f} s: {rate:.0f} actions a second, "
            f"{connections} WebSockets"
        ),
        f"  workers with {LOAD:.0%} of a core each: {workers}; notifications take {rate * costs.notified:.1%} of each core",
        f"  PostgreSQL: {postgresql:.1f} cores, {events:.0f} events and {log_bytes / 1e6:.1f} MB of WAL a second",
        f"  a year: {games:.3g} games of {ACTIONS_PER_GAME} actions, {(events * YEAR * event + games * digest) / 1e12:.1f} TB",
    ]
    if workers is not None:
        lines.append(
            f"  connections to PostgreSQL: {workers * CONNECTIONS_OF_WORKER}; a worker: {connections / workers:.0f} "
            f"WebSockets, at most {connections / workers * memory / 1e9:.2f} GB"
        )
    print("\n".join(lines))
