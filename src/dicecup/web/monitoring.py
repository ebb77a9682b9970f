"""Metrics for Prometheus, and log lines as JSON. Neither contains a secret."""

import asyncio
import io
import logging
import sys
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final, TextIO, cast

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
LAG_INTERVAL: Final = 0.5
"""Seconds between two measurements of the event loop."""
LOG_INTERVAL: Final = 10.0
"""Seconds between two lines about the same limit."""

log = structlog.get_logger()


class Metrics:
    """Metrics of one server. `gauges` returns its gauges by name."""

    def __init__(self, gauges: Callable[[], dict[str, int]]) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_Gauges(gauges))
        self.requests = Counter(
            "dicecup_requests", "Requests answered, by route and status", ["route", "status"], registry=self.registry
        )
        self.commands = Counter("dicecup_commands", "Commands, by what became of them", ["answer"], registry=self.registry)
        self.messages = Counter("dicecup_messages", "Messages received over WebSockets", registry=self.registry)
        self.limits = Counter("dicecup_limits", "Limits that clients reached", ["limit"], registry=self.registry)
        self.seconds = Histogram(
            "dicecup_command_seconds", "From a command to its answer", buckets=SECONDS, registry=self.registry
        )
        self.lag = Histogram(
            "dicecup_event_loop_lag_seconds", "Delay of the event loop", buckets=SECONDS, registry=self.registry
        )

    async def watch_event_loop(self) -> None:
        """Measure once by how much later than wanted the event loop wakes a task."""
        wanted = monotonic() + LAG_INTERVAL
        await asyncio.sleep(LAG_INTERVAL)
        self.lag.observe(max(0.0, monotonic() - wanted))

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


class LimitLog:
    """Counts limits that clients reach, and mistakes that they make, in the metric
    `dicecup_limits`. Writes at most one line for each in `LOG_INTERVAL` seconds."""

    def __init__(self, counter: Counter, clock: Callable[[], float]) -> None:
        self._counter = counter
        self._clock = clock
        self._silent_until: dict[str, float] = {}
        self._unlogged: dict[str, int] = {}

    def __call__(self, limit: str, address: str) -> None:
        """Count a limit that an address has reached."""
        self._counter.labels(limit).inc()
        times = self._unlogged[limit] = self._unlogged.get(limit, 0) + 1
        now = self._clock()
        if now >= self._silent_until.get(limit, now):
            self._silent_until[limit] = now + LOG_INTERVAL
            self._unlogged[limit] = 0
            log.info("limit", limit=limit, address=address, times=times)


class _Gauges(Collector):
    """Collector that reads the gauges when Prometheus asks for them."""

    def __init__(self, read: Callable[[], dict[str, int]]) -> None:
        self._read = read

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, value in self._read().items():
            yield GaugeMetricFamily(f"dicecup_{name}", f"{name.capitalize().replace('_', ' ')} in this process", value=value)


class _StandardError(io.TextIOBase):
    """Standard error as it is when a line is written. A program that runs `dicecup serve` may
    replace it meanwhile."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def log_as_json(least: int = logging.INFO) -> None:
    """Write every log line as a JSON object to standard error, also those of libraries, from the
    level `least`."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(ensure_ascii=False)],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _StandardError())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(_StandardError())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    logging.root.handlers = [handler]
    logging.root.setLevel(logging.WARNING)
