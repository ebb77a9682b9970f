"""Engines at tables of a server, in this process and as the program `dicecup bridge`."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dicecup import games, record
from dicecup.client import Client, ClientCode, ClientError, SeatAgent, ServerRefusal, TableLink
from dicecup.client.bridge import Bridge
from dicecup.line_protocol import LineProtocolCode, LineProtocolError
from dicecup.players import create
from dicecup.table import verify
from dicecup.table.commands import OfferDraw, Rematch, Resign
from dicecup.table.setup import Clock, ClockKind, DiceOf, SeatSetup, Setup
from tests.line_protocol.stubs import stub
from tests.web.serving import serving

TWO = Setup("yam-master", (SeatSetup(), SeatSetup()))
DICECUP = "import sys; from dicecup.cli import main; sys.exit(main())"


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path) as served:
        yield served


class Places:
    """An engine that places a token where it can, and throws again where it cannot."""

    def __init__(self) -> None:
        self.games: list[str] = []
        self.seconds: list[float] = []

    def new_game(self, game_id: str, seed: str = "") -> None:
        self.games.append(game_id + seed)

    def choose_in_turn(self, number: int, position: str, actions: Sequence[str]) -> str:
        assert position.endswith(f" {number}")
        return self.chosen(position, actions)

    def decide(self, position: str, actions: Sequence[str], seconds: float) -> str:
        self.seconds.append(seconds)
        return self.chosen(position, actions)

    def chosen(self, position: str, actions: Sequence[str]) -> str:
        assert games.position("yam-master", position).actions
        return next((action for action in actions if action[0] not in "k!-"), actions[0])

    def kill(self) -> None:
        raise AssertionError


class Interrupted(Places):
    """An engine that may be killed while it thinks."""

    def kill(self) -> None:
        """Let the thread end."""


class Greedy(Places):
    """The level `greedy`, whose games are short."""

    def chosen(self, position: str, actions: Sequence[str]) -> str:
        chosen = str(create("greedy").choose(games.position("yam-master", position)))
        assert chosen in actions
        return chosen


class Fails(Places):
    """An engine that fails at its third decision."""

    def __init__(self) -> None:
        super().__init__()
        self.decisions = 0

    def chosen(self, position: str, actions: Sequence[str]) -> str:
        self.decisions += 1
        if self.decisions == 3:
            raise LineProtocolError(LineProtocolCode.SLOW, engine="fails", seconds="1")
        return super().chosen(position, actions)


async def played(url: str, link: TableLink, engine: Places, name: str, wanted: int = 1) -> list[Mapping[str, Any]]:
    """Return the views that a bridge with a new identity yields."""
    async with Client(url) as client:
        return [view async for view in Bridge(client, engine, name).play(link, wanted)]


@pytest.mark.slow
async def test_two_engines_play_a_game(url: str) -> None:
    anna, ben = Greedy(), Greedy()
    async with Client(url) as client:
        made = await client.create(TWO, name="Anna")
        link = TableLink.read(made.join)

        views, others = await asyncio.gather(_views(Bridge(client, anna, "Anna"), link), played(url, link, ben, "Ben"))
        game = record.read(await client.record(made.table))
    assert [view["result"] is None for view in views] == [True, False]
    assert views[-1]["result"] == others[-1]["result"]
    assert [seat["name"] for seat in views[-1]["seats"]] == ["Anna", "Ben"]
    assert game.tags["End"] in ("line", "tokens")
    assert verify.check(game).fault is None
    assert anna.games == ["yam-master"]


async def resigns(client: Client, table: str, tables: int) -> None:
    """Resign at a table and at those that follow it, as a person who wants a rematch."""
    for number in range(tables):
        agent, bridge = SeatAgent(), Bridge(client, Places(), "")
        async with client.table(table) as remote:
            async for update in remote:
                view = update.view
                table = view["next"] or table
                if view["next"] is not None or (number == tables - 1 and view["result"] is not None):
                    break
                if update.number < remote.number:
                    continue
                if (command := agent.command(view, lambda _: "")) is not None and not view["turn"]:
                    await bridge._send(remote, command, update.number)
                elif "resign" in view["may"]:
                    await bridge._send(remote, Resign(), update.number)
                elif "rematch" in view["may"] and not view["seats"][0]["wants_rematch"]:
                    await bridge._send(remote, Rematch(), update.number)


@pytest.mark.slow
@pytest.mark.parametrize("match, games", [(1, 2), (2, 1)])
async def test_several_games_are_played(url: str, match: int, games: int) -> None:
    """A rematch is asked for until all games are played, and a match is played to its end."""
    async with Client(url) as anna:
        made = await anna.create(Setup("yam-master", TWO.seats, games=match), name="Anna")
        link = TableLink.read(made.join)
        _, views = await asyncio.gather(resigns(anna, made.table, 2), played(url, link, Places(), "Ben", games))
    assert [view["result"] is None for view in views] == [True, False, True, False]
    assert len({view["table"] for view in views}) == 2


async def against(url: str, setup: Setup, engine: Places) -> tuple[Mapping[str, Any], object]:
    """Let an engine play against another. Return the last view of the other, and what the engine
    ended with."""
    async with Client(url) as anna:
        made = await anna.create(setup, name="Anna")
        link = TableLink.read(made.join)
        playing = asyncio.create_task(played(url, link, engine, "Ben"))
        found = await _views(Bridge(anna, Places(), "Anna"), link)
        ended: object = (await asyncio.gather(playing, return_exceptions=True))[0]
    return found[-1], ended


async def test_the_clock_of_the_table_counts(url: str) -> None:
    """All of it is the engine's, half a second less for the way to the server."""
    engine = Fails()
    await against(url, Setup("yam-master", TWO.seats, clock=Clock(ClockKind.GAME, 86_400)), engine)
    assert len(engine.seconds) == 3
    assert all(80_000 < seconds < 86_399.6 for seconds in engine.seconds)


