"""Subscribers of a table, and which tables stay in memory."""

import asyncio
import json
import weakref
from math import inf

import pytest

from dicecup.hosting.errors import HostingCode
from dicecup.hosting.subscribers import LONGEST_QUEUE, PublishedUpdate, Subscriber
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Sit, Throw
from tests.hosting.guests import alone, go_on, play, refusal, seated, settings, two


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


async def test_an_update_is_delivered_at_once_after_all_before_were_sent() -> None:
    delivered: list[int] = []
    reads = True

    def deliver(update: PublishedUpdate) -> bool:
        if reads:
            delivered.append(update.number)
        return reads

    subscriber = Subscriber("anna", deliver=deliver)
    updates = subscriber.updates()
    subscriber.put(numbered(1))
    subscriber.put(numbered(2))
    assert [(await anext(updates)).number, (await anext(updates)).number] == [1, 2]
    subscriber.put(numbered(3))  # the second may not have been sent yet
    assert (await anext(updates)).number == 3
    assert delivered == []
    waiting = asyncio.ensure_future(anext(updates))
    await asyncio.sleep(0)
    subscriber.put(numbered(4))
    subscriber.put(numbered(5))
    reads = False
    subscriber.put(numbered(6))
    reads = True
    subscriber.put(numbered(7))  # the sixth waits
    assert delivered == [4, 5]
    assert [(await waiting).number, (await anext(updates)).number] == [6, 7]
    waiting = asyncio.ensure_future(anext(updates))
    await asyncio.sleep(0)
    subscriber.put(numbered(8))
    subscriber.end()
    with pytest.raises(StopAsyncIteration):
        await waiting
    assert delivered == [4, 5, 8]


async def test_a_fault_of_one_subscriber_is_not_that_of_the_publisher() -> None:
    def fail(_: PublishedUpdate) -> bool:
        raise ValueError

    subscriber = Subscriber("anna", deliver=fail)
    waiting = asyncio.ensure_future(anext(subscriber.updates()))
    await asyncio.sleep(0)
    subscriber.put(numbered(1))
    assert (await waiting).number == 1


def numbered(number: int) -> PublishedUpdate:
    return PublishedUpdate(number, (), dict, dict)


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
    host.presence.forget_before(inf, host.cache.tables)
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
