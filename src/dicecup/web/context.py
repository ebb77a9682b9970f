"""The server-wide objects that requests use."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from dicecup.hosting.table_host import TableHost
from dicecup.web.base_url import BaseUrl
from dicecup.web.config import Config
from dicecup.web.identity import Signer
from dicecup.web.limits import RequestLimit, SocketLimit
from dicecup.web.monitoring import Metrics


@dataclass(frozen=True, slots=True)
class AppContext:
    """Tables, configuration, limits and metrics of one server. `clock` returns seconds that only
    grow."""

    tables: TableHost
    config: Config
    base: BaseUrl
    signer: Signer
    requests: RequestLimit
    sockets: SocketLimit
    metrics: Metrics
    clock: Callable[[], float]

    @classmethod
    def of(cls, tables: TableHost, config: Config, base: BaseUrl) -> "AppContext":
        """Return the context of a new server."""
        signer = Signer(tables.settings.host_key, secure=config.is_https)
        sockets = SocketLimit(config.sockets_per_address)
        requests = RequestLimit(config.requests_per_second, monotonic)
        return cls(tables, config, base, signer, requests, sockets, Metrics(tables.gauges, lambda: len(sockets)), monotonic)