async def test_an_engine_that_fails_resigns(url: str) -> None:
    view, ended = await against(url, TWO, Fails())
    assert isinstance(ended, LineProtocolError)
    assert (view["result"]["end"], view["result"]["winners"]) == ("resign", [0])


async def test_a_draw_is_declined(url: str) -> None:
    async with Client(url) as anna, asyncio.TaskGroup() as group:
        made = await anna.create(TWO, name="Anna")
        link = TableLink.read(made.join)
        playing = group.create_task(played(url, link, Interrupted(), "Ben"))
        async with anna.table(made.table, since=0) as table:
            seen: list[str] = []
            bridge = Bridge(anna, Places(), "Anna")
            async for update in table:
                seen += [event["type"] for event in update.events]
                if "draw-answered" in seen:
                    break
                if update.number < table.number:
                    continue
                if "offer-draw" in update.view["may"] and "draw-offered" not in seen:
                    await bridge._send(table, OfferDraw(), update.number)  # Ben may have acted meanwhile
                elif (command := await bridge._command(table, update.view)) is not None:
                    await bridge._send(table, command, update.number)
        playing.cancel()


async def test_a_table_without_a_free_seat_refuses_the_engine(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        made = await anna.create(Setup("yamm(players=1)", (SeatSetup(),)), name="Anna")
        with pytest.raises(ServerRefusal) as caught:
            async for _ in Bridge(ben, Places(), "Ben").play(TableLink.read(made.join), 1):
                pass
    assert caught.value.code == "table-full"


async def test_an_engine_does_not_sit_at_a_table_with_real_dice(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create(Setup("yam-master", TWO.seats, dice=DiceOf.TABLE), name="Anna")
        with pytest.raises(ClientError) as caught:
            await played(url, TableLink.read(made.join), Places(), "Ben")
    assert caught.value.code is ClientCode.ENGINE_AT_REAL_DICE


async def test_an_engine_finds_its_seat_again(url: str) -> None:
    async with Client(url) as anna, Client(url) as ben:
        made = await anna.create(TWO, name="Anna")
        link = TableLink.read(made.join)
        for _ in range(2):
            async for view in Bridge(ben, Places(), "Ben").play(link, 1):
                assert view["you"] == [1]
                break


async def program(url: str, folder: Path, engine: str, *arguments: str) -> tuple[int | None, str, str]:
    """Let `dicecup bridge` play against an engine here. Return its exit code and its output."""
    async with Client(url) as anna:
        made = await anna.create(TWO, name="Anna")
        link = TableLink.read(made.join)
        ours = asyncio.create_task(_views(Bridge(anna, Greedy(), "Anna"), link))
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
        words = ["bridge", "--engine", engine, "--join", made.join, "--lang", "en", "--time", "300", *arguments]
        bridge = await create_subprocess_exec(sys.executable, "-c", DICECUP, *words, stdout=PIPE, stderr=PIPE, env=environment)
        out, err = await bridge.communicate()
        ours.cancel()
        await asyncio.gather(ours, return_exceptions=True)
    return bridge.returncode, out.decode(), err.decode()


async def _views(bridge: Bridge, link: TableLink) -> list[Mapping[str, Any]]:
    return [view async for view in bridge.play(link, 1)]


@pytest.mark.slow
async def test_the_program_plays_a_game(url: str, tmp_path: Path) -> None:
    agent = f"{sys.executable} -m dicecup.line_protocol.agent_process docs.examples.agent:make"
    code, out, err = await program(url, tmp_path, agent, "--name", "Ben")
    assert (code, err) == (0, "")
    seated, over = out.splitlines()
    assert seated.startswith(f"Ben sits at {url}/tables/")
    assert over.startswith("Game 1 is over: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind, code, words",
    [
        ("nonsense", "engine-nonsense", ()),
        ("dies", "engine-died", ()),
        ("exits", "engine-died", ()),
        ("floods", "engine-flooded", ()),
        ("slow", "engine-slow", ("--time", "0.05")),
    ],
)
async def test_the_program_ends_with_the_reason(url: str, tmp_path: Path, kind: str, code: str, words: tuple[str, ...]) -> None:
    ended, _, err = await program(url, tmp_path, stub(kind).removeprefix("engine:"), *words)
    assert ended == 1
    (line,) = err.splitlines()
    assert line.startswith(f"dicecup: {code}: ")
