"""Solved tables in files in the platform's cache folder.

A file holds the SHA-256 of the rest, and then an array in the format of NumPy. Its name holds a
hash of the rules and of the version of Dicecup, so a file is never out of date. A damaged or
unreadable file counts as missing. A file that cannot be written is left out.
"""

import hashlib
import io
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np
import platformdirs
from numpy.typing import NDArray

SUFFIX: Final = ".table"
DIGEST: Final = hashlib.sha256().digest_size


def folder() -> Path:
    """Return the folder of the tables. It may not exist."""
    return Path(platformdirs.user_cache_dir("dicecup")) / "tables"


def key(rules: Iterable[Any]) -> str:
    """Return a hash of these rules (arrays, numbers and texts) and of the version of Dicecup, 32
    hex digits.
    """
    digest = hashlib.sha256(_version().encode())
    for rule in rules:
        part = np.asarray(rule)
        digest.update(f"{part.dtype} {part.shape} ".encode())
        digest.update(part.tobytes())
    return digest.hexdigest()[:32]


def table(name: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return the cached array of this name; if there is none, call `make` and cache its result.

    `name` should begin with a word for the table and end with its `key`.
    """
    path = folder() / f"{name}{SUFFIX}"
    found = _read(path)
    if found is None:
        found = make()
        _write(path, found)
    return found


def clear() -> int:
    """Remove all cached tables and return their number.

    Raises `OSError` if a file cannot be removed.
    """
    paths = list(folder().glob(f"*{SUFFIX}"))
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)


def _read(path: Path) -> NDArray[Any] | None:
    """Return the array in a cache file; `None` where the file is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(memoryview(content)[DIGEST:]).digest() != content[:DIGEST]:
        return None
    with suppress(ValueError):
        found: NDArray[Any] = np.load(io.BytesIO(content[DIGEST:]), allow_pickle=False)
        return found
    return None


def _write(path: Path, array: NDArray[Any]) -> None:
    """Write the file whole or not at all: a reader never sees a part of it."""
    content = io.BytesIO()
    np.save(content, array, allow_pickle=False)
    body = content.getbuffer()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest())
                file.write(body)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _version() -> str:
    """Return the installed version of Dicecup, `0` where it is not installed."""
    try:
        return version("dicecup")
    except PackageNotFoundError:
        return "0"
