"""The typed client: requests, refusals, connections that break, and the example bot of the docs."""

import asyncio
import hashlib
import importlib.util
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dicecup import record
from dicecup.client import Client, ClientCode, ClientError, OutcomeCount, SeatAgent, ServerRefusal, TableLink
from dicecup.table import verify
from dicecup.table.commands import Act, AllowTexts, Command, CommitSeed, EnterDice, Rematch, Resign, RevealSeed, Sit, StandUp
from dicecup.table.setup import DiceOf, Occupant, SeatSetup, Setup
from dicecup.table.talk import Phrase, Reaction
from tests.web.serving import serving

BOT = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"
TWO = Setup("yam-master", (SeatSetup(), SeatSetup()))


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path) as served:
        yield served


def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("game", ["yam-master", "yamm"])
async def test_the_bot_of_the_docs_plays_a_whole_game(url: str, game: str) -> None:
    played = record.read(await bot().play(url, game))
    assert played.tags["End"] in ("line", "tokens", "full")
    report = verify.check(played)
    assert report.fault is None


@pytest.mark.slow
async def test_what_the_bot_prints_is_a_record(url: str, tmp_path: Path) -> None:
    kept = tmp_path / "bot.rec"
    with kept.open("wb") as file:
        assert await (await create_subprocess_exec(sys.executable, str(BOT), url, stdout=file)).wait() == 0
    checking = await create_subprocess_exec(str(Path(sys.executable).with_name("dicecup")), "verify", str(kept), stdout=PIPE)
    output, _ = await checking.communicate()
    assert checking.returncode == 0, output


@pytest.mark.parametrize("name", ["bot.py", "week.py", "tournaments.py"])
def test_the_programs_of_the_docs_have_twenty_lines(name: str) -> None:
    lines = BOT.with_name(name).read_text("utf-8").partition("async def")[2].partition("if __name__")[0]
    assert len([line for line in lines.splitlines() if line.strip()]) <= 20


