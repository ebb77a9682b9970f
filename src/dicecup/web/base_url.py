"""The beginning of all links of a server: the public URL, else the address in the local network,
else the loopback address."""

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Literal

from dicecup.web.config import Config

ANY: Final = ("0.0.0.0", "::")  # noqa: S104 compared, not bound
ELSEWHERE: Final = "192.0.2.1"
"""An address of documentation (RFC 5737), which is in no local network."""
HOTSPOTS: Final = ("10.42.0.2", "192.168.137.2", "192.168.2.2", "192.168.3.2")
"""Addresses in the networks that NetworkManager, Windows and macOS share by default."""
Reach = Literal["everywhere", "local-network", "this-device"]


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """Beginning of all links of a server, and where the links work."""

    url: str
    reach: Reach

    def table(self, table: str, kind: str, key: str) -> str:
        """Return a link to a table. The key follows the `#`, which browsers do not send, so that no
        log contains it."""
        return f"{self.url}/tables/{table}#{kind}={key}"

    def event(self, event: str, key: str) -> str:
        """Return a link with which people enter a pair or a table of four."""
        return f"{self.url}/events/{event}#join={key}"

    def tournament(self, tournament: str) -> str:
        """Return the link to the page of a tournament. Its id is not to be guessed."""
        return f"{self.url}/tournaments/{tournament}"

    def transfer(self, secret: str) -> str:
        """Return a link that gives another device an identity."""
        return f"{self.url}/transfer#{secret}"


def base_url(config: Config, port: int) -> BaseUrl:
    """Return the base URL of a server that listens at a port."""
    if config.public_url:
        return BaseUrl(config.public_url, "everywhere")
    address = local_address() if config.host in ANY else config.host
    if address is None or _is_loopback(address):
        return BaseUrl(f"http://{_in_url(address or '127.0.0.1')}:{port}", "this-device")
    return BaseUrl(f"http://{_in_url(address)}:{port}", "local-network")


def local_address() -> str | None:
    """Return the address of this machine in the local network, `None` without a network.

    A machine that shares its own wireless network has no route to other networks, so addresses in
    the networks of common hotspots are tried, too. Connecting a datagram socket only chooses the
    network interface. It sends nothing.
    """
    for other in (ELSEWHERE, *HOTSPOTS):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((other, 9))
            except OSError:
                continue
            address: str = probe.getsockname()[0]
        if not _is_loopback(address):
            return address
    return None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
