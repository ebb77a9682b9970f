"""Migration of a database to the schema of this version of Dicecup."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from dicecup.hosting.store.engines import Engines
from dicecup.hosting.store.store_errors import StoreCode, StoreError

SCRIPTS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 0x64696365
"""Key of PostgreSQL's advisory lock: any number that is the same in every worker."""


async def migrate(engines: Engines) -> None:
    """Migrate the database in one transaction, under a lock for workers that start at the same
    time.

    Raises `StoreError` (`storage-newer`) and the driver's own exceptions.
    """
    try:
        await engines.write(_upgrade)
    except CommandError as error:  # Alembic does not know the revision of the database
        raise StoreError(StoreCode.NEWER, why=str(error)) from None


def _upgrade(connection: Connection) -> None:
    """Run Alembic's migrations on a connection.

    On PostgreSQL an advisory lock lets one worker migrate at a time.
    """
    if connection.dialect.name == "postgresql":  # SQLite's transaction locks the file
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
