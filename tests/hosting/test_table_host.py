"""The table host on both databases: who may see and change a table, and commands that are handled
once and in order.
"""

import asyncio

import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Append
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import FreeSeat, Resign, RotateLinks, SetAdmission, Sit, Throw
from dicecup.table.errors import TableCode, TableError
from dicecup.table.setup import Setup
from tests.hosting.guests import OPEN, alone, play, refusal, seated, settings, two

# --- Who may --------------------------------------------------------------------------------------


async def test_a_seat_is_taken_by_link(host: TableHost) -> None:
    made = await host.create("anna", two(), name="Anna")
    for key in (None, "", made.watch, made.join[:-1]):
        refused = await refusal(host.send(made.table, "ben", Sit("Ben"), version=2, command_id="c", key=key))
        assert refused.code is TableCode.NOT_YOUR_SEAT
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="c", key=made.join)
    seen = await host.look(made.table, "ben")
    assert [seat["name"] for seat in seen.view["seats"]] == ["Anna", "Ben"]
    assert seen.view["you"] == [1]


async def test_a_table_is_seen_by_those_who_sit_there_and_by_link(host: TableHost) -> None:
    made = await host.create("anna", two(), name="Anna")
    assert (await host.look(made.table, "anna")).view["you"] == [0]
    assert (await host.look(made.table, "ben", made.join)).view["you"] == []
    assert (await host.look(made.table, None, made.watch)).view["you"] == []
    for identity, key in (("ben", None), (None, None), (None, "x"), (None, "é")):
        assert (await refusal(host.look(made.table, identity, key))).code is HostingCode.NO_SUCH_TABLE
        assert (await refusal(host.record(made.table, identity, key))).code is HostingCode.NO_SUCH_TABLE
    assert (await refusal(host.look("nowhere", "anna"))).code is HostingCode.NO_SUCH_TABLE


async def test_a_command_needs_its_own_seat(host: TableHost) -> None:
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 4)
    seen = await host.look(made.table, "anna")
    idle = "ben" if seen.view["demand"]["seats"] == [0] else "anna"
    refused = await refusal(host.send(made.table, idle, Throw(), version=seen.number, command_id="t"))
    assert refused.code is TableCode.NOT_YOUR_TURN
    refused = await refusal(host.send(made.table, "carla", Resign(), version=seen.number, command_id="t", key=made.watch))
    assert refused.code is TableCode.NOT_YOUR_SEAT
    assert (await host.look(made.table, "anna")).number == seen.number


async def test_one_device_holds_several_seats(host: TableHost) -> None:
    made = await host.create("anna", two(), seats=[(0, "Anna"), (1, "Ben")])
    assert await play(host, made.table, ["anna"], 8) == 8
    assert (await host.look(made.table, "anna")).view["you"] == [0, 1]


async def test_an_identity_has_a_limit_of_tables(database: str) -> None:
    host = await TableHost.open(settings(database, tables=2))
    try:
        made = [await host.create("anna", two(), name="Anna") for _ in range(2)]
        refused = await refusal(host.create("anna", two(), name="Anna"))
        assert refused.code is HostingCode.TOO_MANY_TABLES
        await host.create("ben", two(), name="Ben")
        assert {table.table for table in await host.tables_of("anna")} == {table.table for table in made}
    finally:
        await host.close()


async def test_tables_that_are_made_at_once_are_counted_too(database: str) -> None:
    host = await TableHost.open(settings(database, tables=2))
    try:
        asked = [host.create("anna", two(), name="Anna") for _ in range(8)]
        answers = await asyncio.gather(*asked, host.create("ben", two(), name="Ben"), return_exceptions=True)
        refused = [answer for answer in answers[:-1] if isinstance(answer, HostingError)]
        assert [error.code for error in refused] == [HostingCode.TOO_MANY_TABLES] * 6
        assert not isinstance(answers[-1], BaseException)
        assert len(await host.tables_of("anna")) == 2
    finally:
        await host.close()


async def test_old_links_stop_working_and_those_who_looked_with_them_are_sent_away(host: TableHost) -> None:
    made = await host.create("anna", two(), name="Anna")
    async with (
        host.subscribe(made.table, "anna") as sitting,
        host.subscribe(made.table, "ben", made.watch) as watching,
    ):
        for updates in (sitting, watching):
            await anext(updates)
        await host.send(made.table, "anna", RotateLinks(), version=2, command_id="r")
        assert [event["type"] for event in (await anext(watching)).events] == ["links-rotated"]
        with pytest.raises(HostingError) as gone:
            await anext(watching)
        assert gone.value.code is HostingCode.NO_SUCH_TABLE
        assert (await anext(sitting)).view["links"] == 1
    for key in (made.join, made.watch):
        with pytest.raises(HostingError):
            await host.look(made.table, "ben", key)
    with pytest.raises(TableError) as refused:
        await host.send(made.table, "ben", Sit("Ben"), version=3, command_id="s", key=made.join)
    assert refused.value.code is TableCode.NOT_YOUR_SEAT
    new = await host.keys_for(made.table, "anna")
    assert len({made.join, made.watch, new.join, new.watch}) == 4
    assert await host.send(made.table, "ben", Sit("Ben"), version=3, command_id="s", key=new.join) == 4


