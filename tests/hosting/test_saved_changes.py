"""Changes of saved tables, by an administrator or after a restore: they take no time of a player,
even if no server ran before them or their clock differs from the server's."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from dicecup.hosting import administration, table_host
from dicecup.hosting.outages import last_served
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import begin_timeline
from dicecup.table.permissions import PATIENCE, patience_ends_at
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import KEY, entry, first, play, settings
from tests.hosting.test_outages import begun, look, opened
from tests.hosting.test_restored import forget
from tests.hosting.test_rollbacks import lose
from tests.hosting.test_timeline import put_back, rows_of
from tests.hosting.test_timers import Time

MINUTE = Clock(ClockKind.TURN, 60)
Change = Callable[[Store, str, AuditEntry], Awaitable[object]]


@pytest.fixture
def time() -> Time:
    return Time()


async def rotate(store: Store, table: str, entry: AuditEntry) -> object:
    return await administration.rotate_links(store, KEY, table, entry)


async def shut(store: Store, table: str, entry: AuditEntry) -> object:
    return await administration.set_admission(store, KEY, table, entry, admits=False)


async def renew(store: Store, _table: str, entry: AuditEntry) -> object:
    return await begin_timeline(store, KEY, await last_served(store, entry.time))


async def free(store: Store, table: str, entry: AuditEntry) -> object:
    return await administration.free_seat(store, KEY, table, 1, entry)


async def changed(database: str, change: Change, table: str, now: float) -> None:
    """Change a table as a program beside the server does, at a time of its own clock."""
    store = await Store.open(database_url(database))
    await change(store, table, entry(now))
    await store.close()


@pytest.mark.parametrize("change", [rotate, shut, renew])
async def test_a_change_while_no_server_runs_takes_no_time(database: str, time: Time, change: Change) -> None:
    async with opened(database, time) as host:
        table = await begun(host, MINUTE)
        before = (await look(host, table))["demand"]["deadline"]
        await time.passes(4, host)
    time.now += 60_000
    await changed(database, change, table, time.now)
    time.now += 100
    async with opened(database, time) as host:
        await host.scheduler.run_due(table)
        after = await look(host, table)
        assert after["result"] is None
        assert after["demand"]["deadline"] == before + 60_100


async def test_freeing_a_seat_while_no_server_runs_flags_nobody(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, MINUTE)
        await time.passes(4, host)
    time.now += 60_000
    await changed(database, free, table, time.now)
    async with opened(database, time) as host:
        view = await look(host, table)
        assert (view["result"], view["demand"]["what"]) == (None, "replacement")


@pytest.mark.parametrize("change", [rotate, shut, renew, free])
async def test_an_outage_before_a_change_counts(database: str, time: Time, change: Change) -> None:
    """The table is not loaded after the outage. Its time is given back by the change itself."""
    async with opened(database, time) as host:
        table = await begun(host, MINUTE)
        before = (await look(host, table))["demand"]["deadline"]
        host.cache.get(table).used = -1e9
        host.cache.evict_idle()
        time.now += 500
        await host.outages.heartbeat()
        await host.outages.begin()  # saves the heartbeat
        await time.passes(1.5, host)
        await changed(database, change, table, time.now)
        await host.cache.invalidate(host.cache.get(table))
        await host.scheduler.run_due(table)
        view = await look(host, table)
        assert view["result"] is None
        assert change is free or view["demand"]["deadline"] == before + 500


@pytest.mark.parametrize("change", [rotate, shut, renew, free])
@pytest.mark.parametrize("ahead", [3600.0, -3600.0])
async def test_a_change_from_a_clock_that_differs_takes_no_time(
    database: str, time: Time, change: Change, ahead: float
) -> None:
    """The system time jumped under the running server, and a program takes it from the system."""
    async with opened(database, time) as host:
        table = await begun(host, MINUTE)
        before = (await look(host, table))["demand"]["deadline"]
        await time.passes(9, host)
        await changed(database, change, table, time.now + ahead)
        await host.cache.invalidate(host.cache.get(table))
        await host.scheduler.run_due(table)
        view = await look(host, table)
        assert view["result"] is None
        assert view["now"] == time.now
        assert change is free or view["demand"]["deadline"] == before


async def test_a_clock_that_ran_out_while_the_server_ran_stays_run_out(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, MINUTE)
        await time.passes(60, host)
    time.now += 1000
    store = await Store.open(database_url(database))
    await administration.close_table(store, KEY, table, entry(time.now))
    assert any('"time-up"' in row.body for row in await store.events(table))
    await store.close()


async def test_a_server_that_notices_a_restore_at_its_start_takes_no_time(database: str, tmp_path: Path, time: Time) -> None:
    async def served() -> TableHost:
        return await TableHost.open(settings(database, folder=tmp_path / "data"), time)

    host = await served()
    table = await begun(host, MINUTE)
    before = (await look(host, table))["demand"]["deadline"]
    await host.close()
    backup = await rows_of(database)
    host = await served()
    await play(host, table, ["anna", "ben"], 2, first)
    await time.passes(30, host)
    await host.close()
    await put_back(database, backup)
    time.now += 40_000
    host = await served()
    try:
        await host.scheduler.run_due(table)
        view = await look(host, table)
        assert (view["result"], len(view["fairness"]["earlier"])) == (None, 1)
        assert view["demand"]["deadline"] == before + 30 + 40_000
    finally:
        await host.close()


async def test_a_fail_over_that_goes_back_takes_no_time(database: str, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve minutes pass until a replica that lacks the last event answers. No heartbeat of the
    server comes between the loss of the event and that of the connection."""
    for name in ("HEARTBEAT_INTERVAL", "SWEEP_INTERVAL"):
        monkeypatch.setattr(table_host, name, 10_000.0)
    async with opened(database, time) as host:
        table = await begun(host, Clock(ClockKind.TURN, 600))
        number = (await host.look(table, "anna")).number
        await time.passes(240, host)
        before = (await look(host, table))["demand"]["deadline"]
        await play(host, table, ["anna", "ben"], 1, first)
        await host.outages.begin()
        time.now += 720
        await forget(database, table, number)
        lose(host)
        await host.scheduler.run_due(table)
        view = await look(host, table)
        assert (view["result"], len(view["fairness"]["earlier"])) == (None, 1)
        assert view["demand"]["deadline"] == before + 720


