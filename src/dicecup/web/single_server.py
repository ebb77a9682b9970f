"""A lock that lets only one server use an SQLite file: two servers would not know of each other's
connections.

The system releases the lock when the process ends. The lock file is never deleted: otherwise two
processes could lock two files of the same name.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from dicecup.web.refusals import WebCode, WebError


@contextmanager
def locked(database: URL) -> Iterator[None]:
    """Lock an SQLite file until the end of the block. PostgreSQL needs no lock. Raises `WebError`
    (`data-in-use`)."""
    handle = _lock(Path(database.database).resolve()) if database.get_backend_name() == "sqlite" and database.database else None
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _lock(database: Path) -> int | None:
    """Return the handle of the locked file, `None` if the system cannot lock it or the file cannot
    be created.

    In the latter case opening the database raises an error with the reason.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        handle = os.open(f"{database}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise WebError(WebCode.DATA_IN_USE, folder=database.parent) from None
    except OSError:
        os.close(handle)
        return None
    return handle
