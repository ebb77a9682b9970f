"""Servers that are killed or restarted: published events are saved, and clients reconnect."""

import asyncio
import random
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from dicecup.client import Client, RemoteTable, SeatAgent, ServerRefusal
from dicecup.table.setup import Occupant, SeatSetup, Setup
from tests.web.serving import Browser, Program, serving

LEVEL = SeatSetup(Occupant.LEVEL, "random")
GAMES = (Setup("yam-master", (SeatSetup(), LEVEL)), Setup("yamm(players=1)", (SeatSetup(),)))

MANY: Final = {
    "DICECUP_CONNECTIONS_PER_ADDRESS": "3000",
    "DICECUP_SOCKETS_PER_ADDRESS": "3000",
    "DICECUP_MESSAGES_PER_ADDRESS": "5000",
    "DICECUP_REQUESTS_PER_SECOND": "5000",
}
"""Limits of a server whose clients all have one address."""
EVENTS: Final = 24
"""Events that each of a thousand connections waits for."""


class Player:
    """Player at one table that keeps every event that it receives, across reconnections."""

    def __init__(self, table: RemoteTable, seed: int) -> None:
        self.events: list[Any] = []
        self.view: Any = {}
        self._table = table
        self._agent = SeatAgent()
        self._chance = random.Random(seed)

    def _choose(self, view: Any) -> str:
        action: str = self._chance.choice(view["actions"])["action"]
        return action

    async def play(self, events: int = 10**9) -> None:
        """Play until this many events were received, or the game is over."""
        async for update in self._table:
            self.events += update.events
            self.view = update.view or self.view
            if len(self.events) >= events or self.view["result"] is not None:
                return
            if update.number != self._table.number or not update.view:
                continue
            if (command := self._agent.command(update.view, self._choose)) is not None:
                try:
                    await self._table.send(command, version=update.number)
                except ServerRefusal as refused:
                    assert refused.code == "stale-version"


def numbers(events: Sequence[Any]) -> list[int]:
    return [event["number"] for event in events]


async def events_of(client: Client, table: str) -> list[Any]:
    async with client.table(table, since=0) as whole:
        async for update in whole:
            return list(update.events)
    raise AssertionError


@pytest.mark.slow
async def test_a_killed_server_has_every_published_event(tmp_path: Path) -> None:
    async with Program(tmp_path) as program, Client(program.url) as client:
        made = [await client.create(GAMES[at % 2], name="Anna") for at in range(6)]
        tables = [client.table(each.table, since=0) for each in made]
        players = [Player(table, at) for at, table in enumerate(tables)]
        for table in tables:
            await table.__aenter__()
        playing = [asyncio.create_task(player.play(120)) for player in players]
        for _ in range(2):
            before = sum(len(player.events) for player in players)
            async with asyncio.timeout(280):
                while sum(len(player.events) for player in players) < before + 60:  # noqa: ASYNC110 several players' events
                    await asyncio.sleep(0.01)
            await program.end(signal.SIGKILL)
            await program.start()
        await asyncio.gather(*playing)
        for table, player, each in zip(tables, players, made, strict=True):
            await table.__aexit__(None, None, None)
            assert numbers(player.events) == list(range(1, len(player.events) + 1))
            assert (await events_of(client, each.table))[: len(player.events)] == player.events


@pytest.mark.slow
async def test_a_server_that_ends_says_so_and_nothing_is_lost(tmp_path: Path) -> None:
    async with Program(tmp_path) as program, Client(program.url) as client, Browser(program.url) as browser:
        made = await browser.make()
        async with browser.socket(made["table"]) as socket:
            await socket.receive("update")
            played = await client.create(GAMES[0], name="Anna")
            async with client.table(played.table, since=0) as table:
                player = Player(table, 1)
                await player.play(20)
                assert await program.end() == 0
                assert await socket.closed() == 1012
                await program.start()
                await player.play()
            assert player.view["result"] is not None
            assert numbers(player.events) == list(range(1, len(player.events) + 1))
            assert await events_of(client, played.table) == player.events


@pytest.mark.slow
async def test_a_command_without_an_answer_is_repeated_and_done_once(tmp_path: Path) -> None:
    """Use a relay that drops every connection instead of delivering the answer to its second
    command."""
    async with serving(tmp_path) as url, relay(url) as (between, drops), Client(between) as client:
        made = await client.create(GAMES[0], name="Anna")
        async with client.table(made.table, since=0) as table:
            player = Player(table, 2)
            await player.play(80)
        assert numbers(player.events) == list(range(1, len(player.events) + 1))
        assert (await events_of(client, made.table))[: len(player.events)] == player.events
        assert drops[0] > 5


@pytest.mark.slow
async def test_a_thousand_connections_return_with_exactly_their_gap(tmp_path: Path) -> None:
    async with Program(tmp_path, **MANY) as program, Client(program.url) as client:
        made = [await client.create(GAMES[1], name="Anna") for _ in range(50)]
        tables = [client.table(made[at % 50].table, since=0) for at in range(1000)]
        players = [Player(table, at) for at, table in enumerate(tables)]
        for table in tables:
            await table.__aenter__()
        acting = [asyncio.create_task(player.play(EVENTS)) for player in players[:50]]
        watching = [asyncio.create_task(watch(table, player)) for table, player in zip(tables[50:], players[50:], strict=True)]
        async with asyncio.timeout(280):
            while min(len(player.events) for player in players[:50]) < 10:  # noqa: ASYNC110 many players' events
                await asyncio.sleep(0.01)
        await program.end(signal.SIGKILL)
        await program.start()
        await asyncio.gather(*acting)
        await asyncio.wait_for(asyncio.gather(*watching), 280)
        for table in tables:
            await table.__aexit__(None, None, None)
        for at, player in enumerate(players[50:]):
            assert numbers(player.events) == list(range(1, len(player.events) + 1))
            shorter, longer = sorted([player.events, players[at % 50].events], key=len)
            assert longer[: len(shorter)] == shorter


async def watch(table: RemoteTable, player: Player) -> None:
    """Keep the events of a table, at least `EVENTS`."""
    async for update in table:
        player.events += update.events
        if len(player.events) >= EVENTS:
            return


class relay:  # noqa: N801 read as a function
    """Relay to a server that drops answers. Yields its URL and the number of dropped
    connections."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rpartition(":")[2])
        self._drops = [0]
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> tuple[str, list[int]]:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}", self._drops

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", self._port)
        frames = 0
        upgraded = False

        async def there() -> None:
            nonlocal frames, upgraded
            while data := await reader.read(65_536):
                outer.write(data)
                await outer.drain()
                if upgraded:
                    frames += 1
                upgraded = upgraded or b"Upgrade: websocket" in data

        async def back() -> None:
            while data := await inner.read(65_536):
                if frames >= 3:  # the hello, a command that is answered, and one that is not
                    self._drops[0] += 1
                    writer.transport.abort()
                    return
                writer.write(data)
                await writer.drain()

        both = [asyncio.ensure_future(there()), asyncio.ensure_future(back())]
        self._tasks.update(both)
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        outer.close()
        writer.close()
