"""Errors of the store."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class StoreCode(StrEnum):
    """Reason for which the database cannot be used."""

    NOT_A_DATABASE = "not-a-database"
    """The URL names neither an SQLite file nor a PostgreSQL database."""
    NEWER = "storage-newer"
    """A later version of Dicecup has migrated the database."""
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
