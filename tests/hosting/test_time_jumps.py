"""Jumps of the system time: no clock changes and no table is abandoned, also after a restart."""

import asyncio
import logging
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import SILENCE
from dicecup.hosting.table_host import TableHost
from dicecup.table.consequences import ABANDONED
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import settings as hosted
from tests.hosting.guests import two
from tests.hosting.test_outages import begun, look, opened
from tests.hosting.test_timers import Time

HOUR = 3600.0
DAY = 24 * HOUR
MINUTE = Clock(ClockKind.TURN, 60)


@pytest.fixture
def time() -> Time:
    return Time()


def test_a_jump_changes_no_time_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    time = Time()
    before = time()
    with caplog.at_level(logging.WARNING):
        for jumped in (0.0, 31 * DAY, 31 * DAY, 0.0, 0.5, -HOUR):
            time.jumped = jumped
            time.log_jump()
            assert time() == before
    assert ["2678400.0" in line or "+0.0" in line or "-3600.0" in line for line in caplog.messages] == [True] * 3


def test_a_clock_begins_at_the_system_time_and_never_goes_back() -> None:
    clock = ServerClock(lambda: 1000.0, lambda: 7.0)
    assert clock() == 1000.0
    clock.not_before(900.0)
    assert clock() == 1000.0
    clock.not_before(1500.0)
    assert clock() == 1500.0


@pytest.mark.parametrize("jumps", [(31 * DAY,), (HOUR, 0.0), (-HOUR,), (-31 * DAY, 31 * DAY)])
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_jump_changes_no_clock_and_abandons_no_table(
    database: str, time: Time, jumps: tuple[float, ...], restarted: bool
) -> None:
    ran = 0.0
    async with opened(database, time) as host:
        tables = [await begun(host, clock) for clock in (MINUTE, None)]
        before = await look(host, tables[0])
        deadline = before["demand"]["deadline"] - time()
        if not restarted:
            for jumped in jumps:
                time.jumped = jumped
                await time.passes(6, host)
                ran += 6
                await host.sweep()
            await check(host, time, tables, deadline - ran)
    for jumped in jumps if restarted else ():
        time = time.after_a_restart(jumped)
        async with opened(database, time) as host:
            await time.passes(6, host)
            ran += 6
            await host.sweep()
            await check(host, time, tables, deadline - ran)


async def check(host: TableHost, time: Time, tables: list[str], left: float) -> None:
    for table in tables:
        await host.scheduler.run_due(table)
        assert (await look(host, table))["result"] is None
    assert (await look(host, tables[0]))["demand"]["deadline"] - time() == pytest.approx(left, abs=1e-3)
    assert (await look(host, tables[0]))["demand"]["deadline"] > 0


steps = st.lists(
    st.tuples(
        st.sampled_from(["runs", "jumps", "freezes", "restarts"]),
        st.sampled_from([0.5, 3.0, 7.0, HOUR, -HOUR, 31 * DAY]),
    ),
    max_size=6,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(steps)
def test_a_clock_counts_the_time_in_which_the_server_ran(given: list[tuple[str, float]]) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(counted(Path(folder), given))


async def counted(folder: Path, given: list[tuple[str, float]]) -> None:
    """Take steps and compare the clock of a table with the time in which a server ran.

    Of a freeze or a restart that is too short to be an outage, the time may count.
    """
    database, time, left, short = f"sqlite:///{folder / 'tables.sqlite'}", Time(), 60.0, 0.0
    host = await TableHost.open(hosted(database), time)
    tables = [await begun(host, clock) for clock in (MINUTE, None)]
    for step, seconds in given:
        match step:
            case "restarts":
                await host.close()
                time = time.after_a_restart(seconds)
                host = await TableHost.open(hosted(database), time)
            case "jumps":
                time.jumped = seconds
            case "freezes":
                time.now += abs(seconds)
            case _ if abs(seconds) < 10:
                await time.passes(abs(seconds), host)
                left -= abs(seconds)
        if 0 < seconds <= SILENCE and step in ("freezes", "restarts"):
            short += seconds
        for table in tables:
            await host.scheduler.run_due(table)
            assert (await look(host, table))["result"] is None
        remaining = (await look(host, tables[0]))["demand"]["deadline"] - time()
        assert left - short - 0.01 <= remaining <= left + 0.01
    await host.close()


async def test_a_table_is_abandoned_after_a_month_in_which_the_server_ran(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = (await host.create("anna", two(), name="Anna")).table
        number = (await host.look(table, "anna")).number
    time.now += 2 * ABANDONED
    async with opened(database, time) as host:
        await host.sweep()
        assert (await look(host, table))["result"] is None
        assert (await host.look(table, "anna")).number == number + 1
        await time.ran(ABANDONED, host)
        await host.scheduler.run_due(table)
        assert (await look(host, table))["result"]["end"] == "abandoned"
