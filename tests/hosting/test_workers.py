"""Several workers on one database, and servers that start again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import orjson
import pytest
from sqlalchemy import func, select

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import digest_of_rows
from dicecup.hosting.link_keys import TableKeys
from dicecup.hosting.store import Append, EventRow
from dicecup.hosting.store.notifications import Change, Notification, _payload
from dicecup.hosting.subscribers import PublishedUpdate
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Resign, Sit
from tests.hosting.guests import alone, go_on, play, seated, settings, two, wanted
from tests.postgres import Postgres


async def test_a_restarted_server_goes_on_where_it_was(database: str) -> None:
    host = await TableHost.open(settings(database))
    made = await host.create("anna", alone(), name="Anna")
    await play(host, made.table, ["anna"], 9)
    before = await host.look(made.table, "anna")
    await host.close()
    host = await TableHost.open(settings(database))
    try:
        after = await host.look(made.table, "anna")
        assert {**after.view, "now": 0} == {**before.view, "now": 0}
        assert await host.keys_for(made.table, "anna") == made
        assert await play(host, made.table, ["anna"], 3) == 3
    finally:
        await host.close()


@pytest.fixture
async def hosts(database: str) -> AsyncIterator[tuple[TableHost, TableHost]]:
    """Open two workers with one database."""
    async with AsyncExitStack() as stack:
        opened = [await TableHost.open(settings(database)) for _ in range(2)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened[0], opened[1]


async def test_the_same_command_at_two_workers_acts_once(hosts: tuple[TableHost, TableHost]) -> None:
    made = await hosts[0].create("anna", alone(), name="Anna")
    await play(hosts[0], made.table, ["anna"], 2)
    seen = await hosts[1].look(made.table, "anna")
    for sent in range(10):
        command = wanted(seen.view)
        assert command is not None
        answers = await asyncio.gather(
            *(host.send(made.table, "anna", command, version=seen.number, command_id=f"t{sent}") for host in hosts * 2)
        )
        assert len(set(answers)) == 1
        assert answers[0] > seen.number
        seen = await hosts[sent % 2].look(made.table, "anna")
        assert seen.number == answers[0]
    rows = await hosts[0].store.events(made.table)
    assert [row.number for row in rows] == list(range(1, seen.number + 1))
    assert [row.command_id for row in rows if row.command_id and row.command_id[0] == "t"] == [f"t{sent}" for sent in range(10)]


async def test_of_two_workers_that_race_one_wins(hosts: tuple[TableHost, TableHost]) -> None:
    made = await hosts[0].create("anna", two(), name="Anna")
    sitting = [
        host.send(made.table, name, Sit(name), version=2, command_id="sit", key=made.join)
        for host, name in zip(hosts, ["ben", "carla"], strict=True)
    ]
    answers = await asyncio.gather(*sitting, return_exceptions=True)
    (refused,) = [answer for answer in answers if isinstance(answer, HostingError)]
    assert refused.code is HostingCode.STALE_VERSION
    assert [answer for answer in answers if isinstance(answer, int)] == [3]
    views = [(await host.look(made.table, None, made.watch)).view["seats"] for host in hosts]
    assert views[0] == views[1] or len(await hosts[0].store.events(made.table)) == 3


async def test_two_workers_serve_one_table(hosts: tuple[TableHost, TableHost]) -> None:
    """Connect each player to a different worker; both receive every event."""
    made = await hosts[0].create("anna", two(), name="Anna")
    await hosts[1].send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    async with hosts[0].subscribe(made.table, "anna", since=0) as annas, hosts[1].subscribe(made.table, "ben", since=0) as bens:
        numbers: dict[str, list[int]] = {"anna": [], "ben": []}

        async def sit_at(host: TableHost, identity: str, updates: AsyncIterator[object]) -> None:
            async for update in updates:
                numbers[identity] += [event["number"] for event in update.events]  # type: ignore[attr-defined]
                if update.number >= 16:  # type: ignore[attr-defined]
                    return
                try:
                    await go_on(host, made.table, identity)
                except HostingError as error:
                    assert error.code is HostingCode.STALE_VERSION

        async with asyncio.timeout(280):
            await asyncio.gather(sit_at(hosts[0], "anna", annas), sit_at(hosts[1], "ben", bens))
    for received in numbers.values():
        assert received == list(range(1, len(received) + 1))


async def test_a_match_ends_if_its_next_table_exists_already(host: TableHost, monkeypatch: pytest.MonkeyPatch) -> None:
    from dicecup.table import endings

    made = await host.create("anna", two(games=2), seats=[(0, "Anna"), (1, "Ben")])
    await play(host, made.table, ["anna"], 6)
    following = "f" * 20
    monkeypatch.setattr(endings, "next_table_id", lambda *_: following)
    foreign = (await host.store.events((await host.create("ben", two(), name="Ben")).table))[0]
    await host.store.append(Append((foreign._replace(table=following),)))
    number = (await host.look(made.table, "anna")).number
    await host.send(made.table, "anna", Resign(seat=1), version=number, command_id="r")
    assert (await host.look(made.table, "anna")).view["next"] == following
    first, *more = (row.body for row in await host.store.events(following))
    assert first == foreign.body
    assert all('"commitment-' in body for body in more)  # the table of an unknown secret gets a new commitment


@pytest.fixture
async def sharing(postgres: Postgres) -> AsyncIterator[tuple[TableHost, TableHost]]:
    """Open two workers with one PostgreSQL."""
    database = postgres.the_database()
    async with AsyncExitStack() as stack:
        opened = [await TableHost.open(settings(database)) for _ in range(2)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened[0], opened[1]


async def _begun(host: TableHost) -> TableKeys:
    """Create a table of Anna and Ben at one worker, and begin the game."""
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 4)
    return made


async def _up_to(updates: AsyncIterator[PublishedUpdate], number: int) -> list[int]:
    """Return the numbers of the events in the next updates, up to this one."""
    numbers: list[int] = []
    while not numbers or numbers[-1] < number:
        numbers += [event["number"] for event in (await anext(updates)).events]
    return numbers


@pytest.mark.slow
async def test_events_of_another_worker_need_no_reading(
    sharing: tuple[TableHost, TableHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = sharing
    made = await _begun(here)
    async with here.subscribe(made.table, "anna") as annas, there.subscribe(made.table, "ben") as bens:
        number = (await anext(annas)).number
        assert (await anext(bens)).number == number

        async def act(host: TableHost) -> None:
            nonlocal number
            await play(host, made.table, ["anna", "ben"], 1)
            newest = (await host.look(made.table, "anna")).number
            for updates in (annas, bens):
                assert await _up_to(updates, newest) == list(range(number + 1, newest + 1))
            number = newest

        await act(there)
        read: list[str] = []
        events = there.store.events

        async def noted(table: str, since: int = 0) -> list[EventRow]:
            read.append(table)
            return await events(table, since)

        monkeypatch.setattr(there.store, "events", noted)
        for _ in range(3):
            await act(here)
        assert read == []
        # Ben's worker has not saved the digest, but knows it: it does not write the seats again
        written: list[Append] = []
        append = there.store.append

        def kept(*appends: Append) -> asyncio.Future[None]:
            written.extend(appends)
            return append(*appends)

        monkeypatch.setattr(there.store, "append", kept)
        await act(there)
        assert [each.digest is None or each.digest.seats is None for each in written] == [True]
    saved = await here.store.tables()
    assert await here.store.rebuild(digest_of_rows) == 1
    assert await here.store.tables() == saved


@pytest.mark.slow
async def test_events_of_another_worker_come_without_unchanged_parts(sharing: tuple[TableHost, TableHost]) -> None:
    here, there = sharing
    made = await _begun(here)
    async with there.subscribe(made.table, "ben") as bens:
        merged = dict((await anext(bens)).view)
        left_out = set()
        for _ in range(4):
            await play(here, made.table, ["anna", "ben"], 1)
            newest = await here.look(made.table, "ben")
            while merged["number"] < newest.number:
                changed = orjson.loads((await anext(bens)).text)["view"]
                left_out |= merged.keys() - changed.keys()
                merged |= changed
            assert {**merged, "now": 0} == {**orjson.loads(orjson.dumps(newest.view)), "now": 0}
    assert left_out >= {"board", "history"}


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "\nno JSON", "\n[[1]]", "\n[]"])
async def test_a_notification_that_brings_no_events_lets_them_be_read(
    sharing: tuple[TableHost, TableHost], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    here, there = sharing
    made = await _begun(here)

    async def nobody_is_told(_: object) -> None:
        return

    async with there.subscribe(made.table, "ben") as updates:
        seen = (await anext(updates)).number
        monkeypatch.setattr(here.store, "notify", nobody_is_told)
        await play(here, made.table, ["anna", "ben"], 1)
        number = (await here.look(made.table, "anna")).number
        payload = select(func.pg_notify("dicecup", f"{made.table},{number}{text}"))
        await there.store.writer.work(lambda connection: connection.execute(payload))
        assert await _up_to(updates, number) == list(range(seen + 1, number + 1))


def test_long_events_are_not_in_a_notification() -> None:
    short, long = (EventRow("t", 5, 1.0, body, "anna", "c") for body in ("{}", "x" * 8_000))
    assert _payload("t", Change(5, (short,))) == 't,5\n[[5,1.0,"{}","anna","c"]]'
    assert _payload("t", Change(5, (long,))) == _payload("t", Change(5)) == "t,5"
    assert _payload("t", Change(5, text="{}")) == "t,5\n{}"
    assert _payload("t", Change(5, text="ü" * 4_000)) == "t,5"
    assert Notification("t", 5, '[[5,1.0,"{}","anna","c"]]').rows == [short]


def test_changes_that_follow_each_other_are_told_together() -> None:
    rows = [EventRow("t", number, 1.0, "{}") for number in range(1, 5)]
    earlier = Change(2, tuple(rows[:2]))
    assert Change(4, tuple(rows[2:])).joined_to(earlier) == Change(4, tuple(rows))
    assert Change(4, (rows[3],)).joined_to(earlier) == Change(4, (rows[3],))
    assert Change(4, tuple(rows[2:])).joined_to(None).rows == tuple(rows[2:])
    assert Change(2**31 - 1).joined_to(earlier) == Change(2**31 - 1)
