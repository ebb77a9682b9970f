"""Databases of released versions with games in play, as SQL texts in `data/VERSION`.

`python -m tests.hosting.released` writes those of this version, for a release. `rows.sql` holds the
rows for both databases.
"""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg

from dicecup import __version__
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Resign, Sit
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import against, alone, play, settings, two
from tests.postgres import running

DATA = Path(__file__).parent / "data"
VERSIONS = sorted(folder.name for folder in DATA.iterdir())
SCHEMAS = {"sqlite": "sqlite.sql", "postgresql": "postgresql.sql"}


async def restore(version: str, database: str) -> None:
    """Fill an empty database with the tables and the rows of a released version."""
    kind = database.partition(":")[0]
    script = "\n".join((DATA / version / name).read_text("utf-8") for name in (SCHEMAS[kind], "rows.sql"))
    if kind == "sqlite":
        with closing(sqlite3.connect(database_url(database).database or "")) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(script)
        return
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(script)
    finally:
        await connection.close()


async def fill(database: str) -> None:
    """Make tables in every state: open, with seeds due, running, in a match, over."""
    host = await TableHost.open(settings(database))
    await host.create("anna", two(), name="Anna")
    seeds = await host.create("anna", two("yamm"), name="Anna")
    await host.send(seeds.table, "ben", Sit("Ben"), version=2, command_id="sit", key=seeds.join)
    for setup in (two("yam-master", clock=Clock(ClockKind.TURN, 86_400)), two("yamm"), two("yam-master", games=3)):
        made = await host.create("anna", setup, name="Änna")
        await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
        await play(host, made.table, ["anna", "ben"], 17)
    for setup in (alone(), against("random", "yamm")):
        made = await host.create("anna", setup, name="Anna")
        await play(host, made.table, ["anna"], 12)
    over = await host.create("ben", two(), seats=[(0, "Ben"), (1, "Zoë")])
    await play(host, over.table, ["ben"], 8)
    await host.send(over.table, "ben", Resign(), version=(await host.look(over.table, "ben")).number, command_id="resign")
    await host.close()


def write(folder: Path) -> None:
    """Write the SQL texts of this version."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "tables.sqlite"
        asyncio.run(fill(f"sqlite:///{file}"))
        with closing(sqlite3.connect(file)) as database:
            lines = list(database.iterdump())
    rows = [line for line in lines if line.startswith("INSERT INTO") and "sqlite_" not in line[:30]]
    (folder / "rows.sql").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / SCHEMAS["sqlite"]).write_text("\n".join(line for line in lines if line.startswith("CREATE")) + "\n", "utf-8")
    with running() as server:
        database_name = server.new_database()
        asyncio.run(migrated(database_name))
        dumped = server.dump(database_name)
    kept = [line for line in dumped.splitlines() if line and not re.match(r"--|SET |SELECT |\\", line)]
    (folder / SCHEMAS["postgresql"]).write_text("\n".join(kept) + "\n", "utf-8")


async def migrated(database: str) -> None:
    await (await Store.open(database_url(database))).close()


if __name__ == "__main__":
    write(DATA / __version__)
