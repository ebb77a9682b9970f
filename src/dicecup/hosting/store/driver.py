"""PostgreSQL's driver asyncpg, which the extra `hosting` installs, and its exceptions.

Without the package there is no exception to catch.
"""

from typing import Final

from sqlalchemy.exc import SQLAlchemyError

try:
    import asyncpg
except ModuleNotFoundError:
    asyncpg = None

_REFUSED: Final[tuple[type[Exception], ...]] = (asyncpg.InterfaceError,) if asyncpg else ()
_FAILED: Final[tuple[type[Exception], ...]] = (asyncpg.PostgresError,) if asyncpg else ()
BROKEN: Final[tuple[type[Exception], ...]] = (asyncpg.InterfaceError, asyncpg.InternalClientError) if asyncpg else ()
"""What the driver raises where it cannot use a connection, which may just have been lost."""
EXCEPTIONS: Final = (*BROKEN, *_FAILED)
"""What the driver itself raises."""
REFUSALS: Final[tuple[type[Exception], ...]] = (TypeError, ValueError, *_REFUSED)
"""What a driver raises for a parameter of its URL."""
ERRORS: Final[tuple[type[Exception], ...]] = (OSError, TimeoutError, SQLAlchemyError, *EXCEPTIONS)
"""What a connection of PostgreSQL raises, with SQLAlchemy or without."""


def is_installed() -> bool:
    """Return whether Dicecup can use PostgreSQL."""
    return asyncpg is not None
