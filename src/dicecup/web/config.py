"""Network settings of a server. All have defaults."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any, Final, Self
from urllib.parse import urlsplit

from dicecup.core.shown_url import shown_url
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.web.people.provider_settings import ProviderSettings
from dicecup.web.people.telling import Telling
from dicecup.web.refusals import WebCode, WebError

HOST: Final = "DICECUP_HOST"
PORT: Final = "DICECUP_PORT"
PUBLIC_URL: Final = "DICECUP_PUBLIC_URL"
HOSTS: Final = "DICECUP_HOSTS"
PROXIES: Final = "DICECUP_PROXIES"
METRICS_TOKEN: Final = "DICECUP_METRICS_TOKEN"
SOCKETS: Final = "DICECUP_SOCKETS_PER_ADDRESS"
CONNECTIONS: Final = "DICECUP_CONNECTIONS"
ADDRESS_CONNECTIONS: Final = "DICECUP_CONNECTIONS_PER_ADDRESS"
MESSAGES: Final = "DICECUP_MESSAGES_PER_SECOND"
ADDRESS_MESSAGES: Final = "DICECUP_MESSAGES_PER_ADDRESS"
REQUESTS: Final = "DICECUP_REQUESTS_PER_SECOND"
SEEKS: Final = "DICECUP_SEEKS_PER_MINUTE"
SHARING: Final = "DICECUP_SHARING"
EMBEDDED_BY: Final = "DICECUP_EMBEDDED_BY"
ANY_SITE: Final = "*"
NO_SITE: Final = "none"
DEFAULT_PORT: Final = 8421
MOST_PORT: Final = 65_535
PORTS: Final = {"http": ":80", "https": ":443"}
"""Default ports, which browsers leave out of an origin."""


@dataclass(frozen=True, slots=True)
class Config:
    """Network settings.

    - `port`: `None` for the first free port from `DEFAULT_PORT`, 0 for any free port.
    - `public_url`: the URL under which clients reach the server, or empty.
    - `hosts`: further names of the server, separated by commas.
    - `proxies`: addresses and networks whose header `X-Forwarded-For` is trusted, separated by
      commas.
    - `metrics_token`: the bearer token for `/metrics` from other machines, or empty.
    - `connections`: TCP connections that may be open at once, WebSockets and others.
    - `connections_per_address`: the same from one address. Proxies are not limited.
    - `messages_per_address`: messages a second of all WebSockets of one address together.
    - `seeks_per_minute`: requests for an opponent a minute from one address.
    - `sharing`: whether games, positions and results have links with pictures.
    - `embedded_by`: the origins of sites that may embed boards and sheets, separated by spaces; `*`
      for all, `none` for none.
    - `telling`: how people are told something while they are away.
    - `provider`: the OpenID Connect provider with which people may sign in, `None` without one.
    - `hello_within`: seconds in which a WebSocket must send its first message.
    - `headers_within`, `body_within`: seconds in which the headers and the rest of a request must
      arrive.
    - `read_within`: seconds in which a client must read on.

    Raises `HostingError` (`not-a-setting`) and `WebError` (`not-a-public-url`)."""

    host: str = "0.0.0.0"  # noqa: S104 a family's tablets are in the same network
    port: int | None = None
    public_url: str = ""
    hosts: str = ""
    proxies: str = "127.0.0.1"
    metrics_token: str = field(default="", repr=False)
    connections: int = 10_000
    connections_per_address: int = 512
    sockets_per_address: int = 256
    messages_per_second: int = 50
    messages_per_address: int = 100
    requests_per_second: int = 20
    seeks_per_minute: int = 30
    body_bytes: int = 131_072
    message_bytes: int = 4_096
    sharing: bool = True
    embedded_by: str = ANY_SITE
    telling: Telling = field(default_factory=Telling)
    provider: ProviderSettings | None = None
    hello_within: float = 10.0
    headers_within: float = 10.0
    body_within: float = 30.0
    read_within: float = 30.0

    def __post_init__(self) -> None:
        if self.port is not None and not 0 <= self.port <= MOST_PORT:
            raise HostingError(HostingCode.NOT_A_SETTING, name=PORT, text=self.port)
        for proxy in self.proxies.split(","):
            if not _is_network(proxy.strip()):
                raise HostingError(HostingCode.NOT_A_SETTING, name=PROXIES, text=proxy.strip())
        if self.embedded_by not in (ANY_SITE, NO_SITE) and not all(map(_is_base, self.embedded_by.split(" "))):
            raise HostingError(HostingCode.NOT_A_SETTING, name=EMBEDDED_BY, text=self.embedded_by)
        if not self.public_url:
            return
        object.__setattr__(self, "public_url", self.public_url.rstrip("/"))
        if not _is_base(self.public_url):
            raise WebError(WebCode.NOT_A_PUBLIC_URL, text=shown_url(self.public_url))

    @property
    def origin(self) -> str | None:
        """Return the header `Origin` of browsers that use the public URL, `None` without one."""
        if not self.public_url:
            return None
        read = urlsplit(self.public_url.lower())
        port = f":{read.port}".removesuffix(PORTS[read.scheme]) if read.port else ""
        name = host_name(read.netloc)
        return f"{read.scheme}://{f'[{name}]' if ':' in name else name}{port}"

    @property
    def may_embed(self) -> bool:
        """Return whether other sites may embed boards and sheets."""
        return self.sharing and self.embedded_by != NO_SITE

    @property
    def is_https(self) -> bool:
        """Return whether the public URL is https, so that cookies are sent over https only."""
        return urlsplit(self.public_url).scheme == "https"

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ, **given: str | int | None) -> Self:
        """Return the settings of an environment. Values that are `given` come first. Raises
        `HostingError` (`not-a-setting`) and `WebError`."""
        values: dict[str, Any] = {
            "host": environment.get(HOST) or None,
            "port": _count(environment, PORT),
            "public_url": environment.get(PUBLIC_URL) or None,
            "hosts": environment.get(HOSTS) or None,
            "metrics_token": environment.get(METRICS_TOKEN) or None,
            "proxies": environment.get(PROXIES) or None,
            "sockets_per_address": _count(environment, SOCKETS),
            "connections": _count(environment, CONNECTIONS),
            "connections_per_address": _count(environment, ADDRESS_CONNECTIONS),
            "messages_per_second": _count(environment, MESSAGES),
            "messages_per_address": _count(environment, ADDRESS_MESSAGES),
            "requests_per_second": _count(environment, REQUESTS),
            "seeks_per_minute": _count(environment, SEEKS),
            "sharing": _is_on(environment, SHARING),
            "embedded_by": environment.get(EMBEDDED_BY) or None,
            "telling": Telling.read(environment),
            "provider": ProviderSettings.read(environment),
        }
        values |= {name: value for name, value in given.items() if value is not None}
        return cls(**{name: value for name, value in values.items() if value is not None})


def host_name(netloc: str) -> str:
    """Return the name or the IP address in a header `Host`, as browsers send it: without its port,
    in lower case, and with letters other than ASCII in their ASCII form."""
    netloc = netloc.strip().lower()
    if netloc.startswith("["):
        return netloc[1:].partition("]")[0]
    name = netloc if netloc.count(":") > 1 else netloc.partition(":")[0]
    with suppress(UnicodeError):
        name = name.encode("idna").decode("ascii")
    return name.removesuffix(".")


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_base(text: str) -> bool:
    """Return whether a text is a URL without a path. Pages link to each other from the root of the
    host."""
    try:
        read = urlsplit(text)
        _ = read.port  # raises for a port that is no number
    except ValueError:
        return False
    rest = read.path.strip("/") or read.query or read.fragment or read.username
    return read.scheme in ("http", "https") and bool(read.hostname) and not rest


def _is_on(environment: Mapping[str, str], name: str) -> bool | None:
    """Return a setting that is `on` or `off`, `None` if it is missing or empty. Raises
    `HostingError` (`not-a-setting`)."""
    text = environment.get(name)
    if text and text not in ("on", "off"):
        raise HostingError(HostingCode.NOT_A_SETTING, name=name, text=text)
    return text == "on" if text else None


def _count(environment: Mapping[str, str], name: str) -> int | None:
    """Return a setting as an integer from 1, `None` if it is missing or empty.

    Raises `HostingError` (`not-a-setting`).
    """
    text = environment.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 10 or int(text) < 1:
        raise HostingError(HostingCode.NOT_A_SETTING, name=name, text=text)
    return int(text)
