"""An OpenID Connect provider for tests, with an RSA key of its own. It checks what it is sent as
strictly as large providers do, and can be told to answer wrongly."""

import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from time import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from dicecup.web.people.provider_settings import ProviderSettings

Json = dict[str, Any]
CLIENT, SECRET = "dicecup", "s3cret:with/signs"
KEY = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"})


@dataclass
class IdentityProvider:
    """A provider. `person` has the claims of the person who signs in next, and `changes` what
    replaces claims of ID tokens (`None` leaves one out). `answers` holds the next answers of the
    token endpoint, as status and body, in place of the right ones."""

    url: str
    person: Json = field(default_factory=lambda: {"sub": "248289761001", "preferred_username": "anna"})
    changes: Json = field(default_factory=dict)
    document: Json = field(default_factory=dict)
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    signing_key: RSAKey | OctKey | None = None
    header: Json = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, Json] = field(default_factory=dict)
    is_down: bool = False
    denies: bool = False

    @property
    def settings(self) -> ProviderSettings:
        return ProviderSettings(self.url, CLIENT, SECRET, "Club")

    def sign_in(self, address: str) -> Json:
        """Return what the provider sends a person back with who signs in at an address."""
        sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (sent["response_type"], sent["client_id"], sent["code_challenge_method"]) == ("code", CLIENT, "S256")
        assert "openid" in sent["scope"].split()
        assert len(sent["nonce"]) >= 22
        if self.denies:
            return {"error": "access_denied", "state": sent["state"]}
        code = token_urlsafe(16)
        self.codes[code] = sent | {"person": dict(self.person)}
        return {"code": code, "state": sent["state"], "iss": self.url}

    def answer(self, method: str, path: str, headers: Any, body: bytes) -> tuple[int, bytes, str]:
        """Return status, body and redirect address of the answer to a request."""
        place = urlsplit(path).path
        self.asked.append(f"{method} {place}")
        if self.is_down:
            return 503, b"", ""
        match method, place:
            case "GET", "/.well-known/openid-configuration":
                return 200, json.dumps(self._document()).encode(), ""
            case "GET", "/keys":
                return 200, json.dumps({"keys": [KEY.as_dict(private=False)]}).encode(), ""
            case "GET", "/authorize":
                back = self.sign_in(path)
                redirect = parse_qs(urlsplit(path).query)["redirect_uri"][0]
                return 302, b"", f"{redirect}?{urlencode(back)}"
            case "POST", "/token":
                status, answer = self.answers.pop(0) if self.answers else self._token(headers, body)
                return status, answer, ""
        return 404, b"", ""

    def _document(self) -> Json:
        usual = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }
        return usual | self.document

    def _token(self, headers: Any, body: bytes) -> tuple[int, bytes]:
        sent = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        basic = headers.get("authorization", "").removeprefix("Basic ")
        if b64decode(basic).decode() != f"{CLIENT}:{SECRET}":
            return 401, b'{"error": "invalid_client"}'
        known = self.codes.pop(sent.get("code", ""), None)
        verifier = sent.get("code_verifier", "")
        fits = (
            known is not None
            and sent["grant_type"] == "authorization_code"
            and known["redirect_uri"] == sent["redirect_uri"]
            and known["code_challenge"] == create_s256_code_challenge(verifier)
            and 43 <= len(verifier) <= 128
        )
        if not fits:
            return 400, b'{"error": "invalid_grant"}'
        assert known is not None
        now = int(time())
        claims = {"iss": self.url, "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": known["nonce"], **known["person"]}
        claims = {name: value for name, value in (claims | self.changes).items() if value is not None}
        header = {"alg": "RS256", "kid": "k1"} | self.header
        token = jwt.encode(header, claims, self.signing_key or KEY, algorithms=[header["alg"]])
        return 200, json.dumps({"access_token": "a", "token_type": "Bearer", "id_token": token}).encode()


@contextmanager
def identity_provider() -> Iterator[IdentityProvider]:
    """Run a provider in a thread."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def _answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, body, redirect = provider.answer(self.command, self.path, self.headers, sent)
            self.send_response(status)
            if redirect:
                self.send_header("Location", redirect)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        provider = IdentityProvider(f"http://127.0.0.1:{server.server_address[1]}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
