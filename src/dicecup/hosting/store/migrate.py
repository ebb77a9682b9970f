"""Brings a database to the form that this version of Dicecup knows."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from dicecup.hosting.store.engines import Engines
from dicecup.hosting.store.errors import StoreCode, StoreError

SCRIPTS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 0x64696365
"""Any number, the same in every worker: PostgreSQL's locks have no names."""


async def migrate(engines: Engines) -> None:
    """In one transaction, under a lock: of several workers that start at once one migrates and the others find it done. Raises
    `StoreError` (`storage-newer`), and what the driver raises."""
    try:
        await engines.write(_upgrade)
    except CommandError as error:  # its revision is none of ours
        raise StoreError(StoreCode.NEWER, why=str(error)) from None


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # in SQLite the transaction itself is the lock
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
