"""Identities without accounts: a signed cookie for each device, or a bearer token for a program.

The signature's key and the cookie's name derive from the host key. A browser sends a cookie to
every port of a host, so two servers on one host would overwrite a cookie with the same name. Only
the cookie itself contains the identity.
"""

import hmac
from collections.abc import Iterable
from typing import Final

from dicecup.hosting.host_key import derived_key
from dicecup.hosting.store.identities import identity_of
from dicecup.hosting.table_host import TableHost
from dicecup.web.refusals import WebCode, WebError

COOKIE: Final = "dicecup-"
"""Beginning of the cookie's name."""
DIGITS: Final = 8
"""Hex digits of the server's own that follow in the cookie's name."""
YEAR: Final = 365 * 86_400
BEARER: Final = "bearer "


class Signer:
    """Makes and reads cookies with the name `name`. `secure` cookies are sent over https only."""

    def __init__(self, host_key: bytes, *, secure: bool) -> None:
        self.name = COOKIE + derived_key(host_key, "cookie name").hex()[:DIGITS]
        self._key = derived_key(host_key, "cookies")
        self._secure = secure

    def cookie(self, identity: str) -> str:
        """Return the header `Set-Cookie` of an identity."""
        secure = "; Secure" if self._secure else ""
        value = f"{identity}.{self._signature(identity)}"
        return f"{self.name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"

    def identity(self, cookies: str) -> str | None:
        """Return the identity in a header `Cookie`, `None` without a cookie with a right signature.

        Other applications on the same host may set cookies of any form, also malformed ones and
        ones with the same name. So the header is only split at semicolons, as in RFC 6265 section
        5.4, and every cookie with the right name is tried.
        """
        for cookie in cookies.split(";"):
            name, _, value = cookie.partition("=")
            if name.strip() == self.name and (identity := self._signed(value.strip().strip('"'))):
                return identity
        return None

    def _signed(self, value: str) -> str | None:
        """Return the identity in a cookie's value, `None` with a wrong signature."""
        identity, _, signature = value.rpartition(".")
        right = hmac.compare_digest(signature.encode(), self._signature(identity).encode())
        return identity if identity and right else None

    def _signature(self, identity: str) -> str:
        return hmac.digest(self._key, identity.encode(), "sha256").hex()


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    """Return all values of a header, joined as HTTP demands, or an empty text."""
    separator = b"; " if name == b"cookie" else b", "
    return separator.join(value for key, value in headers if key == name).decode("latin-1")


async def identify(tables: TableHost, signer: Signer, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Return the identity of a request, by its bearer token or else by its cookie.

    Raises `WebError` (`not-a-token`) and `StoreError`.
    """
    headers = list(headers)
    authorization = header(headers, b"authorization")
    if not authorization:
        return signer.identity(header(headers, b"cookie"))
    identity = None
    if authorization.lower().startswith(BEARER):
        identity = await identity_of(tables.store, authorization[len(BEARER) :].strip())
    if identity is None:
        raise WebError(WebCode.NOT_A_TOKEN)
    return identity
