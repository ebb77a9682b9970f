"""Timers of tables: clocks, offline people and late seeds; and tables under another host key."""

from collections.abc import AsyncIterator

import pytest

from dicecup.hosting.errors import HostingError
from dicecup.hosting.key_of_database import adopt_host_key
from dicecup.hosting.link_keys import TableKeys
from dicecup.hosting.presence import OFFLINE_AFTER
from dicecup.hosting.scheduler import DUE_AT_ONCE
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.settings import SILENCE
from dicecup.hosting.store import Append, Digest, EventRow
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Claim, Rematch, Remedy, Resign, Sit, Throw
from dicecup.table.errors import TableCode, TableError
from dicecup.table.permissions import GRACE, PATIENCE
from dicecup.table.setup import Clock, ClockKind
from tests.hosting.guests import play, settings, two

KEY = bytes(32)


BETWEEN = 0.75 * SILENCE
"""Seconds between two heartbeats of a server that runs."""


class Time(ServerClock):
    """Clock that only the test moves. `jumped` is the jump of the system time."""

    def __init__(self) -> None:
        self.now = 1e9
        self.jumped = 0.0
        super().__init__(lambda: self.now + self.jumped, lambda: self.now)

    def after_a_restart(self, jumped: float) -> "Time":
        """Return the clock of a new process on a machine whose system time has jumped."""
        new = Time.__new__(Time)
        new.now, new.jumped = self.now, jumped
        ServerClock.__init__(new, lambda: new.now + new.jumped, lambda: new.now)
        return new

    async def ran(self, seconds: float, host: TableHost) -> None:
        """Let a longer time pass in which the server runs, without heartbeats in between."""
        async with host.outages._beating:
            self.now += seconds
            host.outages._last = self()

    async def passes(self, seconds: float, *hosts: TableHost) -> None:
        """Let time pass while the servers run. Moving `now` alone freezes them."""
        while seconds > 0:
            self.now += min(seconds, BETWEEN)
            seconds -= BETWEEN
            for host in hosts:
                await host.outages.heartbeat()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def host(database: str, time: Time) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(database), time)
    yield opened
    await opened.close()


async def started(host: TableHost, clock: Clock | None = None) -> TableKeys:
    """Return a table at which the game of Anna and Ben has begun."""
    made = await host.create("anna", two(clock=clock), name="Anna")
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    await play(host, made.table, ["anna", "ben"], 4)
    return made


async def run_host(host: TableHost, time: Time, seconds: float) -> None:
    """Let time pass in which the host runs: it sweeps every 10 seconds."""
    while seconds > 0:
        await time.ran(min(seconds, 10), host)
        seconds -= 10
        await host.sweep()


async def test_the_clock_of_an_evicted_table_expires(host: TableHost, time: Time) -> None:
    made = await started(host, Clock(ClockKind.TURN, 10))
    host.cache.get(made.table).used = -1e9
    host.cache.evict_idle()
    await time.passes(9, host)
    await host.sweep()
    assert (await host.look(made.table, "anna")).view["result"] is None
    await time.passes(2, host)
    await host.sweep()
    assert (await host.look(made.table, "anna")).view["result"]["end"] == "time"
    assert await host.store.due(1e12) == []


