"""Reports: kept once, until they are resolved, then for 90 days, and no longer than their table."""

from typing import Any

from dicecup.hosting.retention import REPORTS_KEPT, Retention
from dicecup.hosting.store import Store
from dicecup.hosting.store.old_tables import delete_tables
from dicecup.hosting.store.reports import Report, open_reports, reports_of, resolve_report, save_report
from dicecup.hosting.table_export import export_tables
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, entry

NOW = 1_800_000_000.0


def report(**changed: Any) -> Report:
    return Report(0, NOW, "anna", "ben", "insult", "0" * 20, None, {"names": ["Ben"]})._replace(**changed)


async def test_the_same_report_counts_once_while_it_is_open(store: Store) -> None:
    assert await save_report(store, report())
    others = (
        report(reporter="carla"),
        report(reported="carla"),
        report(table_id="1" * 20),
        report(event=7),
        report(reason="name"),
    )
    for other in others:
        assert await save_report(store, other)
        assert not await save_report(store, other._replace(time=NOW + 1))
    assert await open_reports(store) == 6
    first = (await reports_of(store))[0]
    await resolve_report(store, first.number, "done", entry(NOW, "resolve"))
    assert await save_report(store, report())
    assert (await reports_of(store, resolved=True)) == [first._replace(resolved=NOW, note="done")]


async def test_a_further_remark_is_added_to_an_open_report(store: Store) -> None:
    for remark in ("", "He shouts.", "He shouts.", "", "And again."):
        await save_report(store, report(remark=remark))
    assert [each.remark for each in await reports_of(store)] == ["He shouts.\nAnd again."]


async def test_reports_are_deleted_with_retention(store: Store) -> None:
    now = NOW
    retention = Retention(store, 0, lambda: now, lambda _: None)
    await save_report(store, report())
    await save_report(store, report(reporter="carla", table_id="1" * 20))
    (first, second) = await reports_of(store)
    await resolve_report(store, first.number, "", entry(NOW, "resolve"))
    now = NOW + REPORTS_KEPT
    await retention.sweep()
    assert len(await reports_of(store, resolved=True)) == 1
    now += 1
    await retention.sweep()
    assert (await reports_of(store, resolved=True), await open_reports(store)) == ([], 1)
    await delete_tables(store, [second.table_id])
    assert await open_reports(store) == 0


async def test_reports_are_not_in_exports(host: TableHost) -> None:
    made = await host.create("ben", alone(), name="Ben")
    await save_report(host.store, report(table_id=made.table, reason="cheating"))
    lines = [line async for line in export_tables(host.store)]
    assert lines
    assert all("cheating" not in line for line in lines)


async def test_reports_about_a_table_are_deleted_with_it(store: Store) -> None:
    await save_report(store, report())
    await save_report(store, report(table_id="1" * 20))
    await store.delete("0" * 20)
    assert [each.table_id for each in await reports_of(store)] == ["1" * 20]
