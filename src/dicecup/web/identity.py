"""Who somebody is, without an account: a cookie that is signed, one a device, or a program's bearer token.

The key of the signature derives from the host key, and so does the name of the cookie: browsers send a cookie to every port of a machine, so that
servers with other keys would overwrite each other's. An identity itself is never told to anybody but in its own cookie.
"""

import hmac
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Final

from dicecup.hosting.host_key import derived_key
from dicecup.hosting.hub import Hub
from dicecup.hosting.store.identities import identity_of
from dicecup.web.errors import WebCode, WebError

COOKIE: Final = "dicecup-"
"""What the name of the cookie begins with,"""
DIGITS: Final = 8
"""and how many hex digits of the server's own follow."""
YEAR: Final = 365 * 86_400
BEARER: Final = "bearer "


class Signer:
    """Makes cookies and reads them; `name` is theirs. `secure`: they travel over https only."""

    def __init__(self, host_key: bytes, *, secure: bool) -> None:
        self.name = COOKIE + derived_key(host_key, "cookie name").hex()[:DIGITS]
        self._key = derived_key(host_key, "cookies")
        self._secure = secure

    def cookie(self, identity: str) -> str:
        """The header `Set-Cookie` for this identity."""
        secure = "; Secure" if self._secure else ""
        value = f"{identity}.{self._signature(identity)}"
        return f"{self.name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"

    def identity(self, cookies: str) -> str | None:
        """Whose the header `Cookie` is; None where there is none, or one that is not ours."""
        try:
            found = SimpleCookie(cookies).get(self.name)
        except CookieError:
            return None
        if found is None:
            return None
        identity, _, signature = found.value.rpartition(".")
        right = hmac.compare_digest(signature.encode(), self._signature(identity).encode())
        return identity if identity and right else None

    def _signature(self, identity: str) -> str:
        return hmac.digest(self._key, identity.encode(), "sha256").hex()


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    """All values of a header, joined as HTTP says; empty where it is missing."""
    separator = b"; " if name == b"cookie" else b", "
    return separator.join(value for key, value in headers if key == name).decode("latin-1")


async def identify(hub: Hub, signer: Signer, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Who sends these headers: a bearer token counts before a cookie. Raises `WebError` (`not-a-token`) and `StoreError`."""
    headers = list(headers)
    authorization = header(headers, b"authorization")
    if not authorization:
        return signer.identity(header(headers, b"cookie"))
    identity = None
    if authorization.lower().startswith(BEARER):
        identity = await identity_of(hub.store, authorization[len(BEARER) :].strip())
    if identity is None:
        raise WebError(WebCode.NOT_A_TOKEN)
    return identity
