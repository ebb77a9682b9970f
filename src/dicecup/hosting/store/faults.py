"""What a database says when it cannot, as typed errors."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.hosting.store.rows import Raced

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
    except Exception as error:
        told = translation(error)
        if told is error:
            raise
        raise told from error


def translation(error: BaseException) -> BaseException:
    """The same of an error; what no driver raises is itself."""
    told: Exception
    if isinstance(error, exc.DBAPIError | sqlite3.Error) and not isinstance(error, _OURS):
        told = _driver(getattr(error, "orig", error))
    elif isinstance(error, OSError | TimeoutError | exc.TimeoutError):
        told = StoreError(StoreCode.FULL if getattr(error, "errno", None) == errno.ENOSPC else StoreCode.DOWN)
    else:
        return error
    told.__cause__ = error
    return told


def _driver(error: object) -> Exception:
    """Of what the driver itself raised."""
    state = str(getattr(error, "sqlstate", None) or "")
    if isinstance(error, sqlite3.IntegrityError) or state.startswith(_REFUSED):
        return Raced()
    if (
        state == _DISK_FULL or getattr(error, "sqlite_errorcode", 0) & 0xFF == _SQLITE_FULL
    ):  # the first byte says what kind it is
        return StoreError(StoreCode.FULL)
    return StoreError(StoreCode.DOWN)
