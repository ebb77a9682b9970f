"""Migration of a database to the schema of this version of Dicecup."""

import logging
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from dicecup.hosting.store.driver_errors import translate
from dicecup.hosting.store.engines import Engines
from dicecup.hosting.store.sqlite_files import copy, sync_folder
from dicecup.hosting.store.store_errors import StoreCode, StoreError

LOG: Final = logging.getLogger(__name__)

SCRIPTS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 0x64696365
"""Key of PostgreSQL's advisory lock: any number that is the same in every worker."""


async def migrate(engines: Engines) -> None:
    """Migrate the database in one transaction, under a lock for workers that start at the same
    time. A failed migration changes nothing.

    Before an SQLite file is changed it is copied; see `snapshot_of`. Raises `StoreError`
    (`storage-newer`, `migration-failed`) and the driver's own exceptions.
    """
    try:
        await engines.write(_upgrade)
    except CommandError as error:  # Alembic does not know the revision of the database
        raise StoreError(StoreCode.NEWER, why=str(error)) from None


def snapshot_of(file: Path, revision: str) -> Path:
    """Return the name of the copy that is made before an SQLite file is migrated to a revision."""
    return file.with_name(f"{file.name}.before-{revision}")


def _upgrade(connection: Connection) -> None:
    """Run Alembic's migrations on a connection.

    On PostgreSQL an advisory lock lets one worker migrate at a time.
    """
    if connection.dialect.name == "postgresql":  # SQLite's transaction locks the file
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = alembic(connection)
    scripts = ScriptDirectory.from_config(config)
    before, after = MigrationContext.configure(connection).get_current_revision(), str(scripts.get_current_head())
    if before is None or before == after:
        command.upgrade(config, "head")
        return
    scripts.get_revision(before)
    snapshot = _snapshot(connection, after)
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise
    except Exception as error:
        if translate(error) is not error:  # the driver's own
            raise
        raise StoreError(StoreCode.MIGRATION_FAILED, revision=after, why=repr(error)) from error
    LOG.warning("database migrated from revision %s to %s; before that: %s", before, after, snapshot)


def _snapshot(connection: Connection, revision: str) -> Path | str:
    """Copy an SQLite file, and return where the state before the migration can be found."""
    file = connection.engine.url.database
    if connection.dialect.name != "sqlite" or file is None:
        return "your last pg_dump"
    snapshot = snapshot_of(Path(file), revision)
    scratch = snapshot.with_name(f"{snapshot.name}.part")
    scratch.unlink(missing_ok=True)
    copy(Path(file), scratch)  # the transaction has changed nothing yet, and others cannot write
    scratch.replace(snapshot)
    sync_folder(snapshot.parent)
    return snapshot


def alembic(connection: Connection) -> Config:
    """Return the configuration of Alembic for a connection."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
