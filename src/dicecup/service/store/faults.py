"""What a database says when it cannot, as typed errors."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from dicecup.service.store.errors import StoreCode, StoreError
from dicecup.service.store.rows import Raced

_SQLITE_FULL: Final = 13
_DISK_FULL: Final = "53100"
_OURS: Final = (exc.ProgrammingError, exc.DataError, exc.NotSupportedError)
"""Kinds of error that no database causes by itself."""


@contextmanager
def translated() -> Iterator[None]:
    """Raises `Raced`, or `StoreError` (`storage-full`, `storage-down`), for what a driver raises inside."""
    try:
        yield
    except exc.DBAPIError as error:
        if isinstance(error, _OURS):
            raise
        raise _translation(error) from error
    except (OSError, TimeoutError, exc.TimeoutError) as error:
        full = getattr(error, "errno", None) == errno.ENOSPC
        raise StoreError(StoreCode.FULL if full else StoreCode.DOWN) from error


def _translation(error: exc.DBAPIError) -> Exception:
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if isinstance(error, exc.IntegrityError) or state.startswith("40"):  # 40: a deadlock, undone; it may be tried again
        return Raced()
    if state == _DISK_FULL or _sqlite_code(error) == _SQLITE_FULL:
        return StoreError(StoreCode.FULL)
    return StoreError(StoreCode.DOWN)


def _sqlite_code(error: exc.DBAPIError) -> int | None:
    """The first byte says what kind it is."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
