"""Backups of an SQLite database: a copy made while servers write, and the check of a copy.

PostgreSQL has programs of its own for both (docs/hosting.md).
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from typing import Final

from sqlalchemy.engine import URL

from dicecup.core.errors import DicecupError
from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.store import EventRow
from dicecup.hosting.store.sqlite_files import copy, sync_folder
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.table.state import TableState

_EVENTS: Final = "SELECT table_id, number, time, body FROM events ORDER BY table_id, number"


class BackupCode(StrEnum):
    """Why a backup cannot be made or used."""

    FILE_EXISTS = "file-exists"
    CANNOT_SAVE = "cannot-save"
    CANNOT_READ = "cannot-read"
    DAMAGED = "backup-damaged"


class BackupError(DicecupError):
    """A backup that cannot be made or used (`details`: `file`, and `why`)."""


def back_up(database: URL, file: Path) -> int:
    """Copy an SQLite database to a new file with mode 0600, check the copy and return its number of
    tables.

    Servers may write meanwhile. The file appears when it is complete and checked. Raises
    `StoreError` (`not-sqlite`) and `BackupError`.
    """
    if database.get_backend_name() != "sqlite" or not database.database:
        raise StoreError(StoreCode.NOT_SQLITE, file=file)
    if file.exists():
        raise BackupError(BackupCode.FILE_EXISTS, file=file)
    scratch = file.with_name(f".{file.name}.{token_hex(8)}")
    try:
        copy(Path(database.database), scratch)
        tables = check(scratch, file)
        scratch.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        raise BackupError(BackupCode.CANNOT_SAVE, file=file, why=error.strerror) from None
    except sqlite3.Error as error:
        raise BackupError(BackupCode.CANNOT_SAVE, file=file, why=str(error)) from None
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
    return tables


def check(file: Path, name: Path | None = None) -> int:
    """Return the number of tables in a copy that no program uses.

    Every page is read, and the events of every table are folded. Errors call the file `name`.
    Raises `BackupError` (`backup-damaged`).
    """
    try:
        # An immutable file is read without a lock or a file for shared memory beside it.
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True)) as database:
            why = str(database.execute("PRAGMA integrity_check(1)").fetchone()[0])
            tables = groupby(_rows(database), attrgetter("table")) if why == "ok" else ()
            faults = [_fault(table, rows) for table, rows in tables]
    except sqlite3.Error as error:
        faults, why = [], str(error)
    why = next(filter(None, faults), why)
    if why != "ok":
        raise BackupError(BackupCode.DAMAGED, file=name or file, why=why)
    return len(faults)


def _fault(table: str, rows: Iterable[EventRow]) -> str | None:
    """Return what is wrong with the events of a table, `None` if they make a state."""
    try:
        TableState.from_events(map(event_of_row, rows))
    except sqlite3.Error:
        raise
    except Exception as error:  # noqa: BLE001 damaged events can raise anything
        return f"{table}: {error!r}"
    return None


def _rows(database: sqlite3.Connection) -> Iterator[EventRow]:
    return (EventRow(*row) for row in database.execute(_EVENTS))
