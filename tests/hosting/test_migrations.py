"""Databases of released versions with games in play: migrated forwards, also while they are used,
with a copy made before, and unchanged by a migration that fails."""

import asyncio
import hmac
import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import text

from dicecup.hosting.backup import check
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.people.accounts import account_of, check_free, handles_of
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.store import Append, EventRow, Store, migrate
from dicecup.hosting.store.devices import EARLIER
from dicecup.hosting.store.engines import database_url, open_engines
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.record import read
from dicecup.table.commands import Resign
from dicecup.table.state import TableState
from dicecup.table.verify import check as verify
from dicecup.web.identity import Signer
from tests.hosting.guests import KEY, play, settings
from tests.hosting.released import VERSIONS, restore
from tests.web.people.accounts import account, authenticator, register
from tests.web.serving import Browser, serving

FAILING = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999", HEAD, None, None


def upgrade():
    op.create_table("half", sa.Column("name", sa.String))
    op.execute("DELETE FROM events")
    raise ValueError("half done")
"""


@pytest.fixture(params=VERSIONS)
async def released(request: pytest.FixtureRequest, database: str) -> str:
    """Return the URL of a database that a released version made."""
    await restore(request.param, database)
    return database


async def events_of(store: Store) -> dict[str, list[EventRow]]:
    return {table: await store.events(table) async for table in store.all_tables()}


def old(database: str) -> Store:
    """Return a store that leaves the database as it is."""
    return Store(open_engines(database_url(database)))


async def test_games_of_a_released_version_go_on(released: str) -> None:
    store = old(released)
    before = await events_of(store)
    await store.close()
    assert len(before) >= 8
    now = max(row.time for rows in before.values() for row in rows) + 60
    host = await TableHost.open(settings(released), ServerClock(lambda: now, lambda: 0.0))
    try:
        for table, rows in before.items():
            earlier = TableState.from_events(map(event_of_row, rows))
            if not earlier.is_full or earlier.end is not None or any(seat.level for seat in earlier.seats):
                continue
            people = sorted({seat.identity for seat in earlier.seats if seat.identity is not None})
            await play(host, table, people, 8)
            number = (await host.look(table, "anna")).number
            assert number > len(rows)
            await host.send(table, "anna", Resign(), version=number, command_id="resign")
            assert verify(read(await host.record(table, "anna"))).fault is None
        after = await events_of(host.store)
        assert {table: after[table][: len(rows)] for table, rows in before.items()} == before
        assert {digest.table for digest in await host.store.tables()} == set(after)
        assert len(await host.tables_of("anna")) == len(after) - 1
    finally:
        await host.close()


async def test_a_player_of_a_released_version_gets_an_account_and_goes_on(released: str) -> None:
    """The player has a cookie of 0.1.0, which names no device, and tables in play."""
    store = old(released)
    before = await events_of(store)
    await store.close()
    signer = Signer(KEY, secure=False)
    value = f"anna.{hmac.digest(derived_key(KEY, 'cookies'), b'anna', 'sha256').hex()}"
    assert signer.read(f"{signer.name}={value}") == ("anna", EARLIER)
    async with serving(released) as url, Browser(url.replace("127.0.0.1", "localhost")) as anna:
        anna.http.cookies.set(signer.name, value)
        listed = (await anna.http.get("/api/tables")).json()["tables"]
        assert len(listed) == len(before) - 1
        assert (await register(anna, authenticator(anna), "Änna")).status_code == 201
        own = await account(anna)
        assert own is not None
        assert own["handle"] == "Änna"
    host = await TableHost.open(settings(released))
    try:
        made = await account_of(host.store, "anna")
        assert made is not None
        assert (made.handle, made.identity) == ("Änna", "anna")
        assert {digest.table for digest in await host.tables_of("anna")} == {table["table"] for table in listed}
        after = await events_of(host.store)
        assert {table: after[table][: len(rows)] for table, rows in before.items()} == before
        running = next(digest.table for digest in await host.tables_of("anna") if digest.state == "running")
        number = (await host.look(running, "anna")).number
        assert await host.send(running, "anna", Resign(), version=number, command_id="resign") > number
    finally:
        await host.close()


async def test_no_command_is_lost_while_a_database_is_migrated(released: str) -> None:
    worker = old(released)
    rows = next(rows for rows in (await events_of(worker)).values() if len(rows) > 12)
    saved: dict[str, list[EventRow]] = {}

    started = asyncio.Event()

    async def append(copy: int) -> None:
        """Append the events of a table one by one as another table, as an old worker does."""
        table = f"copy-{copy}"
        earlier = saved.setdefault(table, [])
        for row in [row._replace(table=table) for row in rows]:
            await worker.append(Append((row,)))
            earlier.append(row)
            if len(earlier) == 4 + copy:
                started.set()

    playing = [asyncio.create_task(append(copy)) for copy in range(4)]
    await started.wait()
    await (await Store.open(database_url(released))).close()
    await asyncio.gather(*playing)
    await worker.close()
    store = await Store.open(database_url(released))
    found = await events_of(store)
    await store.close()
    assert {table: found[table] for table in saved} == saved


async def test_accounts_that_look_alike_already_stay(database: str) -> None:
    store = await Store.open(database_url(database))
    await store.engines.write(lambda connection: command.downgrade(migrate.alembic(connection), "0022"))
    insert = text("INSERT INTO accounts VALUES (:identity, :handle, :identity, :handle, :created, false)")
    older = [
        {"identity": f"i{created}", "handle": handle, "created": created}
        for created, handle in enumerate(("Martin", "m\u0430rtin"))
    ]
    await store.engines.write(lambda connection: connection.execute(insert, older))
    await store.close()
    store = await Store.open(database_url(database))
    try:
        assert await handles_of(store, ["i0", "i1"]) == {"i0": "Martin", "i1": "m\u0430rtin"}
        with pytest.raises(HostingError) as refused:
            await check_free(store, "mart\u0456n")
        assert refused.value.code is HostingCode.HANDLE_TAKEN
    finally:
        await store.close()


def copies(folder: Path) -> list[Path]:
    return list(folder.glob("*before*"))


async def test_a_copy_is_made_before_a_file_is_migrated(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "tables.sqlite"
    url = f"sqlite:///{file}"
    await restore("0.1.0", url)
    with caplog.at_level(logging.WARNING):
        await (await Store.open(database_url(url))).close()
    (copy,) = copies(tmp_path)
    assert str(copy) in caplog.text
    assert copy.stat().st_mode & 0o777 == 0o600
    assert check(copy) >= 8
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [("0002",)]
    copy.unlink()
    await (await Store.open(database_url(url))).close()
    assert not copies(tmp_path)


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a migration that fails when it has changed something."""
    scripts = tmp_path / "migrations"
    shutil.copytree(migrate.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    head = max(path.name[:4] for path in (scripts / "versions").glob("*.py"))
    (scripts / "versions" / "9999_half.py").write_text(FAILING.replace("HEAD", repr(head)), "utf-8")
    monkeypatch.setattr(migrate, "SCRIPTS", scripts)


@pytest.mark.usefixtures("failing")
async def test_a_migration_that_fails_changes_nothing(released: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = old(released)
    before = await events_of(store)
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url(released))
    assert refused.value.code is StoreCode.MIGRATION_FAILED
    assert "half done" in str(refused.value.details["why"])
    assert await events_of(store) == before
    async with store.engines.readers.connect() as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one() == "0002"
    await store.close()
    monkeypatch.undo()
    migrated = await Store.open(database_url(released))
    assert await events_of(migrated) == before
    await migrated.close()


async def test_no_copy_is_made_of_a_later_version(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    await restore("0.1.0", url)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url(url))
    assert refused.value.code is StoreCode.NEWER
    assert not copies(tmp_path)
