"""Settings of the OpenID Connect provider with which people may sign in. Without all of them the
choice is not offered."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final, Self
from urllib.parse import SplitResult, urlsplit

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.settings import check_setting, data_folder, secret

ISSUER: Final = "DICECUP_OIDC_ISSUER"
CLIENT: Final = "DICECUP_OIDC_CLIENT"
SECRET: Final = "DICECUP_OIDC_SECRET"
NAME: Final = "DICECUP_OIDC_NAME"
SECRET_FILE: Final = "oidc.secret"
LONGEST_NAME: Final = 40
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""Hosts whose issuer may begin with http: the requests stay on this machine."""


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A provider.

    - `issuer`: its URL without a slash at the end.
    - `client`: the id under which it knows this server, and `secret` its password.
    - `name`: how people call it.
    """

    issuer: str
    client: str
    secret: str = field(repr=False)
    name: str

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self | None:
        """Return the provider of an environment, `None` without an issuer, client or secret.

        Raises `HostingError` (`not-a-setting`, and `not-installed` without the extra `accounts`).
        """
        issuer, client = environment.get(ISSUER, ""), environment.get(CLIENT, "")
        given = secret(SECRET, data_folder(environment) / SECRET_FILE, environment) if issuer and client else ""
        if not given:
            return None
        check_setting(ISSUER, issuer, is_issuer(issuer))
        name = environment.get(NAME) or urlsplit(issuer).hostname or ""
        check_setting(NAME, name, name.isprintable() and 1 <= len(name.strip()) <= LONGEST_NAME)
        if find_spec("authlib") is None:
            raise HostingError(HostingCode.NOT_INSTALLED, name=ISSUER, extra="accounts")
        return cls(issuer.rstrip("/"), client, given, name.strip())


def is_issuer(url: str) -> bool:
    """Return whether a text is the URL of a provider: https without query, fragment or password, or
    http on this machine."""
    read = split_url(url)
    if read is None or read.query or read.fragment or read.username is not None:
        return False
    return read.scheme == "https" or (read.scheme == "http" and read.hostname in LOOPBACK)


def split_url(url: str) -> SplitResult | None:
    """Return the parts of a URL with a host, `None` for any other text."""
    if not (url.isascii() and url.isprintable()) or " " in url:
        return None
    try:
        read = urlsplit(url)
        _ = read.port  # raises for a port that is no number
    except ValueError:
        return None
    return read if read.hostname else None
