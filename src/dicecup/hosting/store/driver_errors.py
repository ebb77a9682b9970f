"""Translation of the exceptions of database drivers to typed errors."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import exc

from dicecup.hosting.store import driver
from dicecup.hosting.store.rows import AppendConflict
from dicecup.hosting.store.store_errors import FAULTS, StoreCode, StoreError

_SQLITE: Final = {
    sqlite3.SQLITE_FULL: StoreCode.FULL,
    sqlite3.SQLITE_READONLY: StoreCode.UNWRITABLE,
    sqlite3.SQLITE_PERM: StoreCode.UNWRITABLE,
    sqlite3.SQLITE_AUTH: StoreCode.UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: StoreCode.UNWRITABLE,
    sqlite3.SQLITE_CORRUPT: StoreCode.DAMAGED,
    sqlite3.SQLITE_NOTADB: StoreCode.DAMAGED,
    sqlite3.SQLITE_FORMAT: StoreCode.DAMAGED,
    sqlite3.SQLITE_ERROR: StoreCode.DAMAGED,  # a table or a column is missing
    sqlite3.SQLITE_BUSY: StoreCode.LOCKED,
    sqlite3.SQLITE_LOCKED: StoreCode.LOCKED,
    sqlite3.SQLITE_PROTOCOL: StoreCode.LOCKED,
    sqlite3.SQLITE_IOERR: StoreCode.FAILING,
}
"""Our code for each primary code of SQLite, the lowest byte of its error code."""
_POSTGRESQL: Final = {
    "53100": StoreCode.FULL,
    "25006": StoreCode.UNWRITABLE,
    "42501": StoreCode.UNWRITABLE,
    "XX001": StoreCode.DAMAGED,
    "XX002": StoreCode.DAMAGED,
}
_CONFLICTS: Final = ("23", "40")
"""First two characters of PostgreSQL's codes for a violated constraint and for a deadlock that was
rolled back."""
_PROGRAMMING_ERRORS: Final = tuple(
    getattr(module, kind) for module in (exc, sqlite3) for kind in ("ProgrammingError", "DataError", "NotSupportedError")
)
"""Exceptions that a mistake in our code raises. They are not translated."""
_PROGRAMMING_STATES: Final = ("0A", "42")
"""First two characters of PostgreSQL's codes for such a mistake."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise `AppendConflict` or `StoreError` for a driver's exception in the block."""
    try:
        yield
    except Exception as error:
        translation = translate(error)
        if translation is error:
            raise
        raise translation from error


def translate(error: BaseException, name: str | Path = "") -> BaseException:
    """Translate a driver's exception to `AppendConflict` or a `StoreError` whose code is a fault.

    `name` is that of the database, for the error. Other exceptions are returned unchanged.
    """
    translation: Exception
    original = getattr(error, "orig", None) or error
    code = _code(original)
    if isinstance(error, StoreError) and error.code in FAULTS and not error.details:
        translation = StoreError(error.code, file=name, why=str(error.__cause__ or error))
    elif isinstance(error, (exc.DBAPIError, sqlite3.Error, *driver.EXCEPTIONS)) and (code or not _is_our_mistake(error)):
        conflicts = isinstance(original, sqlite3.IntegrityError) or _state(original).startswith(_CONFLICTS)
        translation = AppendConflict() if conflicts else _fault(code or StoreCode.DOWN, name, original)
    elif isinstance(error, OSError | TimeoutError | exc.TimeoutError):
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        translation = _fault(StoreCode.FULL if full else StoreCode.DOWN, name, error)
    else:
        return error
    translation.__cause__ = error
    return translation


def _fault(code: StoreCode, name: str | Path, error: object) -> StoreError:
    return StoreError(code, file=name, why=str(error) or type(error).__name__)


def _is_our_mistake(error: BaseException) -> bool:
    return isinstance(error, _PROGRAMMING_ERRORS) or _state(error).startswith(_PROGRAMMING_STATES)


def _state(error: object) -> str:
    return str(getattr(error, "sqlstate", None) or "")


def _code(error: object) -> StoreCode | None:
    """Return the code of the fault that a driver's exception names, if any."""
    if isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode"):
        return StoreCode.DAMAGED  # Python cannot decode a text
    if isinstance(error, sqlite3.DatabaseError):
        return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return _POSTGRESQL.get(_state(error))


def must_reconnect(error: BaseException) -> bool:
    """Return whether a connection cannot be used again after this exception of SQLite's driver."""
    original = getattr(error, "orig", None) or error
    return isinstance(original, sqlite3.DatabaseError) and _code(original) in (
        StoreCode.UNWRITABLE,
        StoreCode.DAMAGED,
        StoreCode.FAILING,
    )
