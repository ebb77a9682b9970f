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
    "/train/{game}",
    "/statistics",
    "/transfer",
)
"""The addresses that the client knows."""
FILES: Final = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png", "manifest.webmanifest", "sw.js")
"""Files whose names stay the same: browsers ask whether they have changed."""
NAME: Final = re.compile(r"[\w.-]+", re.ASCII)
FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
"""For files that have the hash of what is in them in their names."""
KINDS: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The same on every system."""
PACKED: Final = {"br": ".br", "gzip": ".gz"}
"""Encodings in which the build leaves a file beside it, the shorter one first."""

router = APIRouter(include_in_schema=False)


def is_built() -> bool:
    """Whether there is a client."""
    return (BUILT / "index.html").is_file()


async def shown(request: Request, status: int = 200) -> Response:
    """The client; it sees by the address what is wanted."""
    answer = _file(BUILT / "index.html", request)
    answer.status_code = status
    return answer


async def page(request: Request) -> Response:
    """At an address of the client's."""
    return await shown(request)


for place in PAGES:
    router.add_api_route(place, page)


@router.get("/assets/{name}")
async def asset(name: str, request: Request) -> Response:
    """Scripts and styles."""
    return _file(BUILT / "assets" / name, request, FOREVER)


async def file(request: Request) -> Response:
    """What a browser looks for under a name that it knows."""
    return _file(BUILT / request.url.path.removeprefix("/"), request)


for called in FILES:
    router.add_api_route(f"/{called}", file)


def _file(path: Path, request: Request, headers: dict[str, str] | None = None) -> Response:
    """Raises `WebError` (`no-such-page`) where the client has no such file, or was never built."""
    if not NAME.fullmatch(path.name) or path.suffix not in KINDS or not path.is_file():
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)
    headers = {"Vary": "Accept-Encoding", **(headers or {})}
    wanted = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, suffix in PACKED.items():
        packed = path.with_name(path.name + suffix)
        if encoding in wanted and packed.is_file():
            return FileResponse(packed, headers=headers | {"Content-Encoding": encoding}, media_type=KINDS[path.suffix])
    return FileResponse(path, headers=headers, media_type=KINDS[path.suffix])
