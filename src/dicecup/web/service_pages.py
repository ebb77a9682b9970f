"""Pages and documents of the server itself: protocol, verifier, health and metrics. They load
nothing from other hosts."""

import re
from functools import cache
from hmac import compare_digest
from html import escape
from pathlib import Path
from string import Template
from typing import Annotated, Final

import orjson
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from dicecup.locale import Messages
from dicecup.web.http_messages import Health
from dicecup.web.identity import COOKIE
from dicecup.web.origins import is_on_this_machine
from dicecup.web.refusals import WebCode, WebError, language_of
from dicecup.web.requests import Context, answer, cached_answer

STATIC: Final = Path(__file__).with_name("static")
PAGE: Final = Template((STATIC / "page.html").read_text("utf-8"))
PROTOCOL: Final = STATIC / "protocol"
"""Folder of the documents for programs (`dicecup.web.documents`)."""
FILES: Final = ("page.css", "embed.css")
HTML: Final = "text/html"
POLICY: Final = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')

router = APIRouter(include_in_schema=False)


def page_language(request: Request) -> str:
    """Return the language that the browser prefers."""
    return language_of(request.headers.get("accept-language", ""))


PageLanguage = Annotated[str, Depends(page_language)]


@router.get("/verify")
async def verify(request: Request) -> Response:
    """The verifier, a single file. Its content security policy stands in the file itself."""
    text, policy = _verifier()
    return cached_answer(request, text, HTML, {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})


@cache
def _verifier() -> tuple[bytes, str]:
    """Return the file of the verifier and its content security policy."""
    text = (STATIC / "verify.html").read_text("utf-8")
    policy = POLICY.search(text)
    assert policy is not None
    return text.encode(), policy[1]


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """A file that the pages load."""
    return cached_answer(request, _static(name), "text/css") if name in FILES else Response(status_code=404)


@cache
def _static(name: str) -> bytes:
    return (STATIC / name).read_bytes()


# --- Protocol -------------------------------------------------------------------------------------


@router.get("/docs")
async def docs(request: Request, language: PageLanguage) -> Response:
    """All endpoints and messages, with links to the machine-readable documents."""
    headers = {"Vary": "Accept-Language", "Content-Language": language}
    return cached_answer(request, _docs(language), HTML, headers)


@router.get("/openapi.json")
async def openapi(request: Request, context: Context) -> Response:
    """The OpenAPI document."""
    return cached_answer(request, _openapi(context.signer.name))


@router.get("/schema.json")
async def schema(request: Request) -> Response:
    """The JSON Schema of the WebSocket's messages."""
    return cached_answer(request, _document("schema"))


@router.get("/asyncapi.json")
async def asyncapi(request: Request) -> Response:
    """The AsyncAPI document of the WebSocket."""
    return cached_answer(request, _document("asyncapi"))


@cache
def _document(name: str) -> bytes:
    """Return a document without the spaces that make its file readable."""
    return orjson.dumps(orjson.loads((PROTOCOL / f"{name}.json").read_bytes()))


@cache
def _openapi(cookie: str) -> bytes:
    """Return the OpenAPI document with the name of the identity's cookie at this host."""
    return _document("openapi").replace(f'"name":"{COOKIE}"'.encode(), f'"name":"{cookie}"'.encode())


@cache
def _docs(language: str) -> bytes:
    """Return the page with all endpoints and messages in a language."""
    messages = Messages(language)
    places = {"/openapi.json": "web_openapi", "/asyncapi.json": "web_asyncapi", "/schema.json": "web_schema"}
    items = "".join(
        f'<li><a href="{place}"><code>{place}</code></a> {escape(messages(key))}</li>' for place, key in places.items()
    )
    content = f"<ul>{items}</ul>{_endpoints()}{_commands()}"
    return PAGE.substitute(language=language, title=escape(messages("web_docs")), content=content).encode()


def _endpoints() -> str:
    """Return the HTML list of the HTTP endpoints from the OpenAPI document."""
    items = "".join(
        f"<dt><code>{method.upper()} {escape(path)}</code></dt><dd>{escape(operation['description'])}</dd>"
        for path, operations in orjson.loads(_document("openapi"))["paths"].items()
        for method, operation in operations.items()
    )
    return f"<h2>HTTP</h2><dl>{items}</dl>"


def _commands() -> str:
    """Return the HTML lists of the messages over both WebSockets, in schema order, with the
    commands of tables."""
    definitions = orjson.loads(_document("schema"))["$defs"]

    def listed(address: str, *sides: list[dict[str, str]]) -> str:
        names = [definition["$ref"].rpartition("/")[2] for side in sides for definition in side]
        items = "".join(
            f"<dt><code>{escape(definitions[name]['properties']['type']['const'])}</code></dt>"
            f"<dd>{escape(definitions[name].get('description', ''))}</dd>"
            for name in names
        )
        return f"<h2>WebSocket <code>{address}</code></h2><dl>{items}</dl>"

    commands = definitions["Do"]["properties"]["command"]["oneOf"]
    of_tables = listed("/ws/tables/{table}", definitions["FromClient"]["oneOf"], definitions["FromServer"]["oneOf"], commands)
    return of_tables + listed("/ws/lobby", definitions["LobbyFromClient"]["oneOf"], definitions["LobbyFromServer"]["oneOf"])


# --- Operation ------------------------------------------------------------------------------------


@router.get("/health")
async def health(context: Context) -> Response:
    """Status 200 while tables can be served, which needs a database that can be written; else 503
    with the code of the fault."""
    fault = await context.tables.outages.fault()
    return answer(Health(status="ok" if fault is None else str(fault)), 200 if fault is None else 503)


@router.get("/metrics")
async def metrics(context: Context, request: Request) -> Response:
    """Metrics for Prometheus on this machine, or elsewhere with the token of the setting. Raises
    `WebError` (`metrics-closed`)."""
    token = context.config.metrics_token
    given = request.headers.get("authorization", "")
    if not is_on_this_machine(request.scope) and not (token and compare_digest(given.encode(), f"Bearer {token}".encode())):
        raise WebError(WebCode.METRICS_CLOSED)
    return Response(context.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
