"""Databases that went back to an earlier time: a server notices it at its start."""

import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from dicecup.hosting.outages import LastServed
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import FILE, Timeline, begin_first_timeline, begin_timeline
from dicecup.table.setup import DiceOf
from tests.hosting.guests import KEY, alone, go_on, play, settings, two
from tests.hosting.test_restored import thrown, types


@asynccontextmanager
async def opened(database: str, folder: Path) -> AsyncIterator[TableHost]:
    host = await TableHost.open(settings(database, folder=folder))
    try:
        yield host
    finally:
        await host.close()


async def rows_of(database: str) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a database, as a backup has them."""
    store = await Store.open(database_url(database))
    try:
        async with store.engines.readers.connect() as connection:
            return {
                name: [tuple(row) for row in await connection.exec_driver_sql(f"SELECT * FROM {name}")]  # noqa: S608
                for name in ("events", "tables", "seats", "facts", "presence", "outages")
            }
    finally:
        await store.close()


async def put_back(database: str, rows: dict[str, list[tuple[object, ...]]]) -> None:
    """Replace all rows of a database."""
    from dicecup.hosting.store.models import METADATA

    store = await Store.open(database_url(database))

    def work(connection: object) -> None:
        for name, held in rows.items():
            table = METADATA.tables[name]
            connection.execute(table.delete())  # type: ignore[attr-defined]
            if held:
                values = [dict(zip(table.columns.keys(), row, strict=True)) for row in held]
                connection.execute(table.insert(), values)  # type: ignore[attr-defined]

    await store.writer.work(work)
    await store.close()


async def test_a_server_notices_at_its_start_that_a_backup_was_restored(
    database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(database, tmp_path) as host:
        made = (await host.create("anna", alone(), name="Anna")).table
        over = (await host.create("anna", alone(), name="Anna")).table
        real = (await host.create("anna", two(dice=DiceOf.TABLE), name="Anna")).table
        await play(host, made, ["anna"], 6)
        from dicecup.hosting.administration import close_table
        from dicecup.hosting.store.audit import AuditEntry

        await close_table(host.store, KEY, over, AuditEntry(1e9, "close", over, "root"))
    backup = await rows_of(database)
    async with opened(database, tmp_path) as host:
        number = (await host.look(made, "anna")).number
        await play(host, made, ["anna"], 12)
        lost = await thrown(host, made, number)
        last = {table: (await host.look(table, "anna")).number for table in (over, real)}
        assert "commitment-ended" not in await types(host, made, 0)
    await put_back(database, backup)
    with caplog.at_level(logging.WARNING):
        async with opened(database, tmp_path) as host:
            assert (await types(host, made, number))[:2] == ["commitment-ended", "commitment-begun"]
            await play(host, made, ["anna"], 12)
            assert (await thrown(host, made, number))[:3] != lost[:3]
            assert {table: (await host.look(table, "anna")).number for table in (over, real)} == last
    assert "1 tables begin a new commitment" in caplog.text
    number = len((await rows_of(database))["events"])
    async with opened(database, tmp_path):
        pass
    assert len((await rows_of(database))["events"]) == number
    await put_back(database, backup)
    async with opened(database, tmp_path) as host:
        assert "commitment-begun" in await types(host, made, 0)


async def test_a_restored_timeline_raises_no_alarm_on_other_workers(database: str, tmp_path: Path) -> None:
    folders = (tmp_path / "one", tmp_path / "two")
    for folder in folders:
        async with opened(database, folder) as host:
            made = (await host.create("anna", alone(), name="Anna")).table
            await go_on(host, made, "anna")
    store = await Store.open(database_url(database))
    assert await begin_timeline(store, KEY, LastServed(2e9, ())) == 2
    for folder in folders:
        assert not await Timeline(store, folder).went_back()
    await store.close()


async def test_asking_for_the_mark_writes_nothing(tmp_path: Path) -> None:
    """Another program has locked the file for its writes."""
    file = tmp_path / "tables.sqlite"
    store = await Store.open(database_url(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        timeline = Timeline(store, tmp_path)
        for begun in (False, True):
            if begun:
                await begin_first_timeline(store)
            other.execute("BEGIN IMMEDIATE")
            assert ((await timeline.read()) is not None) is begun
            assert not await timeline.went_back()
            other.execute("ROLLBACK")
    await begin_first_timeline(store)
    assert await Timeline(store, None).read() == timeline.newest
    await store.close()


async def test_a_file_that_no_server_wrote_is_no_mark(tmp_path: Path) -> None:
    store = await Store.open(database_url(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    for text in ("", "[]", '{"x": "y"}', "{", "\x00"):
        (tmp_path / FILE).write_text(text, "utf-8")
        assert not await Timeline(store, tmp_path).went_back()
    await store.close()


async def test_a_folder_that_cannot_be_written_does_not_stop_a_server(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    async with opened(f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path / "file" / "folder") as host:
        await play(host, (await host.create("anna", alone(), name="Anna")).table, ["anna"], 3)
    assert "cannot be written" in caplog.text


async def test_a_mark_is_made_once_after_events(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path) as host:
        made = (await host.create("anna", alone(), name="Anna")).table
        await go_on(host, made, "anna")
        await host.sweep()
        (number,) = json.loads((tmp_path / FILE).read_text("utf-8")).values()
        await host.sweep()
        assert list(json.loads((tmp_path / FILE).read_text("utf-8")).values()) == [number]
        assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
