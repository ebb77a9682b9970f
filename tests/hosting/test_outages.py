"""Clocks stop during restarts of the server, sleep of the machine, and database outages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dicecup.hosting import table_export
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Sit
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import KEY, first, play, settings, two
from tests.hosting.test_timers import Time

BLITZ = Clock(ClockKind.TURN, 10)


@pytest.fixture
def time() -> Time:
    return Time()


@asynccontextmanager
async def opened(database: str, time: Time) -> AsyncIterator[TableHost]:
    host = await TableHost.open(settings(database), time)
    try:
        yield host
    finally:
        await host.close()


async def begun(host: TableHost, clock: Clock | None = BLITZ) -> str:
    """Return the id of a table at which a clock runs."""
    made = await host.create("anna", two(clock=clock), name="Anna")
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    await play(host, made.table, ["anna", "ben"], 4)
    return made.table


async def held(host: TableHost, table: str, since: int) -> float:
    """Return the seconds of the first `clock-held` event after a number."""
    async with asyncio.timeout(120), host.subscribe(table, "anna", since=since) as updates:
        async for update in updates:
            for event in update.events:
                if event["type"] == "clock-held":
                    return float(event["seconds"])
    raise AssertionError


async def look(host: TableHost, table: str) -> Any:
    await host.sweep()
    return (await host.look(table, "anna")).view


@pytest.mark.parametrize(
    "clock", [BLITZ, Clock(ClockKind.DAYS, 86_400), Clock(ClockKind.GAME, 60, 5)], ids=lambda clock: clock.kind
)
async def test_while_the_server_was_away_no_clock_ran(database: str, time: Time, clock: Clock) -> None:
    away = 13 if clock is BLITZ else 200_000
    async with opened(database, time) as host:
        table = await begun(host, clock)
        before = await look(host, table)
        time.now += 4
    time.now += away
    async with opened(database, time) as host:
        assert await held(host, table, before["number"]) == away
        until = before["demand"]["deadline"] + away
        assert (await look(host, table))["demand"]["deadline"] == until


async def test_after_a_gap_the_flag_falls_after_the_remaining_time(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        time.now += 4
    time.now += 13
    async with opened(database, time) as host:
        await host.sweep()
        time.now += 5.9
        assert (await look(host, table))["result"] is None
        time.now += 0.1
        assert (await look(host, table))["result"]["end"] == "time"


async def test_the_first_command_after_an_outage_is_in_time(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
    time.now += 100
    async with opened(database, time) as host:
        try:
            played = await play(host, table, ["anna", "ben"], 1, first)
        except HostingError as error:  # the host has saved the gap first
            assert error.code is HostingCode.STALE_VERSION
            played = await play(host, table, ["anna", "ben"], 1, first)
        assert played == 1
        assert (await look(host, table))["result"] is None


async def test_a_server_that_was_killed_left_a_sign_of_life(database: str, time: Time) -> None:
    async with opened(database, time) as killed:
        table = await begun(killed)
        time.now += 4
        await killed.sweep()
        time.now += 13
        async with opened(database, time) as host:
            assert await held(host, table, (await host.look(table, "anna")).number - 1) == 13


async def test_the_time_of_a_sleeping_machine_does_not_count(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        await host.sweep()
        number = (await host.look(table, "anna")).number
        time.now += 3600
        await host.scheduler.run_due(table)
        assert await held(host, table, number) == 3600


async def test_while_the_database_did_not_answer_no_clock_ran(
    database: str, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        await host.sweep()
        number = (await host.look(table, "anna")).number

        async def down(*_: object) -> None:
            raise StoreError(StoreCode.DOWN)

        time.now += 2
        with monkeypatch.context() as gone:
            for name in ("save_presence", "last_seen", "append"):
                gone.setattr(host.store, name, down)
            with pytest.raises(StoreError):
                await host.sweep()
            time.now += 11
            await host.scheduler.run_due(table)
        await host.scheduler.run_due(table)
        assert await held(host, table, number) == 13


async def test_another_worker_that_lived_leaves_no_gap(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        async with opened(database, time):
            pass
        time.now += 9
        await host.sweep()
        async with opened(database, time) as other:
            await other.sweep()
            assert other.outages.gap is None
            time.now += 1
            assert (await look(other, table))["result"]["end"] == "time"


async def test_a_server_without_clocks_tells_nothing(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, None)
        before = (await host.look(table, "anna")).number
    time.now += 1000
    async with opened(database, time) as host:
        await host.sweep()
        assert (await host.look(table, "anna")).number == before


# --- Moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [True, False])
async def test_on_its_way_to_another_server_a_table_loses_no_time(
    database: str, tmp_path: Path, time: Time, said: bool
) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        time.now += 4
        (line,) = [line async for line in table_export.export_tables(host.store, [table], time.now if said else None)]
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    store = await Store.open(database_url(elsewhere))
    time.now += 500
    assert await table_export.import_table(store, KEY, line.encode(), time.now) is table_export.ImportResult.NEW
    assert await table_export.import_table(store, KEY, line.encode(), time.now) is table_export.ImportResult.KNOWN
    await store.close()
    async with opened(elsewhere, time) as host:
        assert await look(host, table)
        assert (await host.look(table, "anna")).view["demand"]["deadline"] == time.now + (6 if said else 10)


async def test_a_flag_that_had_fallen_before_the_export_is_down(database: str, tmp_path: Path, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        time.now += 11
        (line,) = [line async for line in table_export.export_tables(host.store, [table], time.now)]
    store = await Store.open(database_url(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"))
    await table_export.import_table(store, KEY, line.encode(), time.now + 100)
    assert any('"time-up"' in row.body for row in await store.events(table))
    await store.close()
