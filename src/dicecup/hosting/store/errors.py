"""What the store refuses."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class StoreCode(StrEnum):
    """Why something is not kept or not found."""

    NOT_A_DATABASE = "not-a-database"
    """Neither SQLite in a file nor PostgreSQL."""
    NEWER = "storage-newer"
    """A later version of Dicecup has migrated it."""
    FULL = "storage-full"
    """No room is left; nothing was changed."""
    DOWN = "storage-down"
    """The database does not answer. Whether what was sent last was kept is found out when it does."""
    NOT_SQLITE = "not-sqlite"
    """PostgreSQL has programs of its own for that."""
    BUSY = "busy"
    """Too much waits to be written already."""


class StoreError(DicecupError):
    """A database that cannot be used, for now or at all (`details`: `text`, its URL without the password; `why`; `file`)."""
