"""Checks and headers of every HTTP request: origin, size, rate, security headers, and a line in the
log."""

import json
from collections.abc import Iterable
from time import perf_counter
from typing import Any, Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicecup.web.context import AppContext
from dicecup.web.identity import header
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
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")

log = structlog.get_logger()


def is_same_origin(context: AppContext, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request comes from a page of this server, or from a program, which sends no
    `Origin`."""
    headers = list(headers)
    origin = header(headers, b"origin").lower()
    if not origin or origin == context.config.origin:
        return True
    _, scheme_end, host = origin.partition("://")
    return bool(scheme_end) and host == header(headers, b"host").lower()


def address_of(scope: Scope) -> str:
    """Return the address of the client, empty for a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


class Guard:
    """Middleware around the HTTP application."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app = app
        self._context = context

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

        body = _Body(receive, self._context.config.body_bytes)
        # uvicorn drops the body of the answer
        asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        error = self._refused(scope)
        try:
            if error is not None:
                await respond(error, scope, answer)
            else:
                await self._app(asked, body, answer)
        finally:
            route = getattr(asked.get("route"), "path", "-")
            self._context.metrics.requests.labels(route, str(status)).inc()
            milliseconds = round(1000 * (perf_counter() - begun), 1)
            log.info("request", method=scope["method"], path=scope["path"], status=status, milliseconds=milliseconds)

    def _refused(self, scope: Scope) -> WebError | None:
        """Return why a request is refused before the application sees it: origin, size or rate."""
        headers = scope["headers"]
        if scope["method"] not in SAFE and not is_same_origin(self._context, headers):
            return WebError(WebCode.WRONG_ORIGIN, text=header(headers, b"origin"))
        length = header(headers, b"content-length")
        if length.isdecimal() and int(length) > self._context.config.body_bytes:
            return WebError(WebCode.TOO_LARGE, limit=self._context.config.body_bytes)
        if scope["path"].startswith(API) and not self._context.requests.allows(address_of(scope)):
            return WebError(WebCode.TOO_MANY_REQUESTS)
        return None

    def _headers(self, scope: Scope, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer with the security headers, a policy for caching, and the
        new cookie, if any. Policies that the application set are kept."""
        headers = [*given, *HEADERS]
        names = {name for name, _ in headers}
        if b"content-security-policy" not in names:
            headers.append((b"content-security-policy", CONTENT_POLICY.encode()))
        if b"cache-control" not in names:
            headers.append((b"cache-control", b"no-store" if scope["path"].startswith(API) else b"no-cache"))
        if self._context.config.is_https:
            headers.append(HTTPS_ONLY)
        cookie = scope["state"].get("cookie")
        return [*headers, (b"set-cookie", cookie.encode())] if cookie else headers


class _Body:
    """Receiver of a request's body that raises `WebError` (`too-large`), also without a
    `Content-Length`."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._left = most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise WebError(WebCode.TOO_LARGE, limit=self._most)
        return message


def problem(error: Any, scope: Scope) -> tuple[int, bytes]:
    """Return the status and the body of the answer to an error."""
    message = refusal(error, language_of(header(scope["headers"], b"accept-language")))
    return status_of(error), json.dumps({"error": message.model_dump()}, ensure_ascii=False).encode()


async def respond(error: Any, scope: Scope, send: Send, kind: str = "http.response") -> None:
    """Send the answer to an error. `kind` is `websocket.http.response` for a WebSocket
    handshake."""
    status, body = problem(error, scope)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in headers_of(error).items()]
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
