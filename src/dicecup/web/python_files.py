"""The interpreter and the rooms with which the browser client plays without a server
(`ui/build.py`)."""

import re
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from dicecup.web.app_files import FOREVER
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import accepted_encodings, cached_answer

PACKED: Final = Path(__file__).with_name("static") / "python"
INDEX: Final = "index.json"
NAME: Final = re.compile(r"(?:pyodide-[\w.]+/)?[\w.-]+", re.ASCII)
KINDS: Final = {
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".tables": "application/octet-stream",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
"""Media types by suffix."""

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
    client that asks. Raises `WebError` (`no-such-page`, `needs-gzip`).
    """
    path = PACKED / name
    packed = path.with_name(f"{path.name}.gz")
    kind = KINDS.get(path.suffix)
    if not NAME.fullmatch(name) or kind is None or not (path.is_file() or packed.is_file()):
        raise WebError(WebCode.NO_SUCH_PAGE, text=request.url.path)
    headers = {**FOREVER, "Vary": "Accept-Encoding"}
    if path.is_file():
        return FileResponse(path, headers=headers, media_type=kind)
    if not {"gzip", "*"} & accepted_encodings(request):
        raise WebError(WebCode.NEEDS_GZIP)
    return FileResponse(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=kind)
