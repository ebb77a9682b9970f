"""What a database says when it cannot, as typed errors."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from dicecup.service.store.errors import StoreCode, StoreError
from dicecup.service.store.rows import Raced

_SQLITE_FULL: Final = 13
_DISK_FULL: Final = "53100"
_REFUSED: Final = ("23", "40")
"""What PostgreSQL's codes begin with where a key is already there, and for a deadlock, undone, after which it may be tried again."""
_OURS: Final = tuple(
    getattr(driver, kind) for driver in (exc, sqlite3) for kind in ("ProgrammingError", "DataError", "NotSupportedError")
)
"""Kinds of error that no database causes by itself."""


@contextmanager
def translated() -> Iterator[None]:
    """Raises `Raced`, or `StoreError` (`storage-full`, `storage-down`), for what a driver raises inside."""
    try:
        yield
    except (exc.DBAPIError, sqlite3.Error) as error:
        if isinstance(error, _OURS):
            raise
        raise _translation(getattr(error, "orig", error)) from error
    except (OSError, TimeoutError, exc.TimeoutError) as error:
        full = getattr(error, "errno", None) == errno.ENOSPC
        raise StoreError(StoreCode.FULL if full else StoreCode.DOWN) from error


def _translation(error: object) -> Exception:
    """Of what the driver itself raised."""
    state = str(getattr(error, "sqlstate", None) or "")
    if isinstance(error, sqlite3.IntegrityError) or state.startswith(_REFUSED):
        return Raced()
    if (
        state == _DISK_FULL or getattr(error, "sqlite_errorcode", 0) & 0xFF == _SQLITE_FULL
    ):  # the first byte says what kind it is
        return StoreError(StoreCode.FULL)
    return StoreError(StoreCode.DOWN)
