"""The table host on both databases: creating, joining, playing, watching and returning."""

import asyncio
import json
import weakref
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from dicecup import record
from dicecup.core.errors import DicecupError
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Append
from dicecup.hosting.subscribers import LONGEST_QUEUE
from dicecup.hosting.table_host import TableHost
from dicecup.table import verify
from dicecup.table.commands import Resign, Sit, Throw
from dicecup.table.errors import TableCode, TableError
from tests.hosting.guests import against, alone, go_on, last, play, seated, settings, two, wanted


@pytest.fixture
async def host(database: str) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(database))
    yield opened
    await opened.close()


async def refusal(awaitable: object) -> DicecupError:
    with pytest.raises((HostingError, TableError)) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


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
    for version in (1, 3, 0, -1):
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


# --- Subscribers ----------------------------------------------------------------------------------


async def test_a_subscriber_receives_what_was_saved(host: TableHost) -> None:
    made = await seated(host)
    async with host.subscribe(made.table, "ben") as updates:
        whole = await anext(updates)
        assert (whole.number, whole.events) == (3, ())
        await go_on(host, made.table, "anna")
        received = await anext(updates)
        assert [event["type"] for event in received.events] == ["seed-committed"]
        assert received.number == 4 == received.view["number"]
        assert len(await host.store.events(made.table)) == 4


async def test_a_returning_subscriber_gets_exactly_the_gap(host: TableHost) -> None:
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 10)
    number = (await host.look(made.table, "anna")).number
    for since in range(number + 1):
        async with host.subscribe(made.table, "ben", since=since) as updates:
            received = await anext(updates)
            assert [event["number"] for event in received.events] == list(range(since + 1, number + 1))
    for beyond in (-1, number + 1, None):
        async with host.subscribe(made.table, "ben", since=beyond) as updates:
            assert (await anext(updates)).events == ()


