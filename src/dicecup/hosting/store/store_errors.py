"""Errors of the store."""

from enum import StrEnum
from typing import Final

from dicecup.core.errors import DicecupError


class StoreCode(StrEnum):
    """Reason for which the database cannot be used."""

    NOT_A_DATABASE = "not-a-database"
    """The URL names neither an SQLite file nor a PostgreSQL database."""
    NO_DRIVER = "no-driver"
    """The package that talks to PostgreSQL is not installed."""
    NEWER = "storage-newer"
    """A later version of Dicecup has migrated the database."""
    MIGRATION_FAILED = "migration-failed"
    """A migration failed. Nothing was changed, and the earlier version of Dicecup can start."""
    UNWRITABLE = "storage-unwritable"
    """The file or the database cannot be written. Nothing was changed."""
    DAMAGED = "storage-damaged"
    """The file is damaged, or it is not a database of Dicecup."""
    LOCKED = "storage-locked"
    """Another program has locked the file. Nothing was changed."""
    FAILING = "storage-failing"
    """The system cannot read or write the file."""
    FULL = "storage-full"
    """The disk is full. Nothing was changed."""
    DOWN = "storage-down"
    """The database does not answer. The last write may have succeeded."""
    NOT_SQLITE = "not-sqlite"
    """The command works for SQLite only. PostgreSQL has its own programs for the same purpose."""
    BUSY = "busy"
    """Too many writes are waiting."""


class StoreError(DicecupError):
    """A database that cannot be used, now or at all.

    `details`: `text` (the URL without its password), `why` or `file`.
    """


FAULTS: Final = frozenset(
    {StoreCode.UNWRITABLE, StoreCode.DAMAGED, StoreCode.LOCKED, StoreCode.FAILING, StoreCode.FULL, StoreCode.DOWN}
)
"""The codes of faults of the storage itself, which the host or the system has to end. Their `file`
and `why` are for the host only."""
