"""Faults outside the process: a full disk, a database outage, a killed server."""

import asyncio
import subprocess
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection, text

from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.store import EventRow, Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Throw
from dicecup.table.state import TableState
from tests.hosting.guests import alone, first, go_on, play, settings, wanted
from tests.postgres import Postgres, running

Answer = TypeVar("Answer")

TOP = Path(__file__).parents[2]


async def set_pages(host: TableHost, more: int) -> None:
    """Limit the growth of the database file to this many pages, which simulates a full disk."""

    def work(connection: Connection) -> None:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count = {pages + more}"))

    await host.store.writer.work(work)


async def test_a_full_disk_changes_nothing_until_there_is_room(tmp_path: Path) -> None:
    host = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    try:
        made = await host.create("anna", alone(), name="Anna")
        await set_pages(host, 0)
        async with host.subscribe(made.table, "anna", since=0) as updates:
            received = [event["number"] for event in (await anext(updates)).events]

            async def fill() -> None:
                while True:
                    await go_on(host, made.table, "anna")
                    received.extend(event["number"] for event in (await anext(updates)).events)

            with pytest.raises(StoreError) as refused:
                await fill()
            assert refused.value.code is StoreCode.FULL
            before = await host.look(made.table, "anna")
            assert (await host.store.events(made.table))[-1].number == before.number == received[-1]
            await set_pages(host, 1000)
            assert await play(host, made.table, ["anna"], 5) == 5
            while received[-1] < (await host.look(made.table, "anna")).number:
                received += [event["number"] for event in (await anext(updates)).events]
            assert received == list(range(1, received[-1] + 1))
    finally:
        await host.close()


@pytest.fixture(scope="module")
def private() -> Iterator[Postgres]:
    """Run a server that only these tests use and may stop."""
    with running() as server:
        yield server


async def test_subscribers_learn_of_a_database_outage(private: Postgres) -> None:
    host = await TableHost.open(settings(private.new_database()))
    try:
        made = await host.create("anna", alone(), name="Anna")
        await play(host, made.table, ["anna"], 2)
        number = (await host.look(made.table, "anna")).number
        async with host.subscribe(made.table, "anna") as updates, asyncio.timeout(280):
            await anext(updates)
            await asyncio.to_thread(private.stop, "immediate")
            try:
                assert (await anext(updates)).trouble == "storage-down"
                with pytest.raises(StoreError) as refused:
                    await host.send(made.table, "anna", Throw(), version=number, command_id="t")
                assert refused.value.code is StoreCode.DOWN
            finally:
                await asyncio.to_thread(private.start)
            back = await anext(updates)
            assert (back.trouble, back.number) == ("", number)
            assert await host.send(made.table, "anna", Throw(), version=number, command_id="t") == number + 1
            assert (await anext(updates)).number == number + 1
    finally:
        await host.close()


async def test_a_disconnected_listener_listens_again(private: Postgres) -> None:
    database = private.new_database()
    hosts = [await TableHost.open(settings(database)) for _ in range(2)]
    try:
        made = await hosts[0].create("anna", alone(), name="Anna")
        async with hosts[1].subscribe(made.table, "anna", since=0) as updates, asyncio.timeout(280):
            await anext(updates)
            await asyncio.to_thread(private.cut_off)
            for _ in range(3):
                await persistently(hosts[0], made.table)
            received = 2
            while received < (await hosts[0].look(made.table, "anna")).number:
                received = max(received, (await anext(updates)).number)
    finally:
        for host in hosts:
            await host.close()


async def persistently(host: TableHost, table: str, identity: str = "anna") -> None:
    """Send the pending command again and again until it is answered, as a client does."""
    seen = await until_it_answers(lambda: host.look(table, identity))
    command = wanted(seen.view, first)
    assert command is not None
    await until_it_answers(lambda: host.send(table, identity, command, version=seen.number, command_id=f"c{seen.number}"))


async def until_it_answers(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    while True:
        try:
            return await ask()
        except StoreError:
            await asyncio.sleep(0.1)


@pytest.mark.slow
async def test_restarts_under_load_lose_and_repeat_nothing(private: Postgres) -> None:
    hosts = [await TableHost.open(settings(database)) for database in [private.new_database()] * 2]
    tables = [(await hosts[0].create(f"p{n}", alone(), name="Anna")).table for n in range(16)]
    received: dict[str, list[int]] = defaultdict(list)
    stopping, down = asyncio.Event(), asyncio.Event()

    async def person(n: int) -> int:
        commands = 0
        while not stopping.is_set():
            await persistently(hosts[n % 2], tables[n], f"p{n}")
            commands += 1
            await asyncio.sleep(0.05)  # else the game would be over before the database is back
        return commands

    async def watch(n: int) -> None:
        async with hosts[(n + 1) % 2].subscribe(tables[n], f"p{n}", since=0) as updates:
            async for update in updates:
                received[tables[n]] += [event["number"] for event in update.events]
                if update.trouble:
                    down.set()

    async def play_on() -> None:
        """Wait until every subscriber has received three more events."""
        enough = {table: len(received[table]) + 3 for table in tables}
        while any(len(received[table]) < enough[table] for table in tables):  # noqa: ASYNC110 many subscribers
            await asyncio.sleep(0.01)

    watching = [asyncio.create_task(watch(n)) for n in range(16)]
    playing = [asyncio.create_task(person(n)) for n in range(16)]
    async with asyncio.timeout(280):
        for mode in ("immediate", "fast"):
            await play_on()
            down.clear()
            await asyncio.to_thread(private.stop, mode)
            await down.wait()
            await asyncio.to_thread(private.start)
        await play_on()
        await asyncio.to_thread(private.cut_off)
        await play_on()
        stopping.set()
        done = await asyncio.gather(*playing)
        newest = await hosts[0].store.newest(tables)
        while any(received[table][-1] != newest[table] for table in tables):  # noqa: ASYNC110 many subscribers
            await asyncio.sleep(0.1)
    for host in hosts:
        await host.close()
    await asyncio.gather(*watching)
    store = await Store.open(hosts[0].settings.database)
    for commands, table in zip(done, tables, strict=True):
        rows = await store.events(table)
        assert received[table] == [row.number for row in rows] == list(range(1, len(rows) + 1))
        assert sum(row.command_id is not None for row in rows) == commands
        TableState.from_events([event_of_row(row) for row in rows])
    await store.close()


@pytest.mark.slow
@pytest.mark.parametrize("lines", [100, 300, 1000])
def test_a_killed_server_had_saved_what_it_published(database: str, lines: int) -> None:
    for _ in range(2):
        received = published_before_the_kill(database, lines)
        assert len(received) == 8
        for number, rows in asyncio.run(kept(database, received)):
            assert [row.number for row in rows] == list(range(1, len(rows) + 1))
            assert len(rows) >= number
            TableState.from_events([event_of_row(row) for row in rows])


def published_before_the_kill(database: str, lines: int) -> dict[str, int]:
    """Kill a server after it has printed this many lines; return each table's last
    printed number."""
    command = [sys.executable, "-m", "tests.hosting.busy_server", database, "8"]
    received: dict[str, int] = {}
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        for count, line in enumerate(server.stdout, 1):
            table, number = line.split()
            received[table] = int(number)
            if count == lines:
                server.kill()
    return received


async def kept(database: str, received: Mapping[str, int]) -> list[tuple[int, list[EventRow]]]:
    store = await Store.open(database_url(database))
    try:
        return [(number, await store.events(table)) for table, number in received.items()]
    finally:
        await store.close()
