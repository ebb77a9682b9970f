"""Translation of the exceptions of database drivers to typed errors."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from dicecup.hosting.store.rows import AppendConflict
from dicecup.hosting.store.store_errors import StoreCode, StoreError

_SQLITE_FULL: Final = 13
_DISK_FULL: Final = "53100"
_CONFLICTS: Final = ("23", "40")
"""First two characters of PostgreSQL's codes for a violated constraint and for a deadlock that was
rolled back."""
_PROGRAMMING_ERRORS: Final = tuple(
    getattr(driver, kind) for driver in (exc, sqlite3) for kind in ("ProgrammingError", "DataError", "NotSupportedError")
)
"""Exceptions that a mistake in our code raises. They are not translated."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise `AppendConflict` or `StoreError` (`storage-full`, `storage-down`) for a driver's
    exception in the block."""
    try:
        yield
    except Exception as error:
        translation = translate(error)
        if translation is error:
            raise
        raise translation from error


def translate(error: BaseException) -> BaseException:
    """Translate a driver's exception to `AppendConflict` or `StoreError`. Other exceptions are
    returned unchanged."""
    translation: Exception
    if isinstance(error, exc.DBAPIError | sqlite3.Error) and not isinstance(error, _PROGRAMMING_ERRORS):
        translation = _translate_driver_error(getattr(error, "orig", error))
    elif isinstance(error, OSError | TimeoutError | exc.TimeoutError):
        translation = StoreError(StoreCode.FULL if getattr(error, "errno", None) == errno.ENOSPC else StoreCode.DOWN)
    else:
        return error
    translation.__cause__ = error
    return translation


def _translate_driver_error(error: object) -> Exception:
    """Return `AppendConflict` for a violated constraint or a deadlock, else `StoreError`
    (`storage-full`, `storage-down`)."""
    state = str(getattr(error, "sqlstate", None) or "")
    if isinstance(error, sqlite3.IntegrityError) or state.startswith(_CONFLICTS):
        return AppendConflict()
    # The lowest byte of an SQLite error code is its primary code.
    if state == _DISK_FULL or getattr(error, "sqlite_errorcode", 0) & 0xFF == _SQLITE_FULL:
        return StoreError(StoreCode.FULL)
    return StoreError(StoreCode.DOWN)
