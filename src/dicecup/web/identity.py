"""Identities without accounts: a signed cookie for each device, or a bearer token for a program.

The signature's key and the cookie's name derive from the host key. A browser sends a cookie to
every port of a host, so two servers on one host would overwrite a cookie with the same name. Only
the cookie itself contains the identity.
"""

import hmac
from collections.abc import Iterable
from secrets import token_hex
from typing import Final

from dicecup.hosting.host_key import derived_key
from dicecup.hosting.store.devices import EARLIER, Credential
from dicecup.hosting.table_host import TableHost
from dicecup.web.agents import agent_name
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
        self._key = derived_key(host_key, "cookies of devices")
        self._earlier_key = derived_key(host_key, "cookies")
        self._secure = secure

    def cookie(self, identity: str, device: str) -> str:
        """Return the header `Set-Cookie` that signs a device in as an identity."""
        signed = f"{identity}.{device}"
        return self._header(f"{signed}.{_signature(self._key, signed)}", YEAR)

    def deletion(self) -> str:
        """Return the header `Set-Cookie` that deletes the cookie."""
        return self._header("", 0)

    def read(self, cookies: str) -> tuple[str, str] | None:
        """Return identity and device in a header `Cookie`, `None` without a cookie with a right
        signature.

        Other applications on the same host may set cookies of any form, also malformed ones and
        ones with the same name. So the header is only split at semicolons, as in RFC 6265 section
        5.4, and every cookie with the right name is tried. All cookies that were made before
        cookies named a device have the device `EARLIER`.
        """
        for cookie in cookies.split(";"):
            name, _, value = cookie.partition("=")
            if name.strip() == self.name and (found := self._signed(value.strip().strip('"'))):
                return found
        return None

    def _signed(self, value: str) -> tuple[str, str] | None:
        """Return identity and device in a cookie's value, `None` with a wrong signature."""
        signed, _, signature = value.rpartition(".")
        identity, _, device = signed.rpartition(".")
        if identity and device and _is_signature(self._key, signed, signature):
            return identity, device
        return (signed, EARLIER) if signed and _is_signature(self._earlier_key, signed, signature) else None

    def _header(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self._secure else ""
        return f"{self.name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def new_device() -> str:
    """Return a random id of a device."""
    return token_hex(8)


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    """Return all values of a header, joined as HTTP demands, or an empty text."""
    separator = b"; " if name == b"cookie" else b", "
    return separator.join(value for key, value in headers if key == name).decode("latin-1")


async def identify(tables: TableHost, signer: Signer, headers: Iterable[tuple[bytes, bytes]]) -> Credential | None:
    """Return the credential of a request: its bearer token or else its cookie. A cookie of a device
    that was signed out counts as none.

    Raises `WebError` (`not-a-token`), `HostingError` (`banned`) and `StoreError`.
    """
    headers = list(headers)
    authorization = header(headers, b"authorization")
    if not authorization:
        found = signer.read(header(headers, b"cookie"))
        return found and await tables.credentials.of_device(*found, agent_name(header(headers, b"user-agent")))
    credential = None
    if authorization.lower().startswith(BEARER):
        credential = await tables.credentials.of_token(authorization[len(BEARER) :].strip())
    if credential is None:
        raise WebError(WebCode.NOT_A_TOKEN)
    return credential


def _signature(key: bytes, signed: str) -> str:
    return hmac.digest(key, signed.encode(), "sha256").hex()


def _is_signature(key: bytes, signed: str, signature: str) -> bool:
    return hmac.compare_digest(signature.encode(), _signature(key, signed).encode())
