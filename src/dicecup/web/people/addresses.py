"""Mail addresses and endpoints of push services, as people send them."""

import re
from base64 import urlsafe_b64decode
from binascii import Error
from typing import Final
from urllib.parse import urlsplit

LONGEST_ADDRESS: Final = 254
LONGEST_ENDPOINT: Final = 1024
POINT_BYTES: Final = 65
AUTH_BYTES: Final = 16
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS: Final = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
"""A dot-atom and a domain (RFC 5322). It has no space and no line break."""
_BASE64: Final = re.compile(r"[A-Za-z0-9_-]+=*")


def is_address(text: str) -> bool:
    """Return whether a text is a mail address."""
    return len(text) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


def is_endpoint(text: str) -> bool:
    """Return whether a text is a URL that a push service can have: https and nothing secret."""
    try:
        read = urlsplit(text)
        _ = read.port  # raises for a port that is no number
    except ValueError:
        return False
    return (
        text.isascii()
        and text.isprintable()
        and " " not in text
        and len(text) <= LONGEST_ENDPOINT
        and read.scheme == "https"
        and bool(read.hostname)
        and read.username is None
    )


def is_push_secret(p256dh: str, auth: str) -> bool:
    """Return whether these are the keys of a push subscription: an uncompressed point of the curve
    and 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point = unpadded(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return (len(point), len(unpadded(auth))) == (POINT_BYTES, AUTH_BYTES)
    except (ValueError, Error):
        return False


def unpadded(text: str) -> bytes:
    """Return the bytes in base64url with or without padding. Raises `ValueError`."""
    if not _BASE64.fullmatch(text):
        raise ValueError(text)
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
