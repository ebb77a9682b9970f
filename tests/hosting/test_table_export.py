"""Export and import of tables, and closing and deleting tables with subscribers."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from time import time
from typing import Any

import pytest

from dicecup.core.errors import DicecupError
from dicecup.hosting import administration, table_export
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import digest_of_rows
from dicecup.hosting.link_keys import TableKeys
from dicecup.hosting.outages import LastServed
from dicecup.hosting.store import SeatedIdentity, Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_export import ImportResult
from dicecup.hosting.table_host import TableHost
from dicecup.hosting.timeline import begin_timeline
from dicecup.table.commands import Resign, Sit
from dicecup.table.fairness import FairnessError
from tests.hosting.guests import KEY, alone, entry, play, settings, two
from tests.hosting.test_restored import thrown

OTHER_KEY = bytes(32)
LATER = time() + 60


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(database_url(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"))
    yield store
    await store.close()


async def lines(store: Store, *tables: str) -> list[bytes]:
    return [line.encode() async for line in table_export.export_tables(store, tables)]


async def seated(host: TableHost) -> TableKeys:
    made = await host.create("anna", two(), name="Anna")
    await host.send(made.table, "ben", Sit("Bén"), version=2, command_id="sit", key=made.join)
    await play(host, made.table, ["anna", "ben"], 15)
    return made


async def test_an_imported_table_equals_the_exported_one(host: TableHost, elsewhere: Store) -> None:
    tables = [(await seated(host)).table for _ in range(2)]
    over = await host.create("anna", two(), seats=[(0, "Anna"), (1, "Ben")])
    await play(host, over.table, ["anna"], 9)
    await host.send(over.table, "anna", Resign(), version=(await host.look(over.table, "anna")).number, command_id="r")
    for line in await lines(host.store):
        assert await table_export.import_table(elsewhere, KEY, line, LATER) is ImportResult.NEW
        assert await table_export.import_table(elsewhere, KEY, line, LATER) is ImportResult.KNOWN
    for table in [*tables, over.table]:
        assert await elsewhere.events(table) == await host.store.events(table)
    assert await elsewhere.tables() == await host.store.tables()
    assert await elsewhere.tables_of("anna") == await host.store.tables_of("anna")
    assert await elsewhere.faces() == await host.store.faces()
    assert sorted(await lines(elsewhere)) == sorted(await lines(host.store))


async def test_a_table_that_went_on_is_continued(host: TableHost, elsewhere: Store) -> None:
    made = await seated(host)
    (before,) = await lines(host.store, made.table)
    await play(host, made.table, ["anna", "ben"], 3)
    (after,) = await lines(host.store, made.table)
    assert await table_export.import_table(elsewhere, KEY, before, LATER) is ImportResult.NEW
    assert await table_export.import_table(elsewhere, KEY, after, LATER) is ImportResult.LONGER
    assert await table_export.import_table(elsewhere, KEY, before, LATER) is ImportResult.KNOWN
    assert await elsewhere.events(made.table) == await host.store.events(made.table)


async def test_an_export_with_a_command_twice_is_refused(host: TableHost, elsewhere: Store) -> None:
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 4)
    (line,) = await lines(host.store, made.table)
    data = json.loads(line)
    commands = [event for event in data["events"] if "command" in event]
    for event in commands[-2:]:
        event.update(identity="anna", command="twice")
    with pytest.raises(HostingError) as refused:
        await table_export.import_table(elsewhere, KEY, json.dumps(data).encode(), LATER)
    assert (refused.value.code, refused.value.details["text"]) == (HostingCode.NOT_AN_EXPORT, "command")
    assert await elsewhere.events(made.table) == []


async def test_other_events_of_a_table_are_refused(host: TableHost, elsewhere: Store) -> None:
    made = await seated(host)
    (line,) = await lines(host.store, made.table)
    await table_export.import_table(elsewhere, KEY, line, LATER)
    await administration.close_table(elsewhere, KEY, made.table, entry(LATER))
    await play(host, made.table, ["anna", "ben"], 3)
    (line,) = await lines(host.store, made.table)
    before = await elsewhere.events(made.table)
    with pytest.raises(HostingError) as refused:
        await table_export.import_table(elsewhere, KEY, line, LATER)
    assert refused.value.code is HostingCode.TABLE_DIFFERS
    assert await elsewhere.events(made.table) == before


async def test_another_host_key_changes_open_commitments_only(host: TableHost, elsewhere: Store) -> None:
    made = await seated(host)
    over = await host.create("anna", two(), seats=[(0, "Anna"), (1, "Ben")])
    await play(host, over.table, ["anna"], 9)
    await host.send(over.table, "anna", Resign(), version=(await host.look(over.table, "anna")).number, command_id="r")
    for line in await lines(host.store):
        await table_export.import_table(elsewhere, OTHER_KEY, line, time())
    new = (await elsewhere.events(made.table))[len(await host.store.events(made.table)) :]
    assert [json.loads(row.body)["type"] for row in new] == ["commitment-ended", "commitment-begun"]
    assert await elsewhere.events(over.table) == await host.store.events(over.table)


@pytest.mark.parametrize("renewed", [True, False])
async def test_dice_after_an_export_fall_again_unless_the_tables_are_renewed(
    host: TableHost, tmp_path: Path, renewed: bool
) -> None:
    """The server ran on after the export, and the import has the same host key."""
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 4)
    (line,) = await lines(host.store, made.table)
    number = (await host.look(made.table, "anna")).number
    await play(host, made.table, ["anna"], 14)
    seen = await thrown(host, made.table, number)
    database = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    store = await Store.open(database_url(database))
    await table_export.import_table(store, KEY, line, LATER)
    if renewed:  # as `dicecup admin restored`
        assert await begin_timeline(store, KEY, LastServed(LATER, ())) == 1
    await store.close()
    moved = await TableHost.open(settings(database))
    try:
        await play(moved, made.table, ["anna"], 14)
        assert ((await thrown(moved, made.table, number))[:3] == seen[:3]) is not renewed
    finally:
        await moved.close()


async def test_an_export_of_an_open_table_holds_no_secret(host: TableHost) -> None:
    made = await seated(host)
    (line,) = await lines(host.store, made.table)
    for secret in (KEY.hex(), host.secret_of(made.table).hex(), made.join, made.watch):
        assert secret.encode() not in line


def changed(line: bytes, number: int, **event: Any) -> bytes:
    """Return the export with a changed event of this number."""
    data = json.loads(line)
    data["events"][number - 1]["event"] |= event
    return json.dumps(data).encode()


async def test_an_impossible_log_is_not_imported(host: TableHost, elsewhere: Store) -> None:
    made = await seated(host)
    (line,) = await lines(host.store, made.table)
    data = json.loads(line)
    wrong = [
        b"",
        b"\xff",
        b"[" * 100_000,
        b"[]",
        b'{"table":"t","events":[]}',
        line.replace(made.table.encode(), b"../etc", 1),
        changed(line, 2, seat=7),
        changed(line, 1, commitment="x"),
        changed(line, len(data["events"]), type="ended", end="line", result="x 9-9", winners=[0]),
        json.dumps(data | {"events": data["events"][1:]}).encode(),
        json.dumps(data | {"events": data["events"][:3] + data["events"][4:]}).encode(),
        json.dumps(data | {"more": 1}).encode(),
        *(
            json.dumps(data | {"events": [data["events"][0] | {"time": time}, *data["events"][1:]]}).encode()
            for time in (float("nan"), float("inf"), -1, "1", True, 1e300, 10**400, data["events"][1]["time"] + 1)
        ),
        json.dumps(data | {"events": [data["events"][0] | {"identity": "x" * 101}, *data["events"][1:]]}).encode(),
        json.dumps(data | {"events": [data["events"][0] | {"identity": 1}, *data["events"][1:]]}).encode(),
    ]
    for text in wrong:
        with pytest.raises(DicecupError):
            await table_export.import_table(elsewhere, KEY, text, time())
    assert [table async for table in elsewhere.all_tables()] == []


@pytest.mark.parametrize("kind", ["lot-cast", "thrown"])
@pytest.mark.parametrize("over", [True, False])
async def test_dice_that_contradict_their_secret_are_not_imported(
    host: TableHost, elsewhere: Store, kind: str, over: bool
) -> None:
    """The secret is published at the end; before it only the host that made the dice knows it."""
    made = await seated(host)
    if over:
        await administration.close_table(host.store, KEY, made.table, entry(LATER))
    (line,) = await lines(host.store, made.table)
    events = [event["event"] for event in json.loads(line)["events"]]
    number, event = next((number, event) for number, event in enumerate(events, 1) if event["type"] == kind)
    if kind == "thrown":
        forged = changed(line, number, dice="11111" if event["dice"] != "11111" else "22222")
        code = "throw-mismatch"
    else:
        forged = changed(line, number, face=(event["face"] + 1) % 6 + 1)  # the same player begins
        code = "start-mismatch"
    with pytest.raises(FairnessError) as refused:
        await table_export.import_table(elsewhere, OTHER_KEY if over else KEY, forged, LATER)
    assert str(refused.value.code) == code
    assert await elsewhere.events(made.table) == []


async def test_a_table_is_closed_once_and_subscribers_notified(host: TableHost) -> None:
    made = await seated(host)
    other = await Store.open(host.settings.database)
    try:
        async with host.subscribe(made.table, "anna") as updates:
            await anext(updates)
            assert await administration.close_table(other, KEY, made.table, entry(time()))
            assert not await administration.close_table(other, KEY, made.table, entry(time()))
            async for update in updates:
                if update.view["result"]:
                    break
        assert [event["type"] for event in update.events] == ["ended", "secret-published"]
        assert update.events[1]["secret"] == host.secret_of(made.table).hex()
        with pytest.raises(HostingError):
            await administration.close_table(other, KEY, "nowhere", entry(LATER))
    finally:
        await other.close()


async def test_deleting_a_table_ends_its_subscribers(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    other = await Store.open(host.settings.database)
    try:
        async with host.subscribe(made.table, "anna") as updates:
            await anext(updates)
            await administration.delete_table(other, made.table, entry(time()))
            with pytest.raises(HostingError) as refused:
                async for _ in updates:
                    pass
        assert refused.value.code is HostingCode.NO_SUCH_TABLE
        with pytest.raises(HostingError):
            await host.look(made.table, "anna")
        with pytest.raises(HostingError):
            await administration.delete_table(other, made.table, entry(time()))
    finally:
        await other.close()


async def test_a_digest_says_what_the_rows_say(host: TableHost) -> None:
    made = await seated(host)
    (digest,) = await host.store.tables()
    rows = await host.store.events(made.table)
    assert digest_of_rows(rows).summary == digest.summary
    assert (digest.state, digest.creator, digest.game) == ("running", "anna", "yam-master")
    assert digest_of_rows(rows).seats == (SeatedIdentity("anna", (0,), None), SeatedIdentity("ben", (1,), None))
