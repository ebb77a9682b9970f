"""Links that work where they are opened: by the public URL, else by the address in the local network, else on this device only."""

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Literal

from dicecup.web.config import Config

ANY: Final = ("0.0.0.0", "::")  # noqa: S104 compared, not bound
Reach = Literal["everywhere", "local-network", "this-device"]


@dataclass(frozen=True, slots=True)
class Base:
    """What every link begins with, and who can open it."""

    url: str
    reach: Reach

    def table(self, table: str, kind: str, key: str) -> str:
        """The link to a table. What follows the # stays in the browser, so that no log holds the key."""
        return f"{self.url}/tables/{table}#{kind}={key}"

    def transfer(self, secret: str) -> str:
        """The link that joins another device."""
        return f"{self.url}/transfer#{secret}"


def base(config: Config, port: int) -> Base:
    """The beginning of every link of this server."""
    if config.public_url:
        return Base(config.public_url, "everywhere")
    address = local_address() if config.host in ANY else config.host
    if address is None or _is_loopback(address):
        return Base(f"http://{_in_url(address or '127.0.0.1')}:{port}", "this-device")
    return Base(f"http://{_in_url(address)}:{port}", "local-network")


def local_address() -> str | None:
    """The address under which the local network reaches this machine; None without a network. Nothing is sent: connecting a
    datagram socket only chooses the way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = way.getsockname()[0]
    return None if _is_loopback(address) else address


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