# --- Without a clock ------------------------------------------------------------------------------


async def claim_at(host: TableHost, table: str) -> float | None:
    """Return when a claim against a person who is online becomes possible."""
    return patience_ends_at(await host.cache.state_of(table))


@pytest.mark.parametrize("change", [rotate, shut, renew])
async def test_a_change_does_not_make_a_person_slow(database: str, time: Time, change: Change) -> None:
    async with opened(database, time) as host:
        table = await begun(host, None)
        assert (before := await claim_at(host, table)) is not None
    time.now += PATIENCE - 10
    await changed(database, change, table, time.now)
    async with opened(database, time) as host:
        await time.passes(20, host)
        await host.scheduler.run_due(table)
        assert await claim_at(host, table) == before + PATIENCE - 10


async def test_a_throw_after_an_outage_does_not_make_a_person_slow(database: str, time: Time) -> None:
    """The outage ends before a claim is possible. Time is given back when the turn goes on."""
    async with opened(database, time) as host:
        table = await begun(host, None)
        assert (before := await claim_at(host, table)) is not None
    time.now += PATIENCE - 10
    async with opened(database, time) as host:
        assert await play(host, table, ["anna", "ben"], 1, first) == 1
        assert await claim_at(host, table) == before + PATIENCE - 10
        assert await play(host, table, ["anna", "ben"], 4, first) == 4
        events = [row.body for row in await host.store.events(table)]
        assert sum('"clock-held"' in body for body in events) == 1
