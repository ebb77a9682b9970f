"""The interpreter and the rooms with which the browser client plays without a server
(`ui/build.py`)."""

import asyncio
import gzip
import hashlib
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response, StreamingResponse

from dicecup.players.yam_master import TABLES
from dicecup.web.app_files import FOREVER
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import accepted_encodings, cached_answer

PACKED: Final = Path(__file__).with_name("static") / "python"
INDEX: Final = "index.json"
TABLE: Final = re.compile(r"([\w-]+)-([0-9a-f]{16})\.tables", re.ASCII)
"""Name of a trained table, with a hash of its content. Players have the same file in `TABLES`."""
CHUNK: Final = 1 << 16
NAME: Final = re.compile(r"(?:pyodide-[\w.]+/)?[\w.-]+", re.ASCII)
KINDS: Final = {
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".tables": "application/octet-stream",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
"""Media types by suffix."""

HEADERS: Final = {**FOREVER, "Vary": "Accept-Encoding"}
_compressing: Final = Lock()

router = APIRouter(include_in_schema=False)


@router.get(f"/python/{INDEX}")
async def index(request: Request) -> Response:
    """The list of the files, which a new version changes."""
    path = PACKED / INDEX
    if not path.is_file():
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)
    return cached_answer(request, path.read_bytes())


@router.get("/python/{name:path}")
async def file(name: str, request: Request) -> Response:
    """A file of the list. Another content has another name.

    Large files are stored and sent compressed only: unpacking one takes 10 MB of memory for each
    client that asks. Tables are compressed when a client first asks for them. Raises `WebError`
    (`no-such-page`, `needs-gzip`).
    """
    if table := TABLE.fullmatch(name):
        return await _table(request, *table.groups())
    path = PACKED / name
    packed = path.with_name(f"{path.name}.gz")
    kind = KINDS.get(path.suffix)
    if not NAME.fullmatch(name) or kind is None or not (path.is_file() or packed.is_file()):
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)
    if path.is_file():
        return FileResponse(path, headers=HEADERS, media_type=kind)
    return FileResponse(packed, headers=_compressed_headers(request), media_type=kind)


async def _table(request: Request, stem: str, digest: str) -> Response:
    """Return the trained table with this name and this beginning of its hash."""
    path = TABLES / f"{stem}.tables"
    if not path.is_file():
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)
    headers = _compressed_headers(request)
    found, content = await asyncio.to_thread(_compressed, path)
    if not found.startswith(digest):
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(content), CHUNK):
            yield content[start : start + CHUNK]

    headers |= {"Content-Length": str(len(content))}
    return StreamingResponse(chunks(), headers=headers, media_type=KINDS[path.suffix])


def _compressed(path: Path) -> tuple[str, bytes]:
    """Return the SHA-256 of a table and its content compressed, which is kept."""
    with _compressing:
        return _compressed_once(path)


@cache
def _compressed_once(path: Path) -> tuple[str, bytes]:
    content = path.read_bytes()
    return hashlib.sha256(content).hexdigest(), gzip.compress(content, mtime=0)


def _compressed_headers(request: Request) -> dict[str, str]:
    """Return the headers of a compressed file. Raises `WebError` (`needs-gzip`)."""
    if not {"gzip", "*"} & accepted_encodings(request):
        raise WebError(WebCode.NEEDS_GZIP)
    return HEADERS | {"Content-Encoding": "gzip"}
