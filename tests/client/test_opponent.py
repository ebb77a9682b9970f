"""Programs and terminals find each other in the lobby."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from dicecup.client import Client, SeatAgent, ServerRefusal
from dicecup.table.commands import CommitSeed, Resign, RevealSeed
from dicecup.table.setup import Clock, ClockKind, Listing, SeatSetup, Setup
from dicecup.terminal import seek
from tests.sweep import sweep
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


@sweep("other", [True, False])
async def test_two_terminals_play_a_rated_game_if_both_want_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: bool
) -> None:
    async with serving(tmp_path, rated="everyone") as url:
        wishes, found = {"anna": True, "ben": other}, []
        for name, rated in wishes.items():  # each has a keyboard, and a file for its tokens
            monkeypatch.setattr(seek, "tokens_file", lambda name=name: tmp_path / name)
            found.append(asyncio.create_task(seek.find(url, "yamm", name, "en", rated=rated)))
            await asyncio.sleep(0)  # the file is opened
        (one, is_rated), second = await asyncio.gather(*found)
    assert second == (one, is_rated)
    assert is_rated is other


async def test_a_request_that_cannot_be_played_is_refused(url: str) -> None:
    async with Client(url) as client:
        with pytest.raises(ServerRefusal) as refused:
            await client.find_opponent("yamm(players=3)", name="A")
        assert refused.value.code == "wrong-number-of-seats"


async def test_a_program_sees_open_tables(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        made = await anna.create(Setup("yamm", (SeatSetup(), SeatSetup()), listing=Listing("casual")), name="Anna")
        await anna.create(Setup("yamm", (SeatSetup(), SeatSetup())), name="Anna")
        (listed,) = await ben.open_tables()
        assert (listed["table"], listed["key"], listed["level"]) == (made.table, made.join_key, "casual")


async def test_programs_invite_and_block_people_they_have_played(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        finished = await play_and_resign(anna, ben)
        (known,) = (await anna.known_people())["people"]
        assert known["name"] == "Ben"
        made = await anna.create(Setup("yamm", (SeatSetup(), SeatSetup())), name="Anna")
        assert (await ben.lobby())["invitations"] == []
        await anna.invite(made.table, known["id"])
        (invitation,) = (await ben.lobby())["invitations"]
        assert (invitation["table"], invitation["key"], invitation["name"]) == (made.table, made.join_key, "Anna")
        await ben.decline(made.table)
        assert (await ben.lobby())["invitations"] == []
        assert (await anna.lobby())["declined"] == [made.table]
        await anna.show_online(shows=True)
        assert (await anna.known_people())["shows_online"] is True
        of_ben = (await ben.known_people())["people"][0]["id"]
        await ben.block(of_ben)
        with pytest.raises(ServerRefusal) as refused:
            await anna.invite(made.table, known["id"])
        assert refused.value.code == "no-such-person"  # blocked people do not see each other
        await ben.unblock(of_ben)
        seats = (await ben.look(finished))["seats"]
        await ben.block_at_table(finished, next(seat["seat"] for seat in seats if seat["name"] == "Anna"))
        assert [each["name"] for each in (await ben.known_people())["blocked"]] == ["Anna"]
        await ben.unblock(of_ben)
        await anna.invite(made.table, known["id"])
        assert finished != made.table


async def play_and_resign(anna: Client, ben: Client) -> str:
    """Let two people play until one resigns, and return the table."""
    clock = Clock(ClockKind.TURN, 30)
    table, _ = await asyncio.gather(
        *(each.find_opponent("yam-master", clock, name=n) for each, n in ((anna, "Anna"), (ben, "Ben")))
    )
    agents = {client: SeatAgent() for client in (anna, ben)}

    async def begin(client: Client) -> None:
        async with client.table(table) as at_table:
            async for update in at_table:
                if update.view["result"] is not None:
                    return
                command = agents[client].command(update.view, lambda _: "")
                if not isinstance(command, CommitSeed | RevealSeed):
                    command = Resign() if client is ben and "resign" in update.view["may"] else None
                if command is not None:
                    with suppress(ServerRefusal):  # the other person was faster: another update follows
                        await at_table.send(command, version=update.number)

    await asyncio.gather(begin(anna), begin(ben))
    return table
