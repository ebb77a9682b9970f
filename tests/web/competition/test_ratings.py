"""Ratings over HTTP and through the client: a rated game of two programs, and refusals."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dicecup.client import Client, SeatAgent, ServerRefusal
from dicecup.core.game import LEVELS
from dicecup.table.commands import Resign, Sit
from dicecup.table.setup import Clock, ClockKind, SeatSetup, Setup
from tests.web.serving import Browser, serving

RATED = Setup("yam-master", (SeatSetup(), SeatSetup()), first=0, rated=True)
MINUTE = Clock(ClockKind.TURN, 60)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[str]:
    """A server on which everyone plays rated games."""
    async with serving(tmp_path, rated="everyone") as served:
        yield served


async def play(client: Client, table: str, *, resigns: bool) -> None:
    """Pass every turn to the end. Who `resigns` does so in the third turn."""
    agent = SeatAgent()
    async with client.table(table) as followed:
        async for update in followed:
            if update.view["result"]:
                return
            if resigns and update.view["turn"] and update.view["turn"]["number"] >= 3:
                await followed.send(Resign())
                return
            command = agent.command(update.view, lambda view: view["actions"][-1]["action"])
            if command and update.number == followed.number:
                with suppress(ServerRefusal):  # the other one was faster; the next update asks again
                    await followed.send(command, version=update.number)


async def rated(client: Client, table: str) -> Any:
    """Return the ratings of a table once its game is rated, as the page asks for them."""
    while (found := await client.table_ratings(table))["state"] == "waiting":  # noqa: ASYNC110 as the page asks
        await asyncio.sleep(0.05)
    return found


@pytest.mark.slow
async def test_a_rated_game_of_two_programs(club: str) -> None:
    async with Client(club) as anna, Client(club) as ben:
        made = await anna.create(RATED, name="Anna")
        async with ben.table(made.table, key=made.join_key) as his:
            async for _ in his:
                await his.send(Sit("Ben"))
                break
        before = await ben.table_ratings(made.table)
        assert (before["state"], [seat["rating"]["rating"] for seat in before["seats"]]) == ("playing", [1500, 1500])
        await asyncio.gather(play(anna, made.table, resigns=True), play(ben, made.table, resigns=False))
        after = await rated(ben, made.table)
        assert (after["state"], after["refusal"], after["pool"]["pool"]) == ("counted", None, "yam-master:open:duel:slow")
        lost, won = after["seats"]
        assert lost["change"] == pytest.approx(-won["change"])
        (own,) = (await ben.ratings())["ratings"]
        assert own["rating"]["rating"] == pytest.approx(1500 + won["change"])
        assert (own["games"], own["rating"]["provisional"], len(own["history"])) == (1, True, 1)
        board = await ben.leaderboard(own["pool"]["pool"])
        assert (board["people"], board["you"]["rating"]) == ([], own["rating"]["rating"])
        assert {each["level"] for each in board["levels"]} == set(LEVELS)
        while (accuracy := (await ben.ratings())["accuracy"][0])["waiting"]:  # noqa: ASYNC110 as the page asks
            await asyncio.sleep(0.1)
        assert (accuracy["game"], accuracy["unit"], accuracy["games"]) == ("yam-master", "chance", 1)
        assert accuracy["loss"] > 0  # passing loses something
        assert [each["pool"] for each in await pools(club)] == ["yam-master:open:duel:slow"]


async def pools(url: str) -> Any:
    async with Browser(url) as browser:
        return (await browser.http.get("/api/ratings")).json()["pools"]


async def test_only_people_who_want_the_same_are_paired(club: str) -> None:
    async with Client(club) as anna, Client(club) as ben, Client(club) as carla:
        waiting = asyncio.create_task(carla.find_opponent("yam-master", MINUTE, name="Carla"))
        found = [each.find_opponent("yam-master", MINUTE, name="Anna", rated=True) for each in (anna, ben)]
        one, other = await asyncio.gather(*found)
        assert one == other
        assert (await anna.look(one))["rated"]
        assert not waiting.done()
        waiting.cancel()


async def test_what_is_not_there_has_a_code(club: str) -> None:
    async with Client(club) as anna:
        made = await anna.create(Setup("yam-master", (SeatSetup(), SeatSetup())), name="Anna")
        for call, code in (
            (anna.table_ratings(made.table), "not-rated"),
            (anna.leaderboard("yamm:open:duel"), "no-such-pool"),
            (anna.leaderboard("chess:open:duel:fast"), "no-such-pool"),
            (anna.ratings("nobody"), "no-such-profile"),
        ):
            with pytest.raises(ServerRefusal) as refused:
                await call
            assert refused.value.code == code


async def test_without_an_account_nothing_is_rated(url: str) -> None:
    async with Client(url) as anna:
        for call in (anna.create(RATED, name="Anna"), anna.find_opponent("yamm", MINUTE, name="Anna", rated=True)):
            with pytest.raises(ServerRefusal) as refused:
                await call
            assert refused.value.code == "rated-needs-account"
        assert await anna.ratings() == {"ratings": [], "accuracy": []}
        assert await anna.tables() == []