async def test_a_person_whose_seat_was_taken_back_is_sent_away_by_every_worker(database: str, host: TableHost) -> None:
    other = await TableHost.open(settings(database))
    try:
        made = await host.create("anna", Setup("yamm(players=3)", (OPEN,) * 3), name="Anna")
        await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="s", key=made.join)
        async with other.subscribe(made.table, "ben") as updates:
            await anext(updates)
            await host.send(made.table, "anna", FreeSeat(1), version=3, command_id="f")
            await other.cache.invalidate(other.cache.get(made.table))
            assert [event["type"] for event in (await anext(updates)).events] == ["seat-freed"]
            with pytest.raises(HostingError):
                await anext(updates)
        assert await host.tables_of("ben") == []
        with pytest.raises(HostingError):
            await other.look(made.table, "ben", made.join)
    finally:
        await other.close()


async def test_a_closed_table_is_seen_by_those_who_sit_there_only(host: TableHost) -> None:
    made = await host.create("anna", two(), name="Anna")
    async with host.subscribe(made.table, None, made.watch) as watching:
        await anext(watching)
        await host.send(made.table, "anna", SetAdmission(admits=False), version=2, command_id="c")
        await anext(watching)
        with pytest.raises(TableError) as closed:
            await anext(watching)
    assert closed.value.code is TableCode.TABLE_CLOSED
    for key in (made.join, made.watch):
        with pytest.raises(TableError) as closed:
            await host.look(made.table, "ben", key)
        assert closed.value.code is TableCode.TABLE_CLOSED
    with pytest.raises(TableError) as closed:
        await host.send(made.table, "ben", Sit("Ben"), version=3, command_id="s", key=made.join)
    assert closed.value.code is TableCode.TABLE_CLOSED
    with pytest.raises(HostingError):
        await host.look(made.table, "ben", "x" * 22)
    assert (await host.look(made.table, "anna")).view["admits"] is False
    await host.send(made.table, "anna", SetAdmission(admits=True), version=3, command_id="o")
    assert await host.send(made.table, "ben", Sit("Ben"), version=4, command_id="s", key=made.join) == 5


# --- Once, and in order ---------------------------------------------------------------------------


async def test_a_command_that_is_sent_again_acts_once(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 2)
    seen = await host.look(made.table, "anna")
    answers = await asyncio.gather(
        *(host.send(made.table, "anna", Throw(), version=seen.number, command_id="t") for _ in range(5))
    )
    assert answers == [seen.number + 1] * 5
    await play(host, made.table, ["anna"], 2)
    assert await host.send(made.table, "anna", Throw(), version=seen.number, command_id="t") == seen.number + 1
    newest = await host.look(made.table, "anna")
    assert await host.send(made.table, "anna", Throw(), version=newest.number, command_id="t") == seen.number + 1
    assert (await host.look(made.table, "anna")).number == newest.number


async def test_a_command_names_the_version_it_saw(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    for version in (1, 0, -1):
        refused = await refusal(host.send(made.table, "anna", Throw(), version=version, command_id=f"t{version}"))
        assert refused.code is HostingCode.STALE_VERSION
        assert refused.details["number"] == 2


@pytest.mark.parametrize("command_id", ["", "x" * 65, "a\nb"])
async def test_an_id_is_short_and_printable(host: TableHost, command_id: str) -> None:
    made = await host.create("anna", alone(), name="Anna")
    refused = await refusal(host.send(made.table, "anna", Throw(), version=2, command_id=command_id))
    assert refused.code is TableCode.NOT_A_COMMAND


async def test_a_cancelled_command_is_handled_once(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 2)
    number = (await host.look(made.table, "anna")).number
    sending = asyncio.create_task(host.send(made.table, "anna", Throw(), version=number, command_id="t"))
    await asyncio.sleep(0)
    sending.cancel()
    assert await host.send(made.table, "anna", Throw(), version=number, command_id="t") == number + 1


async def test_a_cancelled_command_is_still_published(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    writing, append = asyncio.Event(), host.store.append

    def noted(*appends: Append) -> asyncio.Future[None]:
        writing.set()
        return append(*appends)

    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 2)
    number = (await host.look(made.table, "anna")).number
    async with host.subscribe(made.table, "anna") as updates:
        await anext(updates)
        monkeypatch.setattr(host.store, "append", noted)
        sending = asyncio.create_task(host.send(made.table, "anna", Throw(), version=number, command_id="t"))
        await writing.wait()
        sending.cancel()
        assert (await anext(updates)).number == number + 1
