"""A database that goes back to an earlier time under running workers: no event is saved behind a
gap, and no dice that were seen fall again."""

import asyncio
import logging
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import delete

from dicecup.hosting import table_changes
from dicecup.hosting.digest import digest_key
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store.models import FACTS
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import FACT, begin_timeline
from dicecup.record import read
from dicecup.table.commands import Resign
from dicecup.table.state import TableState
from dicecup.table.verify import check
from tests.hosting.guests import KEY, alone, play, settings
from tests.hosting.test_restored import forget, thrown, types
from tests.hosting.test_timeline import put_back, rows_of
from tests.postgres import running

Result = TypeVar("Result")
SECONDS = 120
"""The longest time until a worker reaches its database again, on a slow machine."""


@pytest.fixture
def base() -> Iterator[Path]:
    """Return the folder of a base backup that the user of PostgreSQL can write."""
    folder = Path(tempfile.mkdtemp(prefix="dicecup-base-"))
    folder.chmod(0o777)
    yield folder / "base"
    shutil.rmtree(folder)


async def until_it_answers(ask: Callable[[], Awaitable[Result]]) -> Result:
    """Ask again, as clients do, while the database cannot be reached."""
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                return await ask()
            except (StoreError, HostingError) as error:
                if error.code not in (StoreCode.DOWN, HostingCode.STALE_VERSION):
                    raise
                await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_running_workers_notice_that_postgresql_went_back(
    base: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running() as server:
        database = server.new_database()
        async with AsyncExitStack() as stack:
            workers = []
            for name in ("one", "two"):
                worker = await TableHost.open(settings(database, folder=tmp_path / name))
                stack.push_async_callback(worker.close)
                workers.append(worker)
            tables = [(await worker.create("anna", alone(), name="Anna")).table for worker in workers]
            for worker, table in zip(workers, tables, strict=True):
                await play(worker, table, ["anna"], 8)
            kept = [(await worker.look(table, "anna")).number for worker, table in zip(workers, tables, strict=True)]
            server.base_backup(base)
            for worker, table in zip(workers, tables, strict=True):
                await play(worker, table, ["anna"], 14)
            lost = [await thrown(worker, table, since) for worker, table, since in zip(workers, tables, kept, strict=True)]

            server.stop("immediate")
            shutil.rmtree(server.data)
            shutil.move(base, server.data)
            with caplog.at_level(logging.WARNING):
                server.start()
                for worker, table in zip(workers, tables, strict=True):
                    await until_it_answers(lambda worker=worker, table=table: play(worker, table, ["anna"], 14))  # type: ignore[misc]
            assert "went back under a running worker" in caplog.text
            for worker, table, since, seen in zip(workers, tables, kept, lost, strict=True):
                rows = await worker.store.events(table)
                assert [row.number for row in rows] == list(range(1, len(rows) + 1))
                assert (await types(worker, table, since))[:2] == ["commitment-ended", "commitment-begun"]
                again = await thrown(worker, table, since)
                assert [number for number, _ in again][:3] == [number for number, _ in seen][:3]
                assert again[:4] != seen[:4]
                number = (await worker.look(table, "anna")).number
                await worker.send(table, "anna", Resign(), version=number, command_id="r")
                assert check(read(await worker.record(table, "anna"))).fault is None


async def test_after_a_lost_connection_without_a_rollback_nothing_changes(database: str) -> None:
    worker = await TableHost.open(settings(database))
    try:
        table = (await worker.create("anna", alone(), name="Anna")).table
        await play(worker, table, ["anna"], 8)
        lose(worker)
        await play(worker, table, ["anna"], 8)
        lose(worker)
        await worker.sweep()
        assert "commitment-begun" not in await types(worker, table, 0)
    finally:
        await worker.close()


async def test_the_next_command_after_a_lost_connection_finds_lost_events(database: str) -> None:
    worker = await TableHost.open(settings(database))
    try:
        table = (await worker.create("anna", alone(), name="Anna")).table
        await play(worker, table, ["anna"], 20)
        lost = await thrown(worker, table, 12)
        async with worker.subscribe(table, "anna") as updates:
            await anext(updates)
            await forget(database, table, 12)
            lose(worker)
            await worker.sweep()
            assert await types(worker, table, 12) == ["commitment-ended", "commitment-begun"]
            assert [update async for update in updates] == []  # the client connects again
        await play(worker, table, ["anna"], 14)
        rows = await worker.store.events(table)
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))
        assert (await thrown(worker, table, 12))[:4] != lost[:4]
    finally:
        await worker.close()


async def test_a_database_from_before_its_timeline_began_is_noticed_too(database: str, tmp_path: Path) -> None:
    """An administrator begins a timeline under the running worker. Then an older backup is put
    back."""
    worker = await TableHost.open(settings(database, folder=tmp_path))
    try:
        table = (await worker.create("anna", alone(), name="Anna")).table
        await play(worker, table, ["anna"], 8)
        backup, number = await rows_of(database), (await worker.look(table, "anna")).number
        assert await begin_timeline(worker.store, KEY, 2e9) == 1
        lose(worker)
        await worker.sweep()
        await play(worker, table, ["anna"], 8)
        assert (await types(worker, table, 0)).count("commitment-begun") == 1
        await put_back(database, backup)
        lose(worker)
        await worker.sweep()
        assert await types(worker, table, number) == ["commitment-ended", "commitment-begun"]
        await play(worker, table, ["anna"], 8)
    finally:
        await worker.close()


async def test_a_database_without_a_timeline_is_an_earlier_one(database: str) -> None:
    worker = await TableHost.open(settings(database))
    try:
        table = (await worker.create("anna", alone(), name="Anna")).table
        await play(worker, table, ["anna"], 8)
        await worker.store.writer.work(lambda connection: connection.execute(delete(FACTS).where(FACTS.c.name == FACT)))
        lose(worker)
        await worker.sweep()
        assert (await types(worker, table, 0)).count("commitment-begun") == 1
        await play(worker, table, ["anna"], 2)
    finally:
        await worker.close()


async def test_a_change_from_before_the_lost_connection_is_not_saved(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is lost between the handling of a command and its append."""
    worker = await TableHost.open(settings(database))
    try:
        table = (await worker.create("anna", alone(), name="Anna")).table
        await play(worker, table, ["anna"], 8)
        number = (await worker.look(table, "anna")).number

        def lost(state: TableState) -> tuple[object, ...]:
            monkeypatch.undo()
            lose(worker)
            return digest_key(state)

        monkeypatch.setattr(table_changes, "digest_key", lost)
        with pytest.raises(StoreError):
            await worker.send(table, "anna", Resign(), version=number, command_id="r")
        assert max((await worker.store.newest([table])).values()) == number
        assert await worker.send(table, "anna", Resign(), version=number, command_id="r") > number
    finally:
        await worker.close()


def lose(worker: TableHost) -> None:
    """Note that the connection to the database was lost."""
    worker.store.faults.failed(StoreError(StoreCode.DOWN))
