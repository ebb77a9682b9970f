"""Checks and headers of every HTTP request: origin, size, rate, security headers, and a line in the
log."""

import json
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any, Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicecup.web.context import AppContext
from dicecup.web.identity import header
from dicecup.web.origins import Origins
from dicecup.web.refusals import WebCode, WebError, headers_of, language_of, refusal, status_of

SAFE: Final = ("GET", "HEAD", "OPTIONS")
API: Final = "/api/"
CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Content security policy of pages: files of this server only, no inline scripts or styles."""
HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(self), geolocation=(), microphone=()"),
)
LIMITS: Final[Mapping[str, str]] = {"too-many-requests": "requests", "too-many-sockets": "sockets"}
"""Name of the limit in metrics and log by the code of its refusal."""
ENDING: Final = (WebCode.TOO_MANY_REQUESTS, WebCode.BLOCKED)
"""Refusals that end the connection, so that the next request costs the client another one."""
DOCUMENTS: Final = ("/docs", "/openapi.json", "/schema.json", "/asyncapi.json", "/health", "/metrics", "/verify", "/embed")
"""Addresses that share the rate of those below `API`. Files and pages of the browser client have a
rate of their own."""
LONGEST_LOGGED: Final = 200
"""Characters of a path or a method in the log."""
ANNOUNCEMENT: Final = b"dicecup-announcement"
"""Header with the number of the message that the host shows to everybody now."""
NO_FRAMES: Final = (b"x-frame-options", b"DENY")
"""Header of pages that no other page may hold in a frame, for old browsers."""
NOT_FRAMED: Final = b"frame-ancestors 'none'"
"""The same in a content security policy."""
HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")

log = structlog.get_logger()


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the address of the client, empty for a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


class Guard:
    """Middleware around the HTTP application."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context
        self._origins = Origins(context.config)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        scope.setdefault("state", {})
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._headers(scope, message.get("headers", ()))
            await send(message)

        # uvicorn drops the body of the answer
        asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            try:
                self._check(scope)
            except WebError as error:
                await respond(error, scope, answer)
            else:
                await self._app(asked, receive, answer)
        finally:
            route = getattr(asked.get("route"), "path", "-")
            self._context.metrics.requests.labels(route, str(status)).inc()
            milliseconds = round(1000 * (perf_counter() - begun), 1)
            log.info(
                "request",
                method=scope["method"][:LONGEST_LOGGED],
                path=scope["path"][:LONGEST_LOGGED],
                status=status,
                milliseconds=milliseconds,
            )

    def _check(self, scope: Scope) -> None:
        """Raise `WebError` for a request that the application must not see: rate, host, origin or
        size."""
        rate = self._context.requests if scope["path"].startswith((API, *DOCUMENTS)) else self._context.files
        if not rate.allows(address_of(scope)):
            self._context.reached(LIMITS["too-many-requests"], address_of(scope))
            raise WebError(WebCode.TOO_MANY_REQUESTS)
        self._origins.check(scope)
        if scope["method"] not in SAFE:
            self._origins.check_origin(scope)
        length = header(scope["headers"], b"content-length")
        if length.isdecimal() and int(length) > self._context.config.body_bytes:
            raise WebError(WebCode.TOO_LARGE, limit=self._context.config.body_bytes)

    def _headers(self, scope: Scope, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer with the security headers, a policy for caching, the
        number of a message to everybody, and the new cookie, if any. Policies that the application
        set are kept."""
        headers = list(given)
        names = {name for name, _ in headers}
        headers += [each for each in HEADERS if each[0] not in names]
        if b"content-security-policy" not in names:
            headers.append((b"content-security-policy", CONTENT_POLICY.encode()))
        if NOT_FRAMED in dict(headers)[b"content-security-policy"]:
            headers.append(NO_FRAMES)
        if b"cache-control" not in names:
            headers.append((b"cache-control", b"no-store" if scope["path"].startswith(API) else b"no-cache"))
        if self._context.config.is_https:
            headers.append(HTTPS_ONLY)
        if scope["path"].startswith(API) and (found := self._context.tables.announcements.current) is not None:
            headers.append((ANNOUNCEMENT, str(found.number).encode()))
        cookie = scope["state"].get("cookie")
        return [*headers, (b"set-cookie", cookie.encode())] if cookie else headers


def problem(error: Any, scope: Mapping[str, Any]) -> tuple[int, bytes]:
    """Return the status and the body of the answer to an error."""
    message = refusal(error, language_of(header(scope["headers"], b"accept-language")))
    return status_of(error), json.dumps({"error": message.model_dump()}, ensure_ascii=False).encode()


async def respond(error: Any, scope: Scope, send: Send, kind: str = "http.response") -> None:
    """Send the answer to an error. `kind` is `websocket.http.response` for a WebSocket
    handshake."""
    status, body = problem(error, scope)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in headers_of(error).items()]
    if error.code in ENDING:
        headers.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
