"""Network settings of a server. All have defaults."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlsplit

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.web.refusals import WebCode, WebError

HOST: Final = "DICECUP_HOST"
PORT: Final = "DICECUP_PORT"
PUBLIC_URL: Final = "DICECUP_PUBLIC_URL"
PROXIES: Final = "DICECUP_PROXIES"
SOCKETS: Final = "DICECUP_SOCKETS_PER_ADDRESS"
MESSAGES: Final = "DICECUP_MESSAGES_PER_SECOND"
REQUESTS: Final = "DICECUP_REQUESTS_PER_SECOND"
DEFAULT_PORT: Final = 8421
MOST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Config:
    """Network settings.

    - `port`: `None` for the first free port from `DEFAULT_PORT`, 0 for any free port.
    - `public_url`: the URL under which clients reach the server, or empty.
    - `proxies`: addresses whose header `X-Forwarded-For` is trusted.
    - `hello_within`: seconds in which a WebSocket must send its first message.

    Raises `HostingError` (`not-a-setting`) and `WebError` (`not-a-public-url`)."""

    host: str = "0.0.0.0"  # noqa: S104 a family's tablets are in the same network
    port: int | None = None
    public_url: str = ""
    proxies: str = "127.0.0.1"
    sockets_per_address: int = 256
    messages_per_second: int = 50
    requests_per_second: int = 20
    body_bytes: int = 65_536
    hello_within: float = 10.0

    def __post_init__(self) -> None:
        if self.port is not None and not 0 <= self.port <= MOST_PORT:
            raise HostingError(HostingCode.NOT_A_SETTING, name=PORT, text=self.port)
        if not self.public_url:
            return
        object.__setattr__(self, "public_url", self.public_url.rstrip("/"))
        if not _is_base(self.public_url):
            raise WebError(WebCode.NOT_A_PUBLIC_URL, text=self.public_url)

    @property
    def origin(self) -> str | None:
        """Return the header `Origin` of browsers that use the public URL, `None` without one."""
        read = urlsplit(self.public_url)
        return f"{read.scheme}://{read.netloc}".lower() if self.public_url else None

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
            "proxies": environment.get(PROXIES) or None,
            "sockets_per_address": _count(environment, SOCKETS),
            "messages_per_second": _count(environment, MESSAGES),
            "requests_per_second": _count(environment, REQUESTS),
        }
        values |= {name: value for name, value in given.items() if value is not None}
        return cls(**{name: value for name, value in values.items() if value is not None})


def _is_base(text: str) -> bool:
    """Return whether a text is a URL without a path. Pages link to each other from the root of the
    host."""
    try:
        read = urlsplit(text)
    except ValueError:
        return False
    rest = read.path.strip("/") or read.query or read.fragment or read.username
    return read.scheme in ("http", "https") and bool(read.hostname) and not rest


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
