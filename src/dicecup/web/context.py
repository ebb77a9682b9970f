"""What every request needs: the tables, the configuration, the limits, the figures of operation."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from dicecup.hosting.hub import Hub
from dicecup.web.config import Config
from dicecup.web.identity import Signer
from dicecup.web.limits import Requests, Sockets
from dicecup.web.links import Base
from dicecup.web.operation import Metrics


@dataclass(frozen=True, slots=True)
class Desk:
    """One for each server."""

    hub: Hub
    config: Config
    base: Base
    signer: Signer
    requests: Requests
    sockets: Sockets
    metrics: Metrics
    clock: Callable[[], float] = monotonic

    @classmethod
    def of(cls, hub: Hub, config: Config, base: Base) -> "Desk":
        """With keys derived from the host key, and fresh limits."""
        signer = Signer(hub.settings.host_key, secure=config.is_https)
        sockets = Sockets(config.sockets_per_address)
        requests = Requests(config.requests_per_second, monotonic)
        return cls(hub, config, base, signer, requests, sockets, Metrics(hub.gauges, lambda: len(sockets)))
