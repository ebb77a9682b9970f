"""Metrics for Prometheus, and log lines as JSON. Neither contains a secret."""

import logging
import sys
from collections.abc import Callable, Iterator
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """Metrics of one server. `gauges` returns those of its tables, `sockets` the number of open
    WebSockets."""

    def __init__(self, gauges: Callable[[], dict[str, int]], sockets: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_Gauges(lambda: gauges() | {"sockets": sockets()}))
        self.requests = Counter(
            "dicecup_requests", "Requests answered, by route and status", ["route", "status"], registry=self.registry
        )
        self.commands = Counter("dicecup_commands", "Commands, by what became of them", ["answer"], registry=self.registry)
        self.messages = Counter("dicecup_messages", "Messages received over WebSockets", registry=self.registry)
        self.seconds = Histogram(
            "dicecup_command_seconds", "From a command to its answer", buckets=SECONDS, registry=self.registry
        )

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


class _Gauges(Collector):
    """Collector that reads the gauges when Prometheus asks for them."""

    def __init__(self, read: Callable[[], dict[str, int]]) -> None:
        self._read = read

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, value in self._read().items():
            yield GaugeMetricFamily(f"dicecup_{name}", f"{name.capitalize()} in this process", value=value)


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
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
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
