"""The manifest of the library: its files, and the sources that it was built from.

This module needs the standard library only. The build hook of the distribution reads it, too.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "built"
"""The folder of the library, the WebAssembly module and the manifest."""
SOURCES: Final = Path(__file__).parents[2]
"""The folder of the package `dicecup`, to which the sources of the manifest are relative."""
MANIFEST: Final = "kernels.json"
WASM: Final = "kernels.wasm"


class LibraryMissingError(ImportError):
    """There is no native library of these sources for this processor."""


def digest(sources: Sequence[str]) -> str:
    """Return the hash of these files below `SOURCES`. Raises `OSError`."""
    found = hashlib.sha256()
    for name in sources:
        found.update(f"{name}\n".encode())
        found.update(hashlib.sha256((SOURCES / name).read_bytes()).digest())
    return found.hexdigest()


def read() -> dict[str, Any]:
    """Return the manifest.

    Raises `LibraryMissingError` where there is none, or where a source has changed since the build.
    """
    try:
        found: dict[str, Any] = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
        changed = digest(found["sources"]) != found["digest"]
    except (OSError, ValueError, KeyError) as error:
        raise LibraryMissingError(f"no manifest: {error}") from error
    if changed:
        raise LibraryMissingError("the sources have changed")
    return found
