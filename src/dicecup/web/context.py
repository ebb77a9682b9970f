"""The server-wide objects that requests use."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from uvicorn.middleware.proxy_headers import _TrustedHosts

from dicecup.hosting.competition.duplicates import Duplicates
from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.day_numbers import DayNumbers
from dicecup.hosting.quotas import MEGABYTE, Budget, Quota, Quotas
from dicecup.hosting.retention import Retention
from dicecup.hosting.table_host import TableHost
from dicecup.web.base_url import BaseUrl
from dicecup.web.config import Config
from dicecup.web.identity import Signer
from dicecup.web.limits import ConnectionLimit, OpenLimit, RateLimit, network
from dicecup.web.monitoring import LimitLog, Metrics
from dicecup.web.people.offer import Offer
from dicecup.web.people.provider import Provider
from dicecup.web.sharing.picture_cache import PictureCache
from dicecup.web.storage_faults import FaultGauge, log_fault

BURST: Final = 10
"""Requests that an address may send at once, in seconds of its rate."""

MESSAGE_BURST: Final = 2
"""Messages that all WebSockets of an address may send at once, in seconds of their rate."""
PIECES_OF_ADDRESS: Final = 200
"""Reads a second, of all HTTP connections of an address, that complete no request."""
PIECES_BURST: Final = 2
"""Such reads that may come at once, in seconds of their rate."""
SEEK_BURST: Final = 20
"""Requests for an opponent that an address may send at once."""
CONFIRMATIONS_PER_DAY: Final = 20
"""Mails that ask to confirm an address, for all people of a network."""
FILES: Final = 10
"""Files and pages of the browser client for each other request: opening the page takes dozens."""
INVITATIONS_PER_DAY: Final = 100
"""Invitations that an address may send on one day."""
REPORTS_PER_DAY: Final = 20
"""Reports that an address may send on one day, and as many that a person may."""


@dataclass(frozen=True, slots=True)
class AppContext:
    """Tables, tournaments, configuration, limits and metrics of one server. `clock` returns seconds
    that only grow."""

    tables: TableHost
    tournaments: Tournaments
    duplicates: Duplicates
    quotas: Quotas
    numbers: DayNumbers
    retention: Retention
    config: Config
    offer: Offer
    provider: Provider | None
    base: BaseUrl
    signer: Signer
    connections: ConnectionLimit
    sockets: OpenLimit
    requests: RateLimit
    files: RateLimit
    messages: RateLimit
    pieces: RateLimit
    seeks: RateLimit
    pictures: PictureCache
    metrics: Metrics
    reached: LimitLog
    clock: Callable[[], float]

    @classmethod
    def of(cls, tables: TableHost, config: Config, base: BaseUrl) -> "AppContext":
        """Return the context of a new server."""
        settings = tables.settings
        limits = {
            Quota.TABLES: settings.tables_per_day,
            Quota.IDENTITIES: settings.identities_per_day,
            Quota.ACCOUNTS: settings.accounts_per_day,
            Quota.CONFIRMATIONS: CONFIRMATIONS_PER_DAY,
            Quota.BYTES: settings.megabytes_per_day * MEGABYTE,
            Quota.REPORTS: REPORTS_PER_DAY,
            Quota.INVITATIONS: INVITATIONS_PER_DAY,
        }
        retention = Retention(tables.store, settings.keep_days, tables.clock, tables.cache.delete)
        proxies = _TrustedHosts(config.proxies)
        rate = config.requests_per_second
        connections = ConnectionLimit(
            most=config.connections,
            most_of_address=config.connections_per_address,
            rate=rate,
            is_proxy=lambda address: not address or address in proxies,
            clock=monotonic,
        )
        sockets = OpenLimit(config.sockets_per_address)
        metrics = Metrics(
            lambda: (
                tables.gauges()
                | {"sockets": len(sockets), "connections": len(connections), "deleted_tables": retention.deleted}
            )
        )
        faults = tables.store.faults
        metrics.registry.register(FaultGauge(lambda: faults.present))
        faults.report = log_fault
        return cls(
            tables=tables,
            tournaments=Tournaments(tables),
            duplicates=Duplicates(tables),
            quotas=Quotas(tables.store, limits, settings.host_key, tables.clock),
            numbers=DayNumbers(tables.store, tables.clock),
            retention=retention,
            config=config,
            offer=Offer.of(config.telling, settings.host_key, base, tables.clock),
            provider=None if config.provider is None else Provider(config.provider, tables.clock),
            base=base,
            signer=Signer(tables.settings.host_key, secure=config.is_https),
            connections=connections,
            sockets=sockets,
            requests=RateLimit(rate, BURST * rate, monotonic),
            files=RateLimit(FILES * rate, BURST * FILES * rate, monotonic),
            messages=RateLimit(config.messages_per_address, MESSAGE_BURST * config.messages_per_address, monotonic),
            pieces=RateLimit(PIECES_OF_ADDRESS, PIECES_BURST * PIECES_OF_ADDRESS, monotonic),
            seeks=RateLimit(config.seeks_per_minute / 60, SEEK_BURST, monotonic),
            pictures=PictureCache(),
            metrics=metrics,
            reached=LimitLog(metrics.limits, monotonic),
            clock=monotonic,
        )

    async def close(self) -> None:
        """Close the connections to other servers."""
        await self.offer.close()
        if self.provider is not None:
            await self.provider.close()

    def budget(self, address: str) -> Budget:
        """Return what the commands of the network of an address may still store today."""
        return self.quotas.budget(network(address))

    def take(self, quota: Quota, address: str, amount: int = 1) -> None:
        """Count a use for the network of an address. Raises `HostingError` (`too-much-today`)."""
        self.quotas.take(quota, network(address), amount)
