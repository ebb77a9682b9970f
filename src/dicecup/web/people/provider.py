"""Signing in with an OpenID Connect provider: the authorization code flow with PKCE.

The host of the server chose the issuer, so it may be anywhere. Other hosts that its discovery
document names have to be public. No part of an address comes from a client, and redirects are not
followed. The library is in the extra `accounts` and is imported when a provider is configured.
"""

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

import httpcore
import structlog

from dicecup.hosting.errors import HostingError
from dicecup.hosting.people.handles import check_handle
from dicecup.hosting.people.logins import Login, Proof
from dicecup.web.people.destinations import Destinations, ForbiddenHostError, PublicHosts
from dicecup.web.people.provider_settings import ProviderSettings, split_url
from dicecup.web.refusals import WebCode, WebError

PATIENCE: Final = 10.0
"""Seconds that a provider has for a request."""
MOST_BYTES: Final = 262_144
"""Bytes of an answer that are read."""
METADATA_KEPT: Final = 3600.0
"""Seconds for which the discovery document is used again."""
LEEWAY: Final = 60
"""Seconds by which the clock of the provider may differ."""
LONGEST_SUBJECT: Final = 255
SCOPE: Final = "openid profile"
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures of ID tokens: all have a public key."""
BASIC: Final = "client_secret_basic"
POST: Final = "client_secret_post"
WRONG_CODE: Final = "invalid_grant"
"""The error of a provider that does not know a code, or knows it for another client or address."""
NETWORK_ERRORS: Final = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
    ForbiddenHostError,
    TimeoutError,
    OSError,
)

log = structlog.get_logger()


class Proved(NamedTuple):
    """A login that the provider has proved. `handle` is a handle made of the person's name there,
    empty if it makes none."""

    login: Login
    handle: str


class Endpoints(NamedTuple):
    """What the discovery document of a provider names, after a check. `method`: how the server
    proves that it is the client."""

    issuer: str
    authorization: str
    token: str
    keys: str
    method: str

    @classmethod
    def of(cls, document: Mapping[str, Any], settings: ProviderSettings) -> Self:
        """Return the endpoints in a document. Raises `ValueError` for a document of another issuer
        and for an address that is neither https nor at the issuer's own host and port."""
        issuer = document.get("issuer")
        if not isinstance(issuer, str) or issuer.rstrip("/") != settings.issuer:
            raise ValueError("issuer")
        own = urlsplit(issuer)

        def checked(name: str) -> str:
            url = document.get(name)
            read = split_url(url) if isinstance(url, str) else None
            if read is None or (read.scheme != "https" and (read.scheme, read.netloc) != (own.scheme, own.netloc)):
                raise ValueError(name)
            return str(url)

        methods = document.get("token_endpoint_auth_methods_supported") or [BASIC]
        return cls(
            issuer,
            checked("authorization_endpoint"),
            checked("token_endpoint"),
            checked("jwks_uri"),
            POST if POST in methods and BASIC not in methods else BASIC,
        )


