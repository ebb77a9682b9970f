"""The ASGI application: HTTP requests and WebSocket connections."""

from typing import Final
from urllib.parse import quote

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from dicecup.core.errors import DicecupError
from dicecup.hosting.fair_queue import REQUESTING, Client
from dicecup.web import (
    admin,
    admin_people,
    analyses,
    app_files,
    device_games,
    game_list,
    guides,
    identities,
    mistakes,
    own_statistics,
    practice,
    python_files,
    reports,
    service_pages,
    sheets,
    tables,
)
from dicecup.web.competition import duplicates, ratings, tournaments
from dicecup.web.context import AppContext
from dicecup.web.guard import LONGEST_LOGGED, Guard, address_of, problem, respond
from dicecup.web.limits import network
from dicecup.web.lobby import requests as lobby
from dicecup.web.people import accounts, archive, notices, provider_sign_in, sign_in
from dicecup.web.refusals import WebCode, WebError, headers_of
from dicecup.web.sharing import frames, shared
from dicecup.web.sharing import pages as shared_pages
from dicecup.web.sockets import Sockets

ROUTED: Final = (
    game_list,
    guides,
    tables,
    identities,
    accounts,
    sign_in,
    provider_sign_in,
    archive,
    own_statistics,
    device_games,
    notices,
    analyses,
    practice,
    mistakes,
    sheets,
    reports,
    admin,
    admin_people,
    lobby,
    tournaments,
    ratings,
    duplicates,
    shared,
    frames,
    shared_pages,
    service_pages,
    python_files,
    app_files,
)
"""Modules with a `router`; the last one takes what no other does."""

log = structlog.get_logger()


class App:
    """The application that uvicorn runs. WebSockets bypass FastAPI and its middleware, so that an
    idle one needs little memory."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._requests = Guard(http_app(context), context)
        self._sockets = Sockets(context)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        REQUESTING.set(Client(network(address_of(scope))))
        if self._context.tables.blocks.blocks(address_of(scope)):
            self._context.reached("blocked", address_of(scope))
            if scope["type"] == "websocket":
                await receive()
            kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
            await respond(WebError(WebCode.BLOCKED), scope, send, kind)
            return
        await (self._sockets if scope["type"] == "websocket" else self._requests)(scope, receive, send)


def http_app(context: AppContext) -> FastAPI:
    """Return the application for HTTP requests."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.state.context = context
    # Routers that are included analyse all routes again at the first request; tables wait for that.
    app.router.routes = [route for module in ROUTED for route in module.router.routes]
    app.add_exception_handler(DicecupError, _refused)
    app.add_exception_handler(RequestValidationError, _not_a_request)
    app.add_exception_handler(HTTPException, _no_page)
    app.add_exception_handler(ClientDisconnect, _client_disconnected)
    app.add_exception_handler(Exception, _fault)
    return app


def _refusal(request: Request, error: Exception, headers: dict[str, str] | None = None) -> Response:
    status, body = problem(error, request.scope)
    return Response(body, status, headers, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, DicecupError)
    return _refusal(request, error, headers_of(error))


async def _not_a_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return _refusal(request, WebError(WebCode.NOT_A_MESSAGE, text=".".join(map(str, first["loc"])), why=first["type"]))


async def _no_page(request: Request, error: Exception) -> Response:
    """Answer an unknown address: a browser gets the client's page, a program the error as JSON.

    An address that ends with a slash is redirected to the same one without it, on the same host.
    """
    assert isinstance(error, HTTPException)
    asked = request.scope["path"]
    if error.status_code == 404 and asked.endswith("/") and (path := asked.strip("/")):
        query = request.scope["query_string"].decode("latin-1")
        return RedirectResponse(f"/{quote(path)}{query and f'?{query}'}", 307)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", "") and app_files.is_built():
        return await app_files.client_page(request, status=404)
    code = WebCode.NO_SUCH_METHOD if error.status_code == 405 else WebCode.NO_SUCH_PAGE
    return _refusal(request, WebError(code, text=request.url.path), dict(error.headers or {}))


async def _client_disconnected(request: Request, _: Exception) -> Response:
    """Answer a request whose client disconnected before its end."""
    return _refusal(request, WebError(WebCode.CLIENT_GONE))


async def _fault(request: Request, error: Exception) -> Response:
    """Answer an unexpected exception. Starlette raises it again, so that uvicorn logs it."""
    log.error("fault", path=request.url.path[:LONGEST_LOGGED], kind=type(error).__name__)
    return _refusal(request, WebError(WebCode.FAULT))
