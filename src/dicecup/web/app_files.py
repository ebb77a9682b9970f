"""The browser client as it was built (ui/): one page for every address of its own, and the files that it loads."""

import re
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from dicecup.web.errors import WebCode, WebError

BUILT: Final = Path(__file__).with_name("static") / "app"
PAGES: Final = (
    "/",
    "/tables/{table}",
    "/rules",
    "/rules/{game}",
    "/review",
    "/review/{table}",
    "/train",
    "/statistics",
    "/transfer",
)
"""The addresses that the client knows."""
FILE: Final = re.compile(r"[\w.-]+", re.ASCII)
FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
"""For files that have the hash of what is in them in their names."""

router = APIRouter(include_in_schema=False)


async def shown() -> Response:
    """The client; it sees by the address what is wanted."""
    return _file(BUILT / "index.html")


for place in PAGES:
    router.add_api_route(place, shown, methods=["GET", "HEAD"])


@router.get("/assets/{name}")
async def asset(name: str, request: Request) -> Response:
    """Scripts and styles."""
    return _file(BUILT / "assets" / name, request, FOREVER)


def _file(path: Path, request: Request | None = None, headers: dict[str, str] | None = None) -> Response:
    """Raises `WebError` (`no-such-page`) where the client has no such file, or was never built."""
    if not FILE.fullmatch(path.name) or not path.is_file():
        raise WebError(WebCode.NO_SUCH_PAGE, text="/" if request is None else request.url.path)
    return FileResponse(path, headers=headers)
