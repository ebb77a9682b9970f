"""An authenticator in software: makes passkeys and answers challenges as browsers do."""

import hashlib
import json
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url, encode_cbor

Json = dict[str, Any]
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
"""Flags of authenticator data."""


@dataclass
class Authenticator:
    """One passkey of a site. `origin` is the page that asks for it and `site` the host name that it
    belongs to; an attacker may change both."""

    origin: str
    site: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: token_bytes(32))
    count: int = 0

    def create(self, options: Json) -> Json:
        """Return the answer of `navigator.credentials.create`."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + encode_cbor(public)
        statement = encode_cbor({"fmt": "none", "attStmt": {}, "authData": self._data(ATTESTED) + attested})
        response = {
            "clientDataJSON": bytes_to_base64url(self._client("webauthn.create", options)),
            "attestationObject": bytes_to_base64url(statement),
        }
        return self._answer(response)

    def get(self, options: Json) -> Json:
        """Return the answer of `navigator.credentials.get`."""
        self.count += 1
        data, client = self._data(), self._client("webauthn.get", options)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        response = {
            "clientDataJSON": bytes_to_base64url(client),
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(signature),
        }
        return self._answer(response)

    def _client(self, kind: str, options: Json) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _data(self, flags: int = 0) -> bytes:
        about = bytes([PRESENT | VERIFIED | flags]) + self.count.to_bytes(4, "big")
        return hashlib.sha256(self.site.encode()).digest() + about

    def _answer(self, response: Json) -> Json:
        name = bytes_to_base64url(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}
