"""Workers on machines whose clocks differ: no player loses time, no table is abandoned early."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from dicecup.hosting import outages
from dicecup.hosting.outages import INTERVAL
from dicecup.hosting.presence import OFFLINE_AFTER, Presence
from dicecup.hosting.settings import SILENCE
from dicecup.hosting.table_host import TableHost
from dicecup.table.clock import Gap
from dicecup.table.consequences import ABANDONED
from dicecup.table.permissions import PATIENCE
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import first, play
from tests.hosting.test_outages import begun, look, opened
from tests.hosting.test_timers import BETWEEN, Time

MINUTE = Clock(ClockKind.TURN, 60)
AHEAD = (5.0, 60.0, -5.0, -60.0)
"""Seconds by which the second worker is ahead of the first one when it starts."""


@pytest.fixture(autouse=True)
def heartbeats_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save every heartbeat, as workers that share a database do. One on SQLite saves fewer."""
    monkeypatch.setattr(outages, "SAVE_AFTER", INTERVAL)


class Workers:
    """Two workers on one database. Their clocks tick together and differ by a constant."""

    def __init__(self, time: Time, host: TableHost) -> None:
        self.times = [time]
        self.hosts = [host]

    async def run(self, seconds: float) -> None:
        """Let time pass in which both workers run. The first one always makes its proof first."""
        while seconds > 0:
            for time in self.times:
                time.now += min(seconds, BETWEEN)
            seconds -= BETWEEN
            for host in self.hosts:
                await host.outages.heartbeat()

    async def views(self, table: str) -> list[Any]:
        """Return the newest view of a table at every worker."""
        found = []
        for host in self.hosts:
            await host.cache.invalidate(host.cache.get(table))  # as the notification of another worker does
            await host.scheduler.run_due(table)
        for host in self.hosts:
            await host.cache.invalidate(host.cache.get(table))
            found.append(await look(host, table))
        return found

    async def left(self, table: str) -> list[float]:
        """Return the seconds until the deadline of a table at every worker."""
        return [view["demand"]["deadline"] - view["now"] for view in await self.views(table)]


@pytest.fixture
def time() -> Time:
    return Time()


@asynccontextmanager
async def second(database: str, workers: Workers, ahead: float) -> AsyncIterator[TableHost]:
    """Start a second worker with a clock that is `ahead` seconds ahead of the first."""
    time = Time()
    time.now = workers.times[0].now
    time.jumped = ahead
    time = time.after_a_restart(ahead)
    async with opened(database, time) as host:
        workers.times.append(time)
        workers.hosts.append(host)
        yield host
        del workers.times[1:], workers.hosts[1:]


@pytest.mark.parametrize("ahead", AHEAD)
async def test_a_clock_goes_on_at_both_workers_as_if_they_agreed(database: str, time: Time, ahead: float) -> None:
    async with opened(database, time) as one:
        workers = Workers(time, one)
        table = await begun(one, MINUTE)
        await workers.run(3)
        async with second(database, workers, ahead):
            await workers.run(6)
            assert await workers.left(table) == pytest.approx([51, 51], abs=SILENCE)
            await workers.run(30)
            assert await workers.left(table) == pytest.approx([21, 21], abs=SILENCE)
            await workers.run(18)
            assert [view["result"] for view in await workers.views(table)] == [None, None]
            await workers.run(3 + SILENCE)
            assert [view["result"]["end"] for view in await workers.views(table)] == ["time", "time"]


@pytest.mark.slow
@pytest.mark.parametrize("ahead", AHEAD)
async def test_moves_at_either_worker_take_the_time_that_passed(database: str, time: Time, ahead: float) -> None:
    """Each turn lasts six seconds; a clock for the whole game shows what was taken."""
    async with opened(database, time) as one:
        workers = Workers(time, one)
        table = await begun(one, Clock(ClockKind.GAME, 300))
        async with second(database, workers, ahead):
            await workers.run(3)
            before = await left_of_all(workers, table)
            for turn in range(8):
                host = workers.hosts[turn % 2]
                await workers.run(6)
                await workers.views(table)
                assert await play(host, table, ["anna", "ben"], 1, first) == 1
            taken = before - await left_of_all(workers, table)
            # The worker that is behind learns the time of the other one with its next heartbeat.
            assert taken == pytest.approx(48, abs=BETWEEN + 0.1)


