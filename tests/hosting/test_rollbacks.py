"""A database that goes back to an earlier time under running workers: no event is saved behind a
gap, and no dice that were seen fall again."""

import asyncio
import logging
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import delete

from dicecup.hosting import table_changes
from dicecup.hosting.administration import change_saved
from dicecup.hosting.digest import digest_key
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.outages import LastServed
from dicecup.hosting.store import Digest, locks
from dicecup.hosting.store.models import FACTS
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import FACT, begin_timeline
from dicecup.record import read
from dicecup.table.commands import Resign
from dicecup.table.setup import Clock, ClockKind
from dicecup.table.state import TableState
from dicecup.table.verify import check
from tests.hosting.guests import KEY, alone, play, settings
from tests.hosting.test_outages import begun, look, opened
from tests.hosting.test_restored import forget, thrown, types
from tests.hosting.test_timeline import put_back, rows_of
from tests.hosting.test_timers import Time
from tests.postgres import Postgres, running

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


@asynccontextmanager
async def two_workers(database: str, *folders: Path) -> AsyncIterator[list[TableHost]]:
    """Two workers on one database, each with its folder."""
    async with AsyncExitStack() as stack:
        workers = []
        for folder in folders or (None, None):
            workers.append(await TableHost.open(settings(database, folder=folder)))
            stack.push_async_callback(workers[-1].close)
        yield workers


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
        async with two_workers(database, tmp_path / "one", tmp_path / "two") as workers:
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
        assert await begin_timeline(worker.store, KEY, LastServed(2e9, ())) == 1
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


@pytest.mark.slow
async def test_one_worker_renews_the_tables(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    """Both notice it at the same time, at tables of each other too."""
    database = postgres.the_database()
    async with two_workers(database) as workers:
        tables = [(await workers[count % 2].create("anna", alone(), name="Anna")).table for count in range(6)]
        for table in tables:
            await play(workers[0], table, ["anna"], 6)
            await workers[1].look(table, "anna")
        numbers = [(await workers[0].look(table, "anna")).number for table in tables]
        for table, number in zip(tables, numbers, strict=True):
            await forget(database, table, number - 1)
        for worker in workers:
            lose(worker)
        with caplog.at_level(logging.WARNING):
            await asyncio.gather(*(worker.sweep() for worker in workers))
        for table, number in zip(tables, numbers, strict=True):
            assert await types(workers[0], table, number - 1) == ["commitment-ended", "commitment-begun"]
            for worker in workers:
                assert await play(worker, table, ["anna"], 2) == 2
            rows = await workers[0].store.events(table)
            assert [row.number for row in rows] == list(range(1, len(rows) + 1))
        assert caplog.text.count("6 tables begin a new commitment") == 1


async def test_a_table_that_is_deleted_during_the_renewal_is_left_out(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [(await host.create("anna", alone(), name="Anna")).table for _ in range(3)]
    listed = host.store.tables

    async def listed_before(state: str | None = None) -> list[Digest]:
        """Return the tables, and delete one of them."""
        found = await listed(state)
        await host.store.delete(tables[1])
        return found

    monkeypatch.setattr(host.store, "tables", listed_before)
    assert await begin_timeline(host.store, KEY, LastServed(2e9, ())) == 2


async def test_no_clock_runs_while_tables_are_renewed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server makes its heartbeats meanwhile, but commands wait."""
    time = Time()
    async with opened(database, time) as host:
        table = await begun(host, Clock(ClockKind.TURN, 10))
        await time.passes(4, host)
        before = (await look(host, table))["demand"]["deadline"]

        async def slowly(*arguments: Any) -> bool:
            await time.passes(30, host)
            return await change_saved(*arguments)

        monkeypatch.setattr("dicecup.hosting.timeline.change_saved", slowly)
        host.cache.get(table).number += 1  # the database went back
        lose(host)
        await host.scheduler.run_due(table)
        view = await look(host, table)
        assert (view["result"], len(view["fairness"]["earlier"])) == (None, 1)
        assert view["demand"]["deadline"] == before + 30


@pytest.mark.slow
async def test_a_worker_waits_for_a_renewal_by_another_for_a_limited_time(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.the_database()
    monkeypatch.setattr(locks, "PATIENCE", 0.3)
    async with two_workers(database) as workers:
        table = (await workers[0].create("anna", alone(), name="Anna")).table
        await play(workers[0], table, ["anna"], 6)
        async with locks.timeline_lock(workers[1].store):
            lose(workers[0])
            with pytest.raises(StoreError) as refused:
                await play(workers[0], table, ["anna"], 1)
            assert refused.value.code is StoreCode.DOWN
        assert await play(workers[0], table, ["anna"], 2) == 2


@pytest.mark.slow
async def test_a_renewal_that_was_interrupted_is_finished_by_another_worker(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first worker has renewed one table when it ends. The log of that table is as long as the
    second worker remembers it, but it is another one."""
    database = postgres.the_database()
    async with two_workers(database) as workers:
        tables = [(await workers[0].create("anna", alone(), name="Anna")).table for _ in range(2)]
        for table in tables:
            await play(workers[0], table, ["anna"], 8)
        number = (await workers[1].look(tables[0], "anna")).number
        for table in tables:
            await forget(database, table, number - 2)
        monkeypatch.setattr("dicecup.hosting.timeline.AT_ONCE", 1)
        renewed: list[str] = []

        async def once(*arguments: Any) -> bool:
            if renewed:
                raise StoreError(StoreCode.FAILING)
            renewed.append(arguments[2])
            return await change_saved(*arguments)

        monkeypatch.setattr("dicecup.hosting.timeline.change_saved", once)
        lose(workers[0])
        with pytest.raises(StoreError):
            await workers[0].sweep()
        monkeypatch.undo()
        lose(workers[1])
        await workers[1].sweep()
        await workers[0].sweep()
        for table in tables:
            new = await types(workers[0], table, number - 2)
            assert new == ["commitment-ended", "commitment-begun"] * (2 if table in renewed else 1)
            for worker in workers:
                assert await play(worker, table, ["anna"], 2) == 2


@pytest.mark.parametrize("has_folder", [True, False])
async def test_an_interrupted_renewal_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_folder: bool
) -> None:
    database, folder = f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path if has_folder else None
    worker = await TableHost.open(settings(database, folder=folder))
    table = (await worker.create("anna", alone(), name="Anna")).table
    await play(worker, table, ["anna"], 8)
    monkeypatch.setattr("dicecup.hosting.timeline.change_saved", raise_down)
    with pytest.raises(StoreError):
        await begin_timeline(worker.store, KEY, LastServed(2e9, ()))
    monkeypatch.undo()
    await play(worker, table, ["anna"], 2)
    await worker.close()
    for _ in range(2):
        worker = await TableHost.open(settings(database, folder=folder))
        assert (await types(worker, table, 0)).count("commitment-begun") == 1
        await worker.close()


async def raise_down(*_arguments: object) -> bool:
    raise StoreError(StoreCode.DOWN)
