"""The ASGI application: HTTP requests and WebSocket connections."""

from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from dicecup.core.errors import DicecupError
from dicecup.web import (
    analyses,
    app_files,
    game_list,
    guides,
    identities,
    own_statistics,
    practice,
    service_pages,
    sheets,
    tables,
)
from dicecup.web.context import AppContext
from dicecup.web.guard import Guard, problem
from dicecup.web.http_messages import Problem
from dicecup.web.refusals import WebCode, WebError, headers_of
from dicecup.web.sockets import Sockets

PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"model": Problem, "description": "Refused; nothing has changed"},
    "5XX": {"model": Problem, "description": "Not possible now"},
}

log = structlog.get_logger()


class App:
    """The application that uvicorn runs. WebSockets bypass FastAPI and its middleware, so that an
    idle one needs little memory."""

    def __init__(self, context: AppContext) -> None:
        self._requests = Guard(http(context), context)
        self._sockets = Sockets(context)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._sockets if scope["type"] == "websocket" else self._requests)(scope, receive, send)


def http(context: AppContext) -> FastAPI:
    """Return the application for HTTP requests."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, responses=PROBLEMS)
    app.state.context = context
    for room in (game_list, guides, tables, identities, own_statistics, analyses, practice, sheets, service_pages, app_files):
        app.include_router(room.router)
    service_pages.describe(app)
    app.add_exception_handler(DicecupError, _refused)
    app.add_exception_handler(RequestValidationError, _not_a_request)
    app.add_exception_handler(HTTPException, _no_page)
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
    """Answer an unknown address: a browser gets the client's page, a program the error as JSON."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", "") and app_files.is_built():
        return await app_files.shown(request, status=404)
    code = WebCode.NO_SUCH_METHOD if error.status_code == 405 else WebCode.NO_SUCH_PAGE
    return _refusal(request, WebError(code, text=request.url.path), dict(error.headers or {}))


async def _fault(request: Request, error: Exception) -> Response:
    """Answer an unexpected exception. Starlette raises it again, so that uvicorn logs it."""
    log.error("fault", path=request.url.path, kind=type(error).__name__)
    return _refusal(request, WebError(WebCode.FAULT))
