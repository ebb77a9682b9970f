"""Requests of people in the lobby: how they share transactions, and when the database is asked."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress

import pytest

from dicecup.hosting.lobby.pairing import PATIENCE
from dicecup.hosting.lobby.seeks import Beat, Changes, Request
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import TableHost
from tests.hosting.lobby.waiting import Time, until

YAMM = "yamm"


async def test_a_tick_asks_the_database_only_where_something_may_be_due(
    hosts: list[TableHost], time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, beats = hosts[0].lobby, list[bool]()
    tick = lobby._seeks.tick

    async def counting(beat: Beat | None, now: float) -> Changes:
        beats.append(beat is not None)
        return await tick(beat, now)

    monkeypatch.setattr(lobby._seeks, "tick", counting)
    async with lobby.visit("anna") as anna:
        assert beats == [True]
        await lobby.seek("anna", "a1", YAMM, None, "Anna")
        time.now += PATIENCE / 2
        await lobby.tick()
        assert beats == [True]
        time.now += PATIENCE / 2 - 0.01
        await lobby.tick()
        assert beats == [True]
        time.now += 0.01  # also the time of the next sign of life
        await lobby.tick()
        await lobby.tick()
        assert beats.count(True) == 2
        assert False in beats
        async with lobby.visit("ben"):
            await lobby.seek("ben", "b1", YAMM, None, "Ben")
            await until(anna, "paired")
            asked = len(beats)
            await lobby.tick()
            assert len(beats) == asked


async def test_requests_that_come_together_share_a_transaction(hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, shared = hosts[0].lobby, list[int]()
    serve = lobby._seeks.serve

    async def counting(requests: Sequence[Request], beat: Beat | None, now: float) -> Changes:
        shared.append(len(requests))
        return await serve(requests, beat, now)

    monkeypatch.setattr(lobby._seeks, "serve", counting)
    names = [f"p{number}" for number in range(40)]
    async with AsyncExitStack() as stack:
        for name in names:
            await stack.enter_async_context(lobby.visit(name))
        found = await asyncio.gather(*(lobby.seek(name, "r1", YAMM, None, name) for name in names))
        assert len({seek.table for seek in found}) == 20
        await asyncio.gather(*(lobby.arrive(seek.identity, str(seek.table)) for seek in found))
        assert shared == [40, 40]
        assert {seek.state for seek in (await lobby._seeks.of(names)).values()} == {"ended"}


async def test_requests_of_one_transaction_keep_their_order(hosts: list[TableHost]) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna"), lobby.visit("ben"):
        await lobby.seek("anna", "a1", YAMM, None, "Anna")
        cancelled, again = lobby.cancel("anna"), lobby.seek("anna", "a2", "yam-master", None, "Anna")
        await asyncio.gather(cancelled, again, lobby.seek("ben", "b1", YAMM, None, "Ben"), lobby.cancel("ben"))
        found = await lobby._seeks.of(["anna", "ben"])
        # in the end Anna waits for another game, and Ben, who met nobody, for none
        assert {name: (seek.request, seek.state) for name, seek in found.items()} == {
            "anna": ("a2", "waiting"),
            "ben": ("b1", "ended"),
        }


async def test_who_asks_first_is_paired_first_in_one_transaction_too(hosts: list[TableHost]) -> None:
    lobby, names = hosts[0].lobby, ["anna", "ben", "carl"]
    async with lobby.visit("anna"), lobby.visit("ben"), lobby.visit("carl"):
        for name in reversed(names):  # their last seeks are stored in the other order
            await lobby.seek(name, "r1", YAMM, None, name)
            await lobby.cancel(name)
        seeks = await asyncio.gather(*(lobby.seek(name, "r2", YAMM, None, name) for name in names))
        assert [seek.state for seek in seeks] == ["paired", "paired", "waiting"]
        assert seeks == [(await lobby._seeks.of(names))[name] for name in names]
        assert 0 < seeks[0].number < seeks[1].number < seeks[2].number


async def test_a_request_at_the_end_of_the_server_is_refused(hosts: list[TableHost]) -> None:
    lobby = hosts[0].lobby
    async with lobby.visit("anna"):
        asked = asyncio.ensure_future(lobby.seek("anna", "a1", YAMM, None, "Anna"))
        await asyncio.sleep(0)
        lobby.close()
        with suppress(StoreError):  # the request may have been on its way already
            await asked
        with pytest.raises(StoreError) as refused:
            await lobby.seek("anna", "a2", YAMM, None, "Anna")
        assert refused.value.code == "storage-down"
