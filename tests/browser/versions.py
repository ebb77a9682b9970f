"""A server of the built client alone, without tables, whose page can get a new version."""

import gzip
import mimetypes
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Self

from dicecup.players.yam_master import TABLES
from dicecup.web.app_files import BUILT
from dicecup.web.python_files import KINDS, PACKED, TABLE

NEWER: Final = "newer"
"""Part of the names of all files of the new version."""


class Versions:
    """A server of two versions of the page. `newer`: whether it has the new one. `served` holds the
    paths that were asked for."""

    def __init__(self) -> None:
        self.newer = False
        self.served: list[str] = []
        program = [path.name for path in PACKED.glob("*.zip")]
        names = [path.name for path in (BUILT / "assets").iterdir() if path.suffix in (".js", ".css")] + program
        self._names = re.compile("|".join(re.escape(name.rpartition(".")[0]) + r"(?=\.)" for name in names) + r"|\?version=")
        versions = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                versions.served.append(self.path)
                content = versions.content(self.path.partition("?")[0])
                self.send_response(404 if content is None else 200)
                kinds = {**KINDS, ".js": "text/javascript"}
                suffix = next((suffix for suffix in kinds if self.path.endswith(suffix)), None)
                kind = kinds[suffix] if suffix else mimetypes.guess_type(self.path)[0]
                self.send_header("Content-Type", kind or "text/html")
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def content(self, path: str) -> bytes | None:
        """Return the content of a path, `None` where this version has none."""
        if path.startswith(("/api/", "/ws/")) or (
            path.startswith(("/assets/", "/python/dicecup-")) and self.newer != (NEWER in path)
        ):
            return None
        if table := TABLE.fullmatch(path.removeprefix("/python/")):
            return (TABLES / f"{table[1]}.tables").read_bytes()
        folder, name = (PACKED, path[8:]) if path.startswith("/python/") else (BUILT, path[1:])
        file = folder / name.replace(NEWER, "")
        if packed := [each for each in (file.with_name(f"{file.name}.gz"),) if folder is PACKED and each.is_file()]:
            return gzip.decompress(packed[0].read_bytes())
        content = (file if file.is_file() else BUILT / "index.html").read_bytes()
        if not self.newer or folder is PACKED or file.suffix == ".png":
            return content
        return self._names.sub(lambda found: found[0] + NEWER, content.decode()).encode()

    def end(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread.is_alive():
            self.end()