async def test_two_programs_at_one_table(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        made = await anna.create(TWO, name="Anna")
        assert TableLink.read(made.join) == TableLink(url, made.table, made.join_key, joins=True)
        async with anna.table(made.table) as hers, ben.table(made.table, key=made.join_key) as his:
            updates = aiter(his)
            first = await anext(updates)
            assert await his.send(Sit("Ben"), version=first.number) == first.number + 1
            async for update in hers:
                if [seat["name"] for seat in update.view["seats"]] == ["Anna", "Ben"]:
                    assert update.view["you"] == [0]
                    break
            assert (await ben.look(made.table))["you"] == [1]
        assert [table["table"] for table in await ben.tables()] == [made.table]


async def test_two_programs_talk(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        made = await anna.create(TWO, name="Anna")
        async with anna.table(made.table) as hers, ben.table(made.table, key=made.join_key) as his:
            await his.send(Sit("Ben"), version=2)
            await his.say(Phrase.HELLO)
            with pytest.raises(ServerRefusal) as no_throw:
                await his.react(Reaction.WOW)
            with pytest.raises(ServerRefusal) as no_permission:
                await his.write("Hello, Anna!")
            assert (no_throw.value.code, no_permission.value.code) == ("no-such-throw", "texts-off")
            for table in (hers, his):
                await table.send(AllowTexts(True))
            await hers.write("Hello, Ben!")
            updates = aiter(his)
            talk: list[Any] = []
            while not talk or talk[-1]["type"] != "wrote":
                talk = (await anext(updates)).view["talk"]
            assert [line.get("phrase") or line.get("text") for line in talk] == ["hello", None, None, "Hello, Ben!"]


async def test_a_watcher_follows_to_the_next_game(url: str) -> None:
    async with Client(url) as anna, Client(url) as watcher:
        made = await anna.create(Setup("yamm(players=1)", (SeatSetup(),), dice=DiceOf.TABLE), name="Anna")
        for key in (None, made.watch_key):
            with pytest.raises(ServerRefusal) as refused:
                await watcher.next(made.table, key=key)
            assert refused.value.code == "no-such-table"
        async with anna.table(made.table) as table:
            async for update in table:
                if update.view["next"] is not None:
                    break
                await table.send(Rematch() if update.view["result"] else Resign(), version=update.number)
        link = await watcher.next(made.table, key=TableLink.read(made.watch).key)
        assert link == TableLink(url, update.view["next"], link.key)
        assert (await watcher.look(link.table, key=link.key))["you"] == []
        with pytest.raises(ServerRefusal):
            await watcher.next(made.table)


@pytest.mark.slow
async def test_a_refusal_has_a_code_a_sentence_and_a_number(url: str) -> None:
    async with Client(url, language="de") as client:
        made = await client.create(TWO, name="Anna")
        async with client.table(made.table) as table:
            with pytest.raises(ServerRefusal) as refused:
                await table.send(StandUp(), version=1)
            assert (refused.value.code, refused.value.number) == ("stale-version", 2)
            assert "inzwischen" in refused.value.message
        with pytest.raises(ServerRefusal) as refused:
            await client.analysis("yam-master", "5/5/5/5/5")
        assert refused.value.code == "not-a-position"
        with pytest.raises(ServerRefusal) as refused:
            await client.create(TWO, name="x" * 41)
        assert refused.value.code == "not-a-name"


async def test_an_unreadable_command_is_refused_and_the_next_done(url: str) -> None:
    async with Client(url) as client:
        made = await client.create(TWO, name="Anna")
        async with client.table(made.table) as table:
            first = await anext(aiter(table))
            bad = asyncio.ensure_future(table.send(Sit("\ud800", 1), version=first.number))
            good = asyncio.ensure_future(table.send(Sit("Ben", 1), version=first.number))
            with pytest.raises(ServerRefusal) as refused:
                await asyncio.wait_for(bad, 120)
            assert refused.value.code == "not-a-message"
            assert await asyncio.wait_for(good, 120) > first.number


async def test_every_update_has_a_whole_view(url: str) -> None:
    async with Client(url) as client:
        made = await client.create(Setup("yamm(players=1)", (SeatSetup(),), dice=DiceOf.TABLE), name="Anna")
        async with client.table(made.table) as table:
            updates = aiter(table)
            first = await anext(updates)
            commands: tuple[Command, ...] = EnterDice("13446"), Act("k44"), EnterDice("44456"), Act("f1.4")
            for number, command in enumerate(commands, first.number):
                assert await table.send(command, version=number) == number + 1
                update = await anext(updates)
                looked = await client.look(made.table)
                assert {**update.view, "now": 0} == {**looked, "now": 0}
            assert (await client.look(made.table))["history"] != first.view["history"]


@pytest.mark.slow
async def test_an_identity_gets_links_outcomes_and_statistics(url: str) -> None:
    async with Client(url) as client, Client(url) as other:
        seats = SeatSetup(), SeatSetup(Occupant.LEVEL, "random")
        made = await client.create(Setup("yam-master", seats, dice=DiceOf.TABLE, first=0), name="Anna")
        assert await client.links(made.table) == made
        with pytest.raises(ServerRefusal):
            await other.links(made.table)
        async with client.table(made.table) as table:
            first = await anext(aiter(table))
            await table.send(Resign(), version=first.number)
        assert await client.outcomes() == [OutcomeCount("yam-master", "lost", 1)]
        assert set(await client.statistics()) == {"games", "dice", "waiting"}
        assert (await client.dice())["games"] == 1


async def test_a_transfer_gives_another_program_the_identity(url: str) -> None:
    async with Client(url) as first, Client(url) as second:
        made = await first.create(TWO, name="Anna")
        before, transfer = second.token, await first.transfer()
        assert transfer.secret in transfer.link
        with pytest.raises(ServerRefusal) as refused:
            await second.redeem("0" * 32)
        assert (refused.value.code, second.token) == ("not-a-transfer", before)
        assert await second.redeem(transfer.secret) == second.token != before
        assert [table["table"] for table in await second.tables()] == [made.table]
        async with second.table(made.table) as table:
            assert (await anext(aiter(table))).view["you"] == [0]


async def test_an_unknown_table_refuses_updates_and_commands(url: str) -> None:
    async with Client(url) as client, client.table("0" * 20) as table:
        for _ in range(2):
            with pytest.raises(ServerRefusal) as refused:
                await anext(aiter(table))
            assert refused.value.code == "no-such-table"
        with pytest.raises(ServerRefusal):
            await table.send(StandUp())


async def test_a_saved_token_keeps_the_identity(url: str) -> None:
    async with Client(url) as client:
        made, token = await client.create(TWO, name="Anna"), client.token
    async with Client(url, token=token) as client:
        assert (await client.look(made.table))["you"] == [0]
    async with Client(url, token="x") as client:
        with pytest.raises(ServerRefusal) as refused:
            await client.tables()
        assert refused.value.code == "not-a-token"
        async with client.table(made.table) as table:
            with pytest.raises(ServerRefusal) as refused:
                await anext(aiter(table))
            assert refused.value.code == "not-a-token"


async def test_an_unreachable_server_raises_an_error(unused_port: int) -> None:
    with pytest.raises(ClientError) as failed:
        async with Client(f"http://127.0.0.1:{unused_port}"):
            pass
    assert failed.value.code is ClientCode.UNREACHABLE


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def test_leaving_a_table_ends_a_waiting_iteration(url: str) -> None:
    async with Client(url) as client:
        made = await client.create(TWO, name="Anna")
        table = client.table(made.table)
        async with table:
            await anext(aiter(table))
            waiting = asyncio.ensure_future(anext(aiter(table)))
            await asyncio.sleep(0)
        with pytest.raises(ClientError) as left:
            await waiting
        assert left.value.code is ClientCode.LEFT


@pytest.mark.parametrize(
    "text", ["", "x", "http://h/tables/", "http://h/tables/xyz", "ftp://h/tables/" + "0" * 20, "http://h/tables/" + "0" * 19]
)
def test_a_text_that_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(ClientError) as refused:
        TableLink.read(text)
    assert refused.value.code is ClientCode.NOT_A_LINK


def test_links_may_have_a_path_and_no_key() -> None:
    table = "0123456789abcdef0123"
    assert TableLink.read(f" https://h.example/dice/tables/{table}#watch=ab ") == TableLink(
        "https://h.example/dice", table, "ab"
    )
    assert TableLink.read(f"http://h:1/tables/{table}") == TableLink("http://h:1", table)


def test_an_agent_acts_for_the_viewers_seats_only() -> None:
    agent = SeatAgent()
    view = {"you": [1], "demand": {"what": "commitments", "seats": [0]}}
    assert agent.command(view, lambda _: "") is None
    assert agent.command({}, lambda _: "") is None
    committed = agent.command(view | {"demand": {"what": "commitments", "seats": [0, 1]}}, lambda _: "")
    assert isinstance(committed, CommitSeed)
    revealed = agent.command(revealing(1, committed.hash), lambda _: "")
    assert isinstance(revealed, RevealSeed)
    assert hashlib.sha256(bytes.fromhex(revealed.seed)).hexdigest() == committed.hash


def test_an_agent_resigns_where_nothing_is_chosen() -> None:
    view = {"you": [0], "demand": {"what": "action", "seats": [0]}}
    assert SeatAgent().command(view, lambda _: "k11") == Act("k11")
    assert SeatAgent().command(view, lambda _: None) == Resign()


def revealing(seat: int, commitment: str) -> Mapping[str, Any]:
    """Return a view in which both seats are the viewer's and reveal; the hash of the other seat is
    unknown."""
    seats = [{"hash": commitment if held == seat else "0" * 64, "seed": None} for held in range(2)]
    return {"you": [0, 1], "demand": {"what": "seeds", "seats": [0, 1]}, "fairness": {"seats": seats}}


def test_only_the_agent_that_committed_reveals_a_seed() -> None:
    first, second = SeatAgent(), SeatAgent()
    committed = first.command({"you": [1], "demand": {"what": "commitments", "seats": [1]}}, lambda _: "")
    assert isinstance(committed, CommitSeed)
    view = revealing(1, committed.hash)
    assert second.command(view, lambda _: "") is None
    revealed = first.command(view, lambda _: "")
    assert isinstance(revealed, RevealSeed)
    assert revealed.seat == 1


async def test_people_are_reported_and_messages_of_the_host_read(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        made = await anna.create(TWO, name="Anna")
        await ben.report(made.table, "stalling", seat=0, key=TableLink.read(made.watch).key)
        with pytest.raises(ServerRefusal) as refused:
            await anna.report(made.table, "name", seat=0)
        assert refused.value.code == "not-yourself"
        assert await ben.announcement() is None
