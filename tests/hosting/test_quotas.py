"""Quotas of networks by day, with a clock that the test moves, and the deletion of old tables."""

from collections.abc import Mapping

import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.quotas import DAY, Quota, Quotas
from dicecup.hosting.retention import BATCH, Retention
from dicecup.hosting.server_clock import ServerClock
from dicecup.hosting.store import Store
from dicecup.hosting.store.models import EVENTS, FINISHED
from dicecup.hosting.store.notifications import Change
from dicecup.hosting.store.old_tables import ended_before
from dicecup.hosting.store.reviews import reviews_of, save_review
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import StandUp
from tests.hosting.guests import KEY, settings, two

LIMITS = {Quota.TABLES: 3, Quota.IDENTITIES: 2, Quota.BYTES: 100}


class Day:
    """A clock in seconds since 1970."""

    def __init__(self) -> None:
        self.now = 20_000.0 * DAY

    def __call__(self) -> float:
        return self.now


def take(quotas: Quotas, quota: Quota = Quota.TABLES, network: str = "192.0.2.1", amount: int = 1) -> bool:
    try:
        quotas.take(quota, network, amount)
    except HostingError as refused:
        assert (refused.code, refused.details["most"]) == (HostingCode.TOO_MUCH_TODAY, LIMITS[quota])
        return False
    return True


async def test_a_network_has_quotas_of_a_day(store: Store) -> None:
    clock = Day()
    quotas = Quotas(store, LIMITS, KEY, clock)
    assert [take(quotas) for _ in range(5)] == [True] * 3 + [False] * 2
    assert take(quotas, network="192.0.2.2")
    assert take(quotas, Quota.IDENTITIES)
    assert [take(quotas, Quota.BYTES, amount=bytes_) for bytes_ in (60, 60, 40)] == [True, False, True]
    clock.now += DAY - 1
    assert not take(quotas)
    clock.now += 1
    assert take(quotas)


async def test_quotas_hold_over_restarts_and_between_workers(store: Store) -> None:
    clock = Day()
    one, other = (Quotas(store, LIMITS, KEY, clock) for _ in range(2))
    assert take(one)
    assert take(other)
    for quotas in (one, other, one):
        await quotas.synchronise()
    if store.shared:  # one process serves an SQLite file
        assert [take(one), take(one)] == [True, False]
        await one.synchronise()
        await other.synchronise()
        assert not take(other)
    restarted = Quotas(store, LIMITS, KEY, clock)
    await restarted.synchronise()
    assert [take(restarted), take(restarted)] == [not store.shared, False]
    clock.now += DAY
    assert take(restarted)
    await restarted.synchronise()
    assert [take(restarted) for _ in range(3)] == [True, True, False]


async def test_the_database_holds_no_address(store: Store) -> None:
    from dicecup.hosting.store.daily_use import add_use

    quotas = Quotas(store, LIMITS, KEY, Day())
    take(quotas)
    await quotas.synchronise()
    (use,) = await add_use(store, 20_000, {})
    assert "192" not in use.network
    assert await add_use(store, 20_001, {}) == {}


# --- Old tables -----------------------------------------------------------------------------------


async def test_tables_that_ended_long_ago_are_deleted_with_all_that_derives_from_them(database: str) -> None:
    clock = Day()
    host = await TableHost.open(settings(database), ServerClock(clock, clock))
    try:
        old = (await host.create("anna", two(), name="Anna")).table
        await host.send(old, "anna", StandUp(), version=(await host.look(old, "anna")).number, command_id="r")
        await save_review(host.store, old, "{}")
        clock.now += 40 * DAY
        young = (await host.create("anna", two(), name="Anna")).table
        await host.send(young, "anna", StandUp(), version=(await host.look(young, "anna")).number, command_id="r")
        running = (await host.create("anna", two(), name="Anna")).table
        told: list[str] = []
        retention = Retention(host.store, 30, clock, told.append)
        await retention.sweep()
        assert (told, retention.deleted) == ([old], 1)
        assert set(await host.store.newest([old, young, running])) == {young, running}
        assert {table.table for table in await host.tables_of("anna")} == {running}
        assert await reviews_of(host.store, [old]) == {}
        clock.now += 31 * DAY
        await retention.sweep()
        assert set(await host.store.newest([old, young, running])) == {running}
    finally:
        await host.close()


async def test_many_old_tables_are_deleted_in_batches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number:020x}" for number in range(2 * BATCH + 1)]

    def fill(connection: object) -> None:
        from sqlalchemy import Connection, insert

        assert isinstance(connection, Connection)
        faces = {f"face_{face}": 0 for face in range(1, 7)}
        connection.execute(insert(FINISHED), [{"table_id": name, "game": "yamm", "ended": 1.0, **faces} for name in names])
        connection.execute(insert(EVENTS), [{"table_id": name, "number": 1, "time": 1.0, "body": "{}"} for name in names])

    await store.writer.work(fill)
    sizes: list[int] = []
    notify = store.notify

    async def noted(changes: Mapping[str, Change]) -> None:
        sizes.append(len(changes))
        await notify(changes)

    monkeypatch.setattr(store, "notify", noted)
    await Retention(store, 1, Day(), lambda _: None).sweep()
    assert sizes == [BATCH, BATCH, 1]
    assert await store.newest(names) == {}
    assert await ended_before(store, 1e12, 1) == []