async def test_of_many_due_tables_a_few_are_handled_at_a_time(
    host: TableHost, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [await started(host, Clock(ClockKind.TURN, 10)) for _ in range(DUE_AT_ONCE + 2)]
    run_due, running, most = host.scheduler.run_due, 0, 0

    async def counted(table: str) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await run_due(table)
        running -= 1

    monkeypatch.setattr(host.scheduler, "run_due", counted)
    await time.passes(11, host)
    await host.sweep()
    assert most == DUE_AT_ONCE
    for keys in made:
        assert (await host.look(keys.table, "anna")).view["result"]["end"] == "time"


async def test_of_two_workers_one_saves_the_timeout(database: str, host: TableHost, time: Time) -> None:
    other = await TableHost.open(settings(database), time)
    try:
        made = await started(host, Clock(ClockKind.TURN, 10))
        await other.look(made.table, "anna")
        await time.passes(11, host, other)
        await host.sweep()
        await other.sweep()
        rows = await host.store.events(made.table)
        assert sum('"time-up"' in row.body for row in rows) == 1
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    finally:
        await other.close()


async def test_a_seat_that_does_not_reveal_in_time_gets_the_empty_seed(host: TableHost, time: Time) -> None:
    made = await host.create("anna", two(), name="Anna")
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    async with host.subscribe(made.table, "anna") as updates:
        await anext(updates)
        await time.passes(61, host)
        await host.sweep()
        async for update in updates:
            if update.events:
                break
        types = [event["type"] for event in update.events]
    assert types[:3] == ["seed-revealed", "seed-revealed", "started"]


async def test_an_offline_player_can_be_claimed_against(host: TableHost, time: Time) -> None:
    made = await started(host)
    number = (await host.look(made.table, "anna")).number
    waits_for = (await host.look(made.table, "anna")).view["demand"]["seats"][0]
    gone, there = ("anna", "ben") if waits_for == 0 else ("ben", "anna")

    async def claim(name: str) -> int:
        return await host.send(made.table, there, Claim(Remedy.WIN), version=number, command_id=name)

    async with host.subscribe(made.table, there) as updates:
        await anext(updates)
        async with host.subscribe(made.table, gone) as others:
            await anext(others)
            await run_host(host, time, OFFLINE_AFTER + 200)
            assert (await host.look(made.table, there)).view["seats"][waits_for]["away_since"] is None
        await run_host(host, time, OFFLINE_AFTER - 1)
        host.publish_presence()
        await time.passes(1, host)
        await host.sweep()
        update = await anext(updates)
        assert (update.number, update.events) == (number, ())
        assert update.view["seats"][waits_for]["away_since"] == time.now - OFFLINE_AFTER
        with pytest.raises(TableError) as refused:
            await claim("c1")
        assert refused.value.code is TableCode.NOT_AWAY
        async with host.subscribe(made.table, gone):
            assert (await anext(updates)).view["seats"][waits_for]["away_since"] is None
        await run_host(host, time, OFFLINE_AFTER + 61)
        assert await claim("c2") > number
        assert (await host.look(made.table, there)).view["result"]["end"] == "abandoned"


async def test_an_online_player_who_does_not_play_can_be_claimed_against(host: TableHost, time: Time) -> None:
    made = await started(host)
    seen = await host.look(made.table, "anna")
    slow = seen.view["demand"]["seats"][0]
    names = ["anna", "ben"]
    async with host.subscribe(made.table, names[slow]), host.subscribe(made.table, names[1 - slow]):
        for passed, code in ((PATIENCE - 1, TableCode.NOT_AWAY), (1, None)):
            await run_host(host, time, passed)
            try:
                await host.send(made.table, names[1 - slow], Claim(Remedy.WIN), version=seen.number, command_id=f"c{passed}")
            except TableError as error:
                assert error.code is code
    assert (await host.look(made.table, "anna")).view["result"]["winners"] == [1 - slow]


async def test_a_polling_client_is_online(host: TableHost, time: Time) -> None:
    made = await started(host)
    for _ in range(10):
        await time.passes(OFFLINE_AFTER - 1, host)
        for name in ("anna", "ben"):
            await host.look(made.table, name)
    seen = await host.look(made.table, None, made.watch)
    assert [seat["away_since"] for seat in seen.view["seats"]] == [None, None]
    await time.passes(OFFLINE_AFTER, host)
    seen = await host.look(made.table, None, made.watch)
    assert None not in [seat["away_since"] for seat in seen.view["seats"]]


async def test_a_replaced_person_may_look_but_gets_no_links(host: TableHost, time: Time) -> None:
    made = await started(host)
    seen = await host.look(made.table, "anna")
    gone, there = ("anna", "ben") if seen.view["demand"]["seats"][0] == 0 else ("ben", "anna")
    await run_host(host, time, OFFLINE_AFTER + 61)
    claim = Claim(Remedy.COMPUTER, "random")
    await host.send(made.table, there, claim, version=seen.number, command_id="c")
    seen = await host.look(made.table, gone)
    assert seen.view["you"] == []
    with pytest.raises(TableError) as refused:
        await host.send(made.table, gone, Resign(), version=seen.number, command_id="r")
    assert refused.value.code is TableCode.NOT_YOUR_SEAT
    with pytest.raises(TableError) as refused:
        await host.keys_for(made.table, gone)
    assert refused.value.code is TableCode.NOT_YOUR_SEAT
    assert await host.keys_for(made.table, there) == made
    with pytest.raises(HostingError):
        await host.look(made.table, "clara")
    with pytest.raises(HostingError):
        await host.keys_for(made.table, "clara")


async def test_players_are_online_at_the_next_table(host: TableHost, time: Time) -> None:
    made = await started(host)
    await time.ran(1000, host)
    for who, command in (("anna", Resign()), ("anna", Rematch()), ("ben", Rematch())):
        number = (await host.look(made.table, who)).number
        await host.send(made.table, who, command, version=number, command_id=f"{who} {command.type}")
    following = (await host.look(made.table, "anna")).view["next"]
    assert [seat["away_since"] for seat in (await host.look(following, "anna")).view["seats"]] == [None, None]


async def test_workers_share_presence(database: str, host: TableHost, time: Time) -> None:
    if not host.store.shared:
        return  # one process serves an SQLite file
    made = await started(host)
    other = await TableHost.open(settings(database), time)
    try:
        async with host.subscribe(made.table, "anna") as updates, other.subscribe(made.table, "ben") as others:
            await anext(updates)
            await anext(others)
            for _ in range(10):
                await time.passes(5, host, other)
                for one in (host, other, host):
                    await one.sweep()
            views = [(await one.look(made.table, "anna")).view for one in (host, other)]
            assert [seat["away_since"] for view in views for seat in view["seats"]] == [None] * 4
    finally:
        await other.close()


async def refused_claim(host: TableHost, table: str, identity: str) -> TableError:
    number = (await host.look(table, identity)).number
    with pytest.raises(TableError) as refused:
        await host.send(table, identity, Claim(Remedy.WIN), version=number, command_id="c")
    return refused.value


async def test_an_eviction_makes_nobody_offline_who_has_just_gone(host: TableHost, time: Time) -> None:
    made = await started(host)
    slow = (await host.look(made.table, "anna")).view["demand"]["seats"][0]
    gone, there = ("anna", "ben")[slow], ("anna", "ben")[1 - slow]
    async with host.subscribe(made.table, gone), host.subscribe(made.table, there):
        await run_host(host, time, GRACE + 60)
    host.cache.get(made.table).used = -1e9
    await host.sweep()
    assert made.table not in host.cache.tables
    await time.passes(GRACE - 1, host)
    await host.sweep()
    async with host.subscribe(made.table, there):
        assert (await refused_claim(host, made.table, there)).code is TableCode.NOT_AWAY
    host.cache.get(made.table).used = -1e9
    await time.passes(GRACE + 1, host)
    await host.sweep()
    assert not host.presence._last_seen


async def test_a_deleted_table_leaves_no_presence(host: TableHost, time: Time) -> None:
    made = await started(host)
    async with host.subscribe(made.table, "anna"):
        host.cache.delete(made.table)
    await time.passes(GRACE + 1, host)
    await host.sweep()
    assert not host.presence._last_seen


async def test_a_worker_knows_who_is_connected_to_another_when_a_table_is_loaded(
    database: str, host: TableHost, time: Time
) -> None:
    if not host.store.shared:
        return  # one process serves an SQLite file
    other = await TableHost.open(settings(database), time)
    try:
        made = await started(host)
        slow = (await host.look(made.table, "anna")).view["demand"]["seats"][0]
        playing, there = ("anna", "ben")[slow], ("anna", "ben")[1 - slow]
        async with host.subscribe(made.table, playing):
            await time.passes(GRACE + 60, host, other)
            await host.sweep()
            assert (await refused_claim(other, made.table, there)).code is TableCode.NOT_AWAY
            async with other.subscribe(made.table, there) as updates:
                assert (await anext(updates)).view["seats"][slow]["away_since"] is None
    finally:
        await other.close()


async def test_under_another_key_the_commitment_ends_openly(database: str, time: Time) -> None:
    host = await TableHost.open(settings(database), time)
    made = await started(host)
    before = (await host.look(made.table, "anna")).view["fairness"]["commitment"]
    await adopt_host_key(host.store, settings(database, key=KEY))
    await host.close()
    host = await TableHost.open(settings(database, key=KEY), time)
    try:
        seen = await host.look(made.table, "anna")
        thrower = ("anna", "ben")[seen.view["demand"]["seats"][0]]
        await host.send(made.table, thrower, Throw(), version=seen.number, command_id="t")
        async with host.subscribe(made.table, "anna", since=seen.number) as updates:
            update = await anext(updates)
        assert [event["type"] for event in update.events] == ["commitment-ended", "commitment-begun", "thrown"]
        assert update.events[0]["commitment"] == before != update.view["fairness"]["commitment"]
    finally:
        await host.close()


async def test_a_table_that_cannot_be_read_disturbs_no_other(
    host: TableHost, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Digest("broken", "yam-master", "running", 1.0, None, 2.0, "{}", ())
    await host.store.append(Append((EventRow("broken", 1, 1.0, "{}"),), broken))
    made = await started(host, Clock(ClockKind.TURN, 10))
    host.cache.get(made.table).used = -1e9
    host.cache.evict_idle()
    await time.passes(11, host)
    await host.sweep()
    assert (await host.look(made.table, "anna")).view["result"]["end"] == "time"
    with pytest.raises(TableError) as refused:
        await host.look("broken", None)
    assert refused.value.code is TableCode.NOT_AN_EVENT
    assert "table broken failed: not-an-event" in caplog.text
