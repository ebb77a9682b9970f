"""Restoring an SQLite database from a backup."""

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from dicecup.hosting.backup import BackupCode, BackupError, check
from dicecup.hosting.key_of_database import with_checked_key
from dicecup.hosting.outages import last_served
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import AuditEntry, save_entry
from dicecup.hosting.store.engines import sqlite_url
from dicecup.hosting.store.sqlite_files import COMPANIONS, copy, sync_folder
from dicecup.hosting.timeline import begin_timeline


class Restored(NamedTuple):
    """`tables` in the backup, how many of them began a new commitment (`renewed`), and where the
    earlier file was kept, `None` if there was none."""

    tables: int
    renewed: int
    kept: Path | None


async def restore(settings: Settings, backup: Path, entry: AuditEntry) -> Restored:
    """Put a copy of a backup in the place of the SQLite database of the settings.

    The caller makes sure that no server runs. The copy is checked, migrated and begins a new
    timeline before it replaces the file. Raises `BackupError` (`cannot-read`, `backup-damaged`,
    `cannot-save`), `HostKeyError` for a backup of another host key, and `StoreError`.
    """
    file = Path(settings.database.database or "")
    scratch = file.with_name(f".{file.name}.{token_hex(8)}")
    try:
        tables = _copy_checked(backup, scratch)
        store = await Store.open(sqlite_url(scratch))
        try:
            checked = await with_checked_key(store, replace(settings, database=sqlite_url(scratch)))
            renewed = await begin_timeline(store, checked.host_key, await last_served(store, entry.time))
            await save_entry(store, entry)
        finally:
            await store.close()
        try:
            kept = _exchange(file, scratch, entry.time)
        except OSError as error:
            raise BackupError(BackupCode.CANNOT_SAVE, file=file, why=error.strerror) from None
    finally:
        for left in file.parent.glob(f"{scratch.name}*"):
            left.unlink(missing_ok=True)
    return Restored(tables, renewed, kept)


def _copy_checked(backup: Path, scratch: Path) -> int:
    """Copy a backup and return the number of tables in the checked copy. Raises `BackupError`."""
    try:
        backup.open("rb").close()
    except OSError as error:
        raise BackupError(BackupCode.CANNOT_READ, file=backup, why=error.strerror) from None
    try:
        copy(backup, scratch)
    except OSError as error:
        raise BackupError(BackupCode.CANNOT_SAVE, file=scratch, why=error.strerror) from None
    except sqlite3.Error as error:
        raise BackupError(BackupCode.DAMAGED, file=backup, why=str(error)) from None
    return check(scratch, backup)


def _exchange(file: Path, new: Path, now: float) -> Path | None:
    """Move the files of a database aside and the new file in its place. Return the kept file."""
    kept = file.with_name(f"{file.name}.replaced-{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}")
    existed = file.exists()
    for end in (*COMPANIONS, ""):  # the companions first, so that no other database gets them
        old = file.with_name(f"{file.name}{end}")
        if old.exists():
            old.rename(kept.with_name(f"{kept.name}{end}"))
    new.replace(file)
    sync_folder(file.parent)
    return kept if existed else None
