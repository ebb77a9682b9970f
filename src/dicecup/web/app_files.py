"""The built browser client (`ui/`): one page for all of its addresses, and the files that the page
loads."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from dicecup.web.administrators import administrator
from dicecup.web.guard import CONTENT_POLICY
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import accepted_encodings, cached_answer

BUILT: Final = Path(__file__).with_name("static") / "app"
PAGES: Final = (
    "/",
    "/tables/{table}",
    "/device",
    "/device/{table}",
    "/device/{table}/review",
    "/rules",
    "/rules/{game}",
    "/review",
    "/review/{table}",
    "/mistakes",
    "/position",
    "/train",
    "/train/{game}",
    "/learn/{game}",
    "/statistics",
    "/account",
    "/archive",
    "/ratings",
    "/events",
    "/events/{event}",
    "/people/{handle}",
    "/privacy",
    "/sign-in",
    "/transfer",
    "/mail",
    "/tournaments",
    "/tournaments/{tournament}",
    "/tournaments/{tournament}/{part}",
)
"""Addresses that the client shows."""
ADMIN_PAGES: Final = ("/admin", "/admin/{part}")
"""Addresses that the client shows to administrators."""
FILES: Final = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png", "manifest.webmanifest", "sw.js")
"""Files with fixed names. Browsers ask whether they have changed."""
COMPILING_WORKERS: Final = ("pythonWorker-", "diceWorker-")
"""How the names of the workers begin that play without a server, and that read dice."""
MAY_COMPILE: Final = {
    "Content-Security-Policy": CONTENT_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
}
"""Header of these workers: they alone may compile WebAssembly (docs/decisions/0025, 0051)."""
NAME: Final = re.compile(r"[\w.-]+", re.ASCII)
FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Header of files with a hash of their content in their names."""
KINDS: Final = {
    ".bin": "application/octet-stream",
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by suffix, the same on every system."""
PACKED: Final = {"br": ".br", "gzip": ".gz"}
"""Encodings in which the build compresses every file, the better one first, with their suffixes."""

router = APIRouter(include_in_schema=False)


def is_built() -> bool:
    """Return whether the client was built."""
    return (BUILT / "index.html").is_file()


async def client_page(request: Request, status: int = 200) -> Response:
    """Return the client's page. The client reads the address itself."""
    if status != 200:  # a browser must not ask whether an error has changed
        return Response((BUILT / "index.html").read_bytes(), status, media_type=KINDS[".html"])
    return _file(BUILT / "index.html", request)


async def page(request: Request) -> Response:
    """The page of the browser client."""
    return await client_page(request)


for place in PAGES:
    router.add_api_route(place, page)
for place in ADMIN_PAGES:
    router.add_api_route(place, page, dependencies=[Depends(administrator)])


@router.get("/assets/{name}")
async def asset(name: str, request: Request) -> Response:
    """A script or style of the browser client."""
    return _file(BUILT / "assets" / name, request, FOREVER | (MAY_COMPILE if name.startswith(COMPILING_WORKERS) else {}))


async def file(request: Request) -> Response:
    """A file with a fixed name: icons, the manifest, the service worker."""
    return _file(BUILT / request.url.path.removeprefix("/"), request)


for called in FILES:
    router.add_api_route(f"/{called}", file)


def _file(path: Path, request: Request, headers: dict[str, str] | None = None) -> Response:
    """Return a file, compressed if the browser accepts it. A browser that has it already gets no
    body.

    Raises `WebError` (`no-such-page`) if the client has no such file or was not built.
    """
    if not NAME.fullmatch(path.name) or path.suffix not in KINDS or not path.is_file():
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)
    kind = KINDS[path.suffix]
    headers = {"Vary": "Accept-Encoding", **(headers or {})}
    wanted = accepted_encodings(request)
    for encoding, suffix in PACKED.items():
        packed = path.with_name(path.name + suffix)
        if encoding in wanted and packed.is_file():
            path, headers = packed, headers | {"Content-Encoding": encoding}
            break
    return cached_answer(request, _content(path, path.stat().st_mtime_ns), kind, headers)


@lru_cache(maxsize=512)
def _content(path: Path, _changed: int) -> bytes:
    """Return the content of a file that was `_changed` at a time. A new build has new times."""
    return path.read_bytes()
