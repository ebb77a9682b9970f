"""Messages for push services: encrypted as RFC 8291 says, and signed by the server with VAPID (RFC
8292). The service can neither read nor change them."""

import base64
import json
import os
import struct
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
RECORD: Final = 4096
"""Bytes of a record. A message of a push service is one record."""
LONGEST: Final = RECORD - 86 - 17
"""Bytes of a message, so that header, message, delimiter and tag fit into a record."""
LAST_RECORD: Final = b"\x02"
SIGNED_FOR: Final = 12 * 3600
"""Seconds for which a signature is valid. RFC 8292 allows a day."""
HALF: Final = 32


def encrypted(
    message: bytes, receiver: bytes, auth: bytes, *, key: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return a message encrypted for a subscription with the public key `receiver` and the secret
    `auth`.

    Each message has a key and a salt of its own; tests give those of RFC 8291.
    """
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    sender = _encoded(key.public_key())
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver))
    secret = _derived(shared, auth, b"WebPush: info\0" + receiver + sender, 32)
    content_key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack(">LB", RECORD, len(sender)) + sender
    return header + AESGCM(content_key).encrypt(nonce, message + LAST_RECORD, None)


def vapid(private: bytes, endpoint: str, contact: str, now: float) -> str:
    """Return the header `Authorization` by which a push service knows this server. `contact` is a
    URL at which its host can be reached."""
    key = private_key(private)
    read = urlsplit(endpoint)
    claims = {"aud": f"{read.scheme}://{read.netloc}", "exp": int(now) + SIGNED_FOR, "sub": contact}
    signed = f"{_text(_json({'typ': 'JWT', 'alg': 'ES256'}))}.{_text(_json(claims))}"
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = _text(r.to_bytes(HALF) + s.to_bytes(HALF))
    return f"vapid t={signed}.{signature}, k={public_key(private)}"


def public_key(private: bytes) -> str:
    """Return the public key that browsers subscribe with, as base64url."""
    return _text(_encoded(private_key(private).public_key()))


def private_key(private: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the key with this private value."""
    return ec.derive_private_key(int.from_bytes(private), CURVE)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _encoded(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _json(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