class Provider:
    """A provider and the connections to it. `clock` returns seconds since 1970."""

    def __init__(self, settings: ProviderSettings, clock: Callable[[], float]) -> None:
        self.name = settings.name
        self.issuer = settings.issuer
        self._settings = settings
        self._clock = clock
        self._endpoints: Endpoints | None = None
        self._until = 0.0
        self._discovery: asyncio.Task[Endpoints] | None = None
        own_host = urlsplit(settings.issuer).hostname or ""
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            network_backend=PublicHosts(Destinations(named=(own_host,))),
            max_connections=20,
        )

    async def close(self) -> None:
        """Close the connections to the provider."""
        if self._discovery is not None:
            self._discovery.cancel()
        await self._pool.aclose()

    async def address(self, redirect: str, state: str, proof: Proof) -> str:
        """Return the address at the provider where a person signs in. The provider sends the person
        back to `redirect`. Raises `WebError` (`provider-down`)."""
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        url: str = prepare_grant_uri(
            (await self._known_endpoints()).authorization,
            self._settings.client,
            "code",
            redirect,
            SCOPE,
            state,
            nonce=proof.nonce,
            code_challenge=create_s256_code_challenge(proof.verifier),
            code_challenge_method="S256",
        )
        return url

    async def prove(self, code: str, issuer: str | None, redirect: str, proof: Proof) -> Proved:
        """Return the login for a code that the provider has sent a person back with.

        `issuer`: the issuer that the provider named beside it (RFC 9207). Raises `WebError`:
        `provider-down`, and `not-a-login` for a code or an ID token that is wrong or expired.
        """
        endpoints = await self._known_endpoints()
        if issuer is not None and issuer != endpoints.issuer:
            raise self._not_a_login("iss")
        answer = await self._token(endpoints, code, redirect, proof)
        keys = await self._json("GET", endpoints.keys)
        claims = self._checked(endpoints, answer, keys, proof)
        subject = claims["sub"]
        if not 1 <= len(subject) <= LONGEST_SUBJECT:
            raise self._not_a_login("sub")
        return Proved(Login(self.issuer, subject), _handle_in(claims))

    async def _token(self, endpoints: Endpoints, code: str, redirect: str, proof: Proof) -> Mapping[str, Any]:
        """Return the answer of the token endpoint to a code."""
        from authlib.oauth2.auth import ClientAuth
        from authlib.oauth2.rfc6749.parameters import prepare_token_request

        form = prepare_token_request("authorization_code", "", redirect, code=code, code_verifier=proof.verifier)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        client = ClientAuth(self._settings.client, self._settings.secret, endpoints.method)
        url, headers, form = client.prepare("POST", endpoints.token, headers, form)
        return await self._json("POST", url, headers, form.encode())

    def _checked(
        self, endpoints: Endpoints, answer: Mapping[str, Any], keys: Mapping[str, Any], proof: Proof
    ) -> Mapping[str, Any]:
        """Return the claims of the ID token in an answer after checking signature, issuer,
        audience, times, nonce and the hash of the access token."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        wanted = {"iss": endpoints.issuer, "aud": self._settings.client}
        options = {name: {"essential": True, "value": value} for name, value in wanted.items()}
        given = {"nonce": proof.nonce, "client_id": self._settings.client, "access_token": answer.get("access_token")}
        try:
            token = jwt.decode(answer["id_token"], KeySet.import_key_set(keys), algorithms=list(ALGORITHMS))  # type: ignore[arg-type]
            claims = CodeIDToken(token.claims, token.header, options, given)
            claims.validate(int(self._clock()), LEEWAY)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._not_a_login(str(error)) from None
        found: Mapping[str, Any] = claims
        return found

    # --- Requests ---------------------------------------------------------------------------------

    async def _known_endpoints(self) -> Endpoints:
        """Return the endpoints of the provider. Requests that come together share one reading of
        the discovery document."""
        if self._endpoints is not None and self._clock() < self._until:
            return self._endpoints
        if self._discovery is None or self._discovery.done():
            self._discovery = asyncio.get_running_loop().create_task(self._discover())
        return await asyncio.shield(self._discovery)

    async def _discover(self) -> Endpoints:
        from authlib.oidc.discovery import get_well_known_url

        document = await self._json("GET", get_well_known_url(self.issuer, external=True))
        try:
            self._endpoints = Endpoints.of(document, self._settings)
        except ValueError as error:
            raise self._down(f"wrong {error} in the discovery document") from None
        self._until = self._clock() + METADATA_KEPT
        return self._endpoints

    async def _json(
        self, method: str, url: str, headers: Mapping[str, str] | None = None, content: bytes = b""
    ) -> Mapping[str, Any]:
        """Return the JSON object in the answer of the provider. Raises `WebError`."""
        sent: dict[str | bytes, str | bytes] = {"Accept": "application/json"}
        sent.update(headers or {})
        if method == "POST":
            sent["Content-Length"] = str(len(content))
        body = b""
        try:
            async with asyncio.timeout(PATIENCE):
                async with self._pool.stream(method, url, headers=sent, content=content) as answer:
                    async for part in answer.aiter_stream():
                        body += part
                        if len(body) > MOST_BYTES:
                            raise self._down("too long an answer")
        except NETWORK_ERRORS as error:
            raise self._down(type(error).__name__) from None
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or (answer.status != 200 and found.get("error") != WRONG_CODE):
            raise self._down(f"status {answer.status} {found.get('error', '') if isinstance(found, dict) else ''}".strip())
        if answer.status != 200:
            raise self._not_a_login(WRONG_CODE)
        return found

    def _down(self, why: str) -> WebError:
        """Return the refusal for a provider that gives no answer that can be used. The log has the
        reason for the host of the server."""
        log.warning("provider down", issuer=self.issuer, why=why[:200])
        return WebError(WebCode.PROVIDER_DOWN, name=self.name)

    def _not_a_login(self, why: str) -> WebError:
        log.info("not a login", issuer=self.issuer, why=why[:200])
        return WebError(WebCode.NOT_A_LOGIN, name=self.name)


def _handle_in(claims: Mapping[str, Any]) -> str:
    """Return the first handle that a person's names at the provider make, or an empty text."""
    for name in ("preferred_username", "nickname", "name"):
        handle = str(claims.get(name) or "").partition("@")[0].strip().replace(" ", "_")
        try:
            check_handle(handle)
        except HostingError:
            continue
        return handle
    return ""
