"""The sources that compiled code belongs to, known by size and time as Numba knows them."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).parent


def stamp(paths: Iterable[Path], top: Path) -> str:
    """Return a hash of the names, sizes and times of these files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        state = path.stat()
        digest.update(f"{path.relative_to(top).as_posix()} {state.st_size} {state.st_mtime_ns} ".encode())
    return digest.hexdigest()


@cache
def engine_stamp() -> str:
    """Return the stamp of all modules of the engine, as they are when this process first asks."""
    return stamp(ENGINE.rglob("*.py"), ENGINE)
