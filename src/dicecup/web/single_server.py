"""One server at a time for tables in a file: what a process knows of its connections, such as who is there, a second one would not.

The system itself releases the lock when the process ends, however it ends; the file stays, so that no two of its name can be locked at once.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from dicecup.web.errors import WebCode, WebError


@contextmanager
def alone(database: URL) -> Iterator[None]:
    """Until the end of the block no other server takes this database; PostgreSQL may have many. Raises `WebError` (`data-in-use`)."""
    handle = (
        _locked(Path(database.database).resolve()) if database.get_backend_name() == "sqlite" and database.database else None
    )
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _locked(database: Path) -> int | None:
    """The open file that holds the lock; None where the system or its file system locks none, or where no file can be, which opening
    the database will tell better."""
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