async def left_of_all(workers: Workers, table: str) -> float:
    """Return the seconds that all players together have left."""
    return float(sum(seat["time_left"] for seat in (await workers.views(table))[0]["seats"]))


@pytest.mark.slow
@pytest.mark.parametrize("ahead", [60.0, ABANDONED - 10, 2 * ABANDONED, -2 * ABANDONED])
async def test_no_table_is_abandoned_and_nobody_slow_for_a_clock_that_differs(database: str, time: Time, ahead: float) -> None:
    async with opened(database, time) as one:
        workers = Workers(time, one)
        table = await begun(one, None)
        await workers.run(3)
        async with second(database, workers, ahead) as two, all_online(workers, table):
            await two.sweep()
            await workers.run(PATIENCE - 3 - 2 * SILENCE)
            assert [view["result"] for view in await workers.views(table)] == [None, None]
            assert await claims(workers, table) == [False, False]
            await workers.run(3 * SILENCE)
            assert await claims(workers, table) == [True, True]
            assert [view["result"] for view in await workers.views(table)] == [None, None]


async def claims(workers: Workers, table: str) -> list[bool]:
    """Return for each worker whether its views of the table allow a claim to anyone."""
    await workers.views(table)
    may = [
        [word for identity in ("anna", "ben") for word in (await host.look(table, identity)).view["may"]]
        for host in workers.hosts
    ]
    return ["claim win" in words for words in may]


@asynccontextmanager
async def all_online(workers: Workers, table: str) -> AsyncIterator[None]:
    """Connect both people to both workers."""
    async with AsyncExitStack() as stack:
        for host in workers.hosts:
            for identity in ("anna", "ben"):
                await stack.enter_async_context(host.subscribe(table, identity))
        yield


@pytest.mark.parametrize("ahead", AHEAD)
async def test_a_worker_that_starts_again_with_its_own_clock_takes_no_time(database: str, time: Time, ahead: float) -> None:
    """The second worker moves the time forward and ends. Then the first one starts again."""
    async with opened(database, time) as one:
        workers = Workers(time, one)
        table = await begun(one, MINUTE)
        async with second(database, workers, ahead):
            await workers.run(6)
    time = time.after_a_restart(0.0)
    async with opened(database, time) as one:
        workers = Workers(time, one)
        await workers.run(6)
        assert await workers.left(table) == pytest.approx([48], abs=2 * SILENCE)


def test_presence_at_other_workers_is_held_during_outages() -> None:
    presence = Presence(1000.0)
    presence.merge({("t", "anna"): 900.0, ("t", "ben"): 950.0}, lambda seen: [Gap(900.0, 960.0)] if seen < 960.0 else [])
    away = presence.offline("t", {0: "anna", 1: "ben"}, 960.0 + OFFLINE_AFTER)
    assert away == {0: 960.0, 1: 960.0}
    assert presence.offline("t", {0: "anna", 1: "ben"}, 959.0 + OFFLINE_AFTER) == {}


@pytest.mark.parametrize("ahead", [60.0, 1000.0])
async def test_nobody_is_offline_because_a_worker_is_ahead(database: str, time: Time, ahead: float) -> None:
    async with opened(database, time) as one:
        workers = Workers(time, one)
        table = await begun(one, None)
        async with one.subscribe(table, "anna"), one.subscribe(table, "ben"):
            await workers.run(3)
            await one.sweep()
            async with second(database, workers, ahead) as two, two.subscribe(table, "anna"):
                await two.sweep()
                view = (await two.look(table, "anna")).view
                assert [seat["away_since"] for seat in view["seats"]] == [None, None]


async def test_nobody_has_left_while_no_worker_ran(database: str, time: Time) -> None:
    async with opened(database, time) as host:
        table = await begun(host, None)
        async with host.subscribe(table, "anna"), host.subscribe(table, "ben"):
            await host.sweep()
    time.now += 1000
    async with opened(database, time) as host, host.subscribe(table, "anna"):
        await host.sweep()
        view = (await host.look(table, "anna")).view
        assert [seat["away_since"] for seat in view["seats"]] == [None, None]
