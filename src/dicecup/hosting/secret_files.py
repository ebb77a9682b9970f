"""Files that hold a secret and that only their owner can read."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

LONGEST: Final = 1024
"""Bytes of a file that are read."""


class ExposedError(Exception):
    """Other users can read or write the file. `mode` is its mode in octal digits."""

    def __init__(self, mode: str) -> None:
        super().__init__(mode)
        self.mode = mode


def create(path: Path, text: str) -> None:
    """Create a file completely or not at all, and never over another.

    Of two processes that start at the same time, one creates the file and both read it. Raises
    `OSError`.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(scratch, path)
    finally:
        scratch.unlink()


def read(path: Path) -> str:
    """Return the text in a file without spaces around it, after checking its mode.

    The open file is checked, so that it cannot be exchanged meanwhile. Raises `ExposedError` and
    `OSError`.
    """
    handle = os.open(path, os.O_RDONLY)
    with os.fdopen(handle, "rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise ExposedError(f"{mode:04o}")
        return file.read(LONGEST).decode("utf-8", "replace").strip()