async def test_updates_hold_no_identity_and_no_secret(host: TableHost) -> None:
    made = await host.create("identity-of-anna", two(), name="Anna")
    await host.send(made.table, "identity-of-ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    secret = host.secret_of(made.table).hex()
    async with host.subscribe(made.table, None, made.watch, since=0) as updates:
        await play(host, made.table, ["identity-of-anna", "identity-of-ben"], 12)
        number = (await host.look(made.table, "identity-of-anna")).number
        received = ""
        while f'"number": {number},' not in received:
            update = await anext(updates)
            received += json.dumps([update.events, update.view])
    assert "identity-of" not in received
    assert secret not in received


async def test_a_slow_subscriber_is_dropped_and_can_return(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    async with host.subscribe(made.table, "anna") as updates:
        await anext(updates)
        loaded = host.cache.get(made.table)
        state = await host.cache.load(loaded)
        for _ in range(LONGEST_QUEUE + 1):
            host.publisher.publish(loaded.subscribers, host.publisher.prepare(state))
        assert (await refusal(anext(updates))).code is HostingCode.TOO_SLOW
    async with host.subscribe(made.table, "anna", since=1) as updates:
        assert [event["number"] for event in (await anext(updates)).events] == [2]


async def test_subscribers_end_with_the_host(database: str) -> None:
    host = await TableHost.open(settings(database))
    made = await host.create("anna", alone(), name="Anna")
    async with host.subscribe(made.table, "anna") as updates:
        await anext(updates)
        await host.close()
        with pytest.raises(StopAsyncIteration):
            await anext(updates)


async def test_an_idle_table_is_evicted_and_loaded_again(host: TableHost) -> None:
    made = await seated(host)
    seen = await host.look(made.table, "anna")
    async with host.subscribe(made.table, "ben") as updates:
        await anext(updates)
        loaded = host.cache.get(made.table)
        loaded.used = -1e9
        host.cache.evict_idle()
        assert loaded.state is None
        await go_on(host, made.table, "anna")
        assert (await anext(updates)).number == seen.number + 1
    loaded.used = -1e9
    host.cache.evict_idle()
    assert made.table not in host.cache.tables
    assert (await host.look(made.table, "anna")).number == seen.number + 1


# --- Whole games ----------------------------------------------------------------------------------


async def test_a_game_ends_with_its_secret_and_a_record_that_verifies(host: TableHost) -> None:
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 20)
    assert "[Secret" not in await host.record(made.table, "anna")
    number = (await host.look(made.table, "anna")).number
    await host.send(made.table, "anna", Resign(), version=number, command_id="r")
    text = await host.record(made.table, None, made.watch)
    report = verify.check(record.read(text))
    assert (report.right, report.wrong, report.fault) == (report.throws, 0, None)
    assert report.throws > 0
    (summary,) = await host.tables_of("anna")
    assert (summary.state, summary.outcome) == ("over", "lost")
    assert await host.outcomes_of("ben") == {("yam-master", "won"): 1}
    games, statistics = await host.dice_statistics()
    assert games == 1
    thrown = sum(len(each.shown) - len(each.kept.faces) for each in verify.throws_of(record.read(text)))
    assert statistics.total == thrown


async def test_a_match_continues_at_the_next_table_at_once(host: TableHost) -> None:
    made = await host.create("anna", two(games=2), seats=[(0, "Anna"), (1, "Ben")])
    await play(host, made.table, ["anna"], 6)
    number = (await host.look(made.table, "anna")).number
    await host.send(made.table, "anna", Resign(seat=1), version=number, command_id="r")
    following = (await host.look(made.table, "anna")).view["next"]
    seen = await host.look(following, "anna")
    assert [seat["name"] for seat in seen.view["seats"]] == ["Anna", "Ben"]
    assert {table.state for table in await host.tables_of("anna")} == {"over", "open"}
    assert await play(host, following, ["anna"], 6) == 6


async def test_the_computer_plays_its_part(host: TableHost) -> None:
    made = await host.create("anna", against("greedy"), name="Anna")
    async with host.subscribe(made.table, "anna") as updates:
        turns = 0
        async for update in updates:
            turns = update.view["turn"]["number"] if update.view["turn"] else 0
            if turns > 6 or update.view["result"]:
                break
            if update.number == (await host.look(made.table, "anna")).number:
                await go_on(host, made.table, "anna", last)
    assert turns > 6


async def test_derived_values_can_be_rebuilt(host: TableHost) -> None:
    from dicecup.hosting.event_rows import digest_of_rows

    over = await seated(host)
    await play(host, over.table, ["anna", "ben"], 30)
    await host.send(over.table, "ben", Resign(), version=(await host.look(over.table, "ben")).number, command_id="r")
    running = await host.create("anna", alone(), name="Anna")
    await play(host, running.table, ["anna"], 30)
    await host.create("ben", two(), name="Ben")

    async def everything() -> list[object]:
        people = [await host.tables_of("anna"), await host.tables_of("ben"), await host.outcomes_of("anna")]
        return [*people, await host.store.tables(), await host.store.faces(), await host.store.unfinished_of("anna")]

    before = await everything()
    assert await host.store.rebuild(digest_of_rows) == 3
    assert await everything() == before


# --- Several processes, and starting again --------------------------------------------------------


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
        assert host.keys_of(made.table) == made
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

        async with asyncio.timeout(60):
            await asyncio.gather(sit_at(hosts[0], "anna", annas), sit_at(hosts[1], "ben", bens))
    for received in numbers.values():
        assert received == list(range(1, len(received) + 1))


async def test_a_match_ends_if_its_next_table_exists_already(host: TableHost) -> None:
    from dicecup.table import endings

    made = await host.create("anna", two(games=2), seats=[(0, "Anna"), (1, "Ben")])
    await play(host, made.table, ["anna"], 6)
    following = endings.next_table_id(host.secret_of(made.table))
    foreign = (await host.store.events((await host.create("ben", two(), name="Ben")).table))[0]
    await host.store.append(Append((foreign._replace(table=following),)))
    number = (await host.look(made.table, "anna")).number
    await host.send(made.table, "anna", Resign(seat=1), version=number, command_id="r")
    assert (await host.look(made.table, "anna")).view["next"] == following
    first, *more = (row.body for row in await host.store.events(following))
    assert first == foreign.body
    assert all('"commitment-' in body for body in more)  # the table of an unknown secret gets a new commitment


async def test_strangers_leave_no_trace_in_memory(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    for number in range(50):
        await refusal(host.look(f"nowhere {number}", "ben"))
        await refusal(host.send(f"nowhere {number}", "ben", Throw(), version=1, command_id="c"))
        await refusal(host.send(made.table, f"stranger {number}", Throw(), version=2, command_id="c"))
        async with host.subscribe(made.table, f"stranger {number}", made.watch) as updates:
            await anext(updates)
    assert list(host.cache.tables) == [made.table]
    host.cache.get(made.table).used = -1e9
    host.cache.evict_idle()
    assert not host.cache.tables
    assert not host.presence._last_seen
    assert not host.presence._subscribers


async def test_a_table_with_subscribers_keeps_only_the_newest_state(host: TableHost) -> None:
    made = await host.create("anna", alone(), name="Anna")
    async with host.subscribe(made.table, "anna") as updates:
        await anext(updates)
        states = []
        for _ in range(6):
            states.append(weakref.ref(host.cache.tables[made.table].state or made))
            await go_on(host, made.table, "anna")
            await anext(updates)
        await asyncio.sleep(0)
        assert [state() for state in states] == [None] * 6
