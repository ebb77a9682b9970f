"""Clocks stop during restarts of the server, sleep of the machine, and database outages."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from dicecup.hosting import table_export
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.outages import INTERVAL, SAVE_AFTER
from dicecup.hosting.settings import SILENCE
from dicecup.hosting.store import Store, heartbeats
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Sit
from dicecup.table.permissions import PATIENCE
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import KEY, first, play, settings, two, wanted
from tests.hosting.test_faults import set_pages
from tests.hosting.test_timers import BETWEEN, Time
from tests.postgres import Postgres

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
        await time.passes(4, host)
    time.now += away
    async with opened(database, time) as host:
        assert await held(host, table, before["number"]) == away
        until = before["demand"]["deadline"] + away
        assert (await look(host, table))["demand"]["deadline"] == until


async def test_while_the_server_was_away_nobody_was_slow(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, None)
        before = await look(host, table)
        await time.passes(4, host)
    time.now += 2 * PATIENCE
    async with opened(database, time) as host:
        await host.sweep()
        assert await held(host, table, before["number"]) == 2 * PATIENCE
        assert (await look(host, table))["claim"]["at"] == before["claim"]["at"] + 2 * PATIENCE


async def test_after_an_outage_the_clock_runs_out_after_the_remaining_time(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        await time.passes(4, host)
    time.now += 13
    async with opened(database, time) as host:
        await host.sweep()
        await time.passes(5.9, host)
        assert (await look(host, table))["result"] is None
        await time.passes(0.1, host)
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


async def test_the_last_heartbeat_of_a_killed_server_begins_the_outage(database: str, time: Time) -> None:
    async with opened(database, time) as killed:
        table = await begun(killed)
        await time.passes(4, killed)
        await killed.outages.close()
        time.now += 13
        async with opened(database, time) as host:
            assert await held(host, table, (await host.look(table, "anna")).number - 1) == 13


async def test_a_game_in_play_needs_only_the_saved_heartbeats(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[float] = []
    begin, beat = time(), heartbeats.beat

    async def noted(*arguments: Any, **named: Any) -> heartbeats.Heartbeat:
        made.append(time() - begin)
        return await beat(*arguments, **named)

    monkeypatch.setattr(heartbeats, "beat", noted)
    async with opened(f"sqlite:///{tmp_path / 'tables.sqlite'}", time) as host:
        table = await begun(host, None)
        made.clear()
        for _ in range(int(12 / INTERVAL)):
            time.now += INTERVAL
            await play(host, table, ["anna", "ben"], 1)
            await host.outages.heartbeat()
        assert made == [SAVE_AFTER, 2 * SAVE_AFTER]
        made.clear()
        time.now += INTERVAL  # and nobody plays
        await host.outages.heartbeat()
        assert len(made) == 1


async def test_the_time_of_a_sleeping_machine_does_not_count(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        await host.sweep()
        number = (await host.look(table, "anna")).number
        time.now += 3600
        await host.scheduler.run_due(table)
        assert await held(host, table, number) == 3600


@asynccontextmanager
async def without_answer(database: str, postgres: Postgres | None) -> AsyncIterator[None]:
    """Keep a database from answering during the block: stop PostgreSQL's processes, or lock the
    SQLite file."""
    if postgres is not None:
        with postgres.frozen():
            yield
        return
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.parametrize("silent", ["process", "database", "both"])
@pytest.mark.parametrize("seconds", [2.5, 12, 40])
async def test_no_clock_runs_out_while_process_or_database_is_silent(
    database: str, time: Time, request: pytest.FixtureRequest, silent: str, seconds: float
) -> None:
    """The deadline is one second after the silence begins."""
    postgres: Postgres | None = request.getfixturevalue("postgres") if database.startswith("postgresql") else None
    async with opened(database, time) as host:
        table = await begun(host)
        await time.passes(9, host)
        before = await look(host, table)
        if silent == "process":
            time.now += seconds
        else:
            async with without_answer(database, postgres):
                if silent == "database":  # the timer of the table comes when nobody has noticed anything yet
                    time.now += 1.5
                    due = asyncio.create_task(host.scheduler.run_due(table))
                    await asyncio.sleep(0)
                    time.now += seconds - 1.5
                else:
                    time.now += seconds
                    due = asyncio.create_task(host.scheduler.run_due(table))
                    await asyncio.sleep(0)
            async with asyncio.timeout(280):
                await due
        await host.scheduler.run_due(table)
        after = await look(host, table)
        assert after["result"] is None
        assert seconds <= after["demand"]["deadline"] - before["demand"]["deadline"] <= seconds + BETWEEN
        await time.passes(0.5, host)
        assert (await look(host, table))["result"] is None
        await time.passes(0.5 + BETWEEN, host)
        assert (await look(host, table))["result"]["end"] == "time"


async def test_a_silence_too_short_for_an_outage_stays_on_the_clock(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        for _ in range(5):
            time.now += SILENCE
            await host.outages.heartbeat()
        assert (await look(host, table))["result"]["end"] == "time"
        assert host.outages.gaps == ()


async def test_two_outages_before_a_table_is_loaded_both_count(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        before = await look(host, table)
        host.cache.get(table).used = -1e9
        host.cache.evict_idle()
        for _ in range(2):
            time.now += 30
            await host.outages.heartbeat()
            await time.passes(1.5, host)
    time.now += 100
    async with opened(database, time) as host:
        await host.look(table, "anna")
        await host.scheduler.run_due(table)
        assert (await look(host, table))["demand"]["deadline"] == before["demand"]["deadline"] + 160


async def test_a_server_that_ends_at_once_after_an_outage_does_not_lose_it(database: str, time: Time) -> None:
    """The first server after the outage is killed before it has loaded the table."""
    async with opened(database, time) as host:
        table = await begun(host)
        before = await look(host, table)
    time.now += 500
    async with opened(database, time):
        pass
    async with opened(database, time) as host:
        await host.scheduler.run_due(table)
        after = await look(host, table)
    assert after["result"] is None
    assert after["demand"]["deadline"] == before["demand"]["deadline"] + 500


async def test_a_full_disk_is_an_outage(tmp_path: Path, time: Time) -> None:
    async with opened(f"sqlite:///{tmp_path / 'tables.sqlite'}", time) as host:
        table = await begun(host)
        await time.passes(9, host)
        await set_pages(host, 0)
        with pytest.raises(StoreError) as refused:  # noqa: PT012 the last of many fails
            while True:
                await host.create("anna", two(), name="Anna")
        assert refused.value.code is StoreCode.FULL
        time.now += 1.5
        await host.scheduler.run_due(table)
        for _ in range(20):
            time.now += 1
            with pytest.raises(StoreError):
                await host.outages.heartbeat()
        await set_pages(host, 1000)
        await host.scheduler.run_due(table)
        assert (await look(host, table))["result"] is None
        await time.passes(3, host)
        assert (await look(host, table))["result"]["end"] == "time"


async def test_seeds_may_come_after_an_outage(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        made = await host.create("anna", two(), name="Anna")
        await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
        time.now += 100
        await host.sweep()
        assert (await look(host, made.table))["demand"]["what"] == "commitments"
        assert await play(host, made.table, ["anna", "ben"], 4) == 4


async def test_nobody_goes_offline_during_an_outage(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, None)
        async with host.subscribe(table, "anna"):
            await time.passes(5, host)
        time.now += 1000
        await host.outages.heartbeat()
        assert [seat["away_since"] for seat in (await look(host, table))["seats"]] == [None, None]


async def test_while_another_worker_runs_there_is_no_outage(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        async with opened(database, time):
            pass
        await time.passes(9, host)
        await host.outages.close()
        async with opened(database, time) as other:
            await other.sweep()
            assert other.outages.gaps == ()
            await time.passes(1, other)
            assert (await look(other, table))["result"]["end"] == "time"


async def test_an_outage_adds_no_event_to_a_table_without_a_clock(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, None)
        before = (await host.look(table, "anna")).number
    time.now += 1000
    async with opened(database, time) as host:
        await host.sweep()
        assert (await host.look(table, "anna")).number == before


# --- Moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [True, False])
async def test_no_clock_runs_between_export_and_import(database: str, tmp_path: Path, time: Time, said: bool) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        await time.passes(4, host)
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


async def test_a_clock_that_ran_out_before_the_export_stays_run_out(database: str, tmp_path: Path, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host)
        await time.passes(11, host)
        (line,) = [line async for line in table_export.export_tables(host.store, [table], time.now)]
    store = await Store.open(database_url(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"))
    await table_export.import_table(store, KEY, line.encode(), time.now + 100)
    assert any('"time-up"' in row.body for row in await store.events(table))
    await store.close()


async def test_a_command_for_the_state_before_an_outage_is_done_once(database: str, time: Time) -> None:
    """A worker gives the time back and then saves the command. If the person sends it again
    between the two, the answer is no refusal of a command that is carried out."""
    async with opened(database, time) as host:
        table = await begun(host)
        seen = {identity: await host.look(table, identity) for identity in ("anna", "ben")}
        ((identity, command),) = [(name, found) for name, update in seen.items() if (found := wanted(update.view)) is not None]
        version = seen[identity].number
        time.now += 5
        await host.outages.heartbeat()
        await host.scheduler.run_due(table)
        assert (await host.look(table, identity)).number == version + 1
        done = await host.send(table, identity, command, version=version, command_id="again")
        assert done > version + 1
        assert await host.send(table, identity, command, version=version, command_id="again") == done
        with pytest.raises(HostingError) as refused:
            await host.send(table, identity, command, version=version, command_id="other")
        assert refused.value.code is HostingCode.STALE_VERSION


def test_a_clock_that_has_run_out_is_scheduled_again_on_uvloop(tmp_path: Path) -> None:
    """uvloop has no timer for a time that is now."""
    uvloop = pytest.importorskip("uvloop")
    time = Time()

    async def schedule_twice() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.sqlite'}", time) as host:
            table = await begun(host)
            await time.passes(BLITZ.seconds + 1, host)
            loaded = host.cache.get(table)
            loaded.stop_timer()
            host.scheduler.schedule(loaded)
            host.scheduler.schedule(loaded)
            async with asyncio.timeout(120), host.subscribe(table, "anna") as updates:
                async for update in updates:
                    if update.view["result"] is not None:
                        break

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(schedule_twice())
