"""Programs and terminals find each other in the lobby."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dicecup.client import Client, ServerRefusal
from dicecup.table.setup import Clock, ClockKind
from tests.web.serving import serving


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path) as served:
        yield served


async def test_two_programs_find_each_other(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        clock = Clock(ClockKind.TURN, 30)
        found = await asyncio.gather(
            *(each.find_opponent("yamm", clock, name=name) for each, name in ((anna, "A"), (ben, "B")))
        )
        assert found[0] == found[1]
        for client in (anna, ben):
            assert sorted(seat["name"] for seat in (await client.look(found[0]))["seats"]) == ["A", "B"]


async def test_a_request_that_cannot_be_played_is_refused(url: str) -> None:
    async with Client(url) as client:
        with pytest.raises(ServerRefusal) as refused:
            await client.find_opponent("yamm(players=3)", name="A")
        assert refused.value.code == "wrong-number-of-seats"
