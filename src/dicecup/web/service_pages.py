"""Pages and documents of the server itself: protocol, verifier, health and metrics. They load
nothing from other hosts."""

import re
from html import escape
from pathlib import Path
from string import Template
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response

from dicecup.core.errors import DicecupError
from dicecup.locale import Messages
from dicecup.web import schemas
from dicecup.web.http_messages import Health
from dicecup.web.refusals import language_of
from dicecup.web.requests import Context, answer

STATIC: Final = Path(__file__).with_name("static")
PAGE: Final = Template((STATIC / "page.html").read_text("utf-8"))
FILES: Final = ("page.css",)
POLICY: Final = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')

router = APIRouter(include_in_schema=False)


def spoken(request: Request) -> Messages:
    """Return the messages in the language that the browser prefers."""
    return Messages(language_of(request.headers.get("accept-language", "")))


Spoken = Annotated[Messages, Depends(spoken)]


def page(messages: Messages, title: str, content: str) -> Response:
    """Return a page. `content` is HTML."""
    shown = PAGE.substitute(language=messages.language, title=escape(title), content=content)
    return HTMLResponse(shown, headers={"Vary": "Accept-Language", "Content-Language": messages.language})


@router.get("/verify")
async def verify() -> Response:
    """The verifier, a single file. Its content security policy stands in the file itself."""
    text = (STATIC / "verify.html").read_text("utf-8")
    policy = POLICY.search(text)
    assert policy is not None
    return HTMLResponse(text, headers={"Content-Security-Policy": f"{policy[1]}; frame-ancestors 'none'"})


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """A file that the pages load."""
    return FileResponse(STATIC / name) if name in FILES else Response(status_code=404)


# --- Protocol -------------------------------------------------------------------------------------


@router.get("/docs")
async def docs(request: Request, messages: Spoken) -> Response:
    """All endpoints and messages, with links to the machine-readable documents."""
    documents = {
        "/openapi.json": "web_openapi",
        "/asyncapi.json": "web_asyncapi",
        "/schema.json": "web_schema",
    }
    items = "".join(
        f'<li><a href="{place}"><code>{place}</code></a> {escape(messages(key))}</li>' for place, key in documents.items()
    )
    return page(messages, messages("web_docs"), f"<ul>{items}</ul>{_endpoints(request.app.openapi())}{_commands()}")


def _endpoints(document: dict[str, Any]) -> str:
    """Return the HTML list of the HTTP endpoints from the OpenAPI document."""
    items = "".join(
        f"<dt><code>{method.upper()} {escape(path)}</code></dt><dd>{escape(operation['description'])}</dd>"
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    )
    return f"<h2>HTTP</h2><dl>{items}</dl>"


def _commands() -> str:
    """Return the HTML list of the messages and commands over WebSocket, in schema order."""
    definitions = schemas.json_schema()["$defs"]
    names = [
        *(
            definition["$ref"].rpartition("/")[2]
            for side in ("FromClient", "FromServer")
            for definition in definitions[side]["oneOf"]
        ),
        *(definition["$ref"].rpartition("/")[2] for definition in definitions["Do"]["properties"]["command"]["oneOf"]),
    ]
    items = "".join(
        f"<dt><code>{escape(definitions[name]['properties']['type']['const'])}</code></dt>"
        f"<dd>{escape(definitions[name].get('description', ''))}</dd>"
        for name in names
    )
    return f"<h2>WebSocket <code>/ws/tables/{{table}}</code></h2><dl>{items}</dl>"


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(request.app.openapi())


@router.get("/schema.json")
async def schema() -> Response:
    """The JSON Schema of the WebSocket's messages."""
    return JSONResponse(schemas.json_schema())


@router.get("/asyncapi.json")
async def asyncapi() -> Response:
    """The AsyncAPI document of the WebSocket."""
    return JSONResponse(schemas.asyncapi())


# --- Operation ------------------------------------------------------------------------------------


@router.get("/health")
async def health(context: Context) -> Response:
    """Status 200 while the database answers, else 503."""
    try:
        await context.tables.store.newest([])
    except DicecupError as error:
        return answer(Health(status=str(error.code)), 503)
    return answer(Health(status="ok"))


@router.get("/metrics")
async def metrics(context: Context) -> Response:
    """Metrics for Prometheus. A reverse proxy must hide them from the public."""
    return Response(context.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def describe(app: FastAPI) -> None:
    """Replace `app.openapi` by a function that makes the document once."""
    made: dict[str, Any] = {}

    def document() -> dict[str, Any]:
        if not made:
            made.update(schemas.openapi(app, app.state.context.signer.name))
        return made

    app.openapi = document  # type: ignore[method-assign]
