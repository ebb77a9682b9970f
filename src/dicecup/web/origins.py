"""Which host names a server answers, and which pages may send it commands.

A page of another site can point its own name at this server (DNS rebinding) and would then count as
a page of this server. So only known names are answered. An IP address cannot be pointed
elsewhere.
"""

import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Scope

from dicecup.web.config import Config, host_name
from dicecup.web.identity import header
from dicecup.web.refusals import WebCode, WebError

LOCAL_DOMAIN: Final = ".local"
"""Domain of the names that devices of a local network announce themselves (multicast DNS)."""
ANY_HOST: Final = ("/health",)
"""Paths that are answered under every name: load balancers ask with names of their own."""
FORWARDED: Final = (b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip")
"""Headers that proxies add."""


class Origins:
    """Host names and origins of one server."""

    def __init__(self, config: Config) -> None:
        self._origin = config.origin
        self._in_local_network = not config.public_url
        public = host_name(urlsplit(config.public_url).netloc)
        self._https_name = public if config.is_https else None
        own = {host_name(config.host), host_name(socket.gethostname())} if self._in_local_network else {public}
        self._names = own | {host_name(name) for name in config.hosts.split(",") if name.strip()}

    def check(self, scope: Scope) -> None:
        """Raise `WebError` (`wrong-host`) for a name that is not answered."""
        host = header(scope["headers"], b"host")
        if scope["path"] not in ANY_HOST and not self._answers(host_name(host)):
            raise WebError(WebCode.WRONG_HOST, text=host)

    def check_origin(self, scope: Scope) -> None:
        """Raise `WebError` (`wrong-origin`) for a request of a page of another site.

        A program sends no `Origin`. An http page of a host that is reached by https is another
        site's, because anyone in the network may have written it.
        """
        origin = header(scope["headers"], b"origin").lower()
        if not origin or origin == self._origin:
            return
        host = header(scope["headers"], b"host").lower()
        scheme, _, named = origin.partition("://")
        by_https = scope["scheme"] in ("https", "wss") or host_name(host) == self._https_name
        if named != host or scheme not in (("https",) if by_https else ("http", "https")):
            raise WebError(WebCode.WRONG_ORIGIN, text=origin)

    def _answers(self, name: str) -> bool:
        """Return whether the server answers to a name.

        Without a public URL every IP address is allowed, and the names of the local network.
        """
        if name in self._names or is_loopback(name):
            return True
        return self._in_local_network and (not name or _is_address(name) or name.endswith(LOCAL_DOMAIN))


def is_on_this_machine(scope: Scope) -> bool:
    """Return whether a request comes from this machine itself and not through a proxy."""
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    client = scope.get("client")
    return client is not None and is_loopback(client[0]) and is_loopback(host_name(header(scope["headers"], b"host")))


def is_loopback(name: str) -> bool:
    """Return whether a host name or an address stands for this machine in all networks."""
    try:
        address = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
