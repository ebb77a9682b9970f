"""Solved tables on disk, in the platform's cache folder.

A file is the SHA-256 of the rest and then an array as NumPy writes it. Its name holds the rules and the version of what made
it, so nothing is ever out of date. A file that is damaged or unreadable is as good as none, and one that cannot be written is
done without.
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
    """Where the tables lie; it need not exist."""
    return Path(platformdirs.user_cache_dir("dicecup")) / "tables"


def key(rules: Iterable[Any]) -> str:
    """A short text for these rules (arrays, numbers and texts) and this version of Dicecup."""
    digest = hashlib.sha256(_version().encode())
    for rule in rules:
        part = np.asarray(rule)
        digest.update(f"{part.dtype} {part.shape} ".encode())
        digest.update(part.tobytes())
    return digest.hexdigest()[:32]


def table(name: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """The array of this name (a key, best behind a word that says what it is), from its file or else from `make`, which is then
    written."""
    path = folder() / f"{name}{SUFFIX}"
    found = _read(path)
    if found is None:
        found = make()
        _write(path, found)
    return found


def clear() -> int:
    """Removes all tables; how many there were. Raises `OSError` where one cannot be removed."""
    paths = list(folder().glob(f"*{SUFFIX}"))
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)


def _read(path: Path) -> NDArray[Any] | None:
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
    """All or nothing: a reader never sees half a file."""
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
    try:
        return version("dicecup")
    except PackageNotFoundError:
        return "0"
