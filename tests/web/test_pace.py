"""Clients that read too slowly or send too fast do not affect others and lose no message."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest
from websockets.asyncio.client import connect

from dicecup.hosting.subscribers import LONGEST_QUEUE
from dicecup.table.commands import command_to_json
from dicecup.web import server
from dicecup.web.config import Config
from dicecup.web.websocket_protocol import BURST
from tests.hosting.guests import first, wanted
from tests.web.serving import AGAINST_COMPUTER, SEED_HASH, Browser, Json, Socket, serving

YAMM: Json = {"game": "yamm", "seats": [{}, {}]}
BUFFER = 4096
"""Bytes of a small socket buffer: unread messages soon wait in the server."""


@pytest.fixture
def small_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    listen = server.listen

    def listen_with_small_buffers(config: Config) -> socket.socket:
        listening = listen(config)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        return listening

    monkeypatch.setattr(server, "listen", listen_with_small_buffers)


@asynccontextmanager
async def lazy(url: str, made: Json) -> AsyncIterator[Socket]:
    """Open a watching connection that reads from the network only when a message is awaited."""
    with socket.socket() as small:
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        small.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        where = f"{url.replace('http', 'ws', 1)}/ws/tables/{made['table']}"
        async with connect(where, sock=small, compression=None, max_queue=1, ping_interval=None, close_timeout=1) as connection:
            watching = Socket(connection)
            await watching.send({"type": "hello", "key": made["watch_key"], "since": 0})
            yield watching


async def play(people: list[Socket], commands: int) -> None:
    """Send `commands` commands and wait until all clients have received each."""
    for _ in range(commands):
        for person in people:
            command = wanted(person.updates[-1]["view"], first)
            if command is not None:
                answer = await person.do(command_to_json(command))
                assert answer["type"] == "done", answer
                for each in people:
                    await each.up_to(answer["number"])
                break
        else:
            raise AssertionError("no seat is pending")


@asynccontextmanager
async def two_who_play(url: str) -> AsyncIterator[tuple[Json, list[Socket]]]:
    async with Browser(url) as anna, Browser(url) as ben:
        made = await anna.make(YAMM)
        await ben.http.get("/api/me")
        join = {"key": made["join_key"]}
        async with anna.socket(made["table"], {"since": 0}) as hers, ben.socket(made["table"], join | {"since": 0}) as his:
            await hers.receive("update")
            await his.receive("update")
            answer = await his.do({"type": "sit", "name": "Ben"})
            for each in (hers, his):
                await each.up_to(answer["number"])
            yield made, [hers, his]


def numbers(socket: Socket) -> list[int]:
    return [event["number"] for event in socket.events]


@pytest.mark.slow
@pytest.mark.usefixtures("small_buffers")
async def test_a_slow_client_is_dropped_and_returns_with_the_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # a client that does not read answers no ping, and the test may take long
    monkeypatch.setattr(server, "PING", 600.0)
    async with (
        serving(tmp_path, messages_per_second=10_000, messages_per_address=10_000) as url,
        two_who_play(url) as (made, people),
    ):
        async with lazy(url, made) as watching:
            await watching.receive("update")
            await play(people, LONGEST_QUEUE + 100)
            refused = await watching.receive("refused")
            assert (refused["id"], refused["error"]["code"]) == (None, "too-slow")
            assert await watching.closed() == 4429
        received = numbers(watching)
        assert received == list(range(1, received[-1] + 1))
        await play(people, 20)
        newest = people[0].updates[-1]["number"]
        assert received[-1] < newest - LONGEST_QUEUE
        for person in people:
            assert numbers(person) == list(range(1, newest + 1))
        since = {"key": made["watch_key"], "since": received[-1]}
        async with Browser(url) as again, again.socket(made["table"], since) as back:
            gap = await back.receive("update")
        assert [event["number"] for event in gap["events"]] == list(range(received[-1] + 1, newest + 1))
        assert watching.events + gap["events"] == people[0].events


@pytest.mark.slow
@pytest.mark.usefixtures("small_buffers")
async def test_a_client_that_never_reads_is_aborted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PING", 3.0)
    async with (
        serving(tmp_path, messages_per_second=10_000, messages_per_address=10_000) as url,
        two_who_play(url) as (made, people),
        lazy(url, made) as watching,
        Browser(url) as looking,
    ):
        await watching.receive("update")
        assert "dicecup_sockets 3.0" in (await looking.http.get("/metrics")).text
        await play(people, 40)
        async with asyncio.timeout(280):
            while "dicecup_sockets 2.0" not in (await looking.http.get("/metrics")).text:  # noqa: ASYNC110 the server sends no event
                await asyncio.sleep(0.1)
        await play(people, 5)


async def test_messages_beyond_the_rate_wait_and_none_is_lost(tmp_path: Path) -> None:
    rate, pings = 20, 100
    async with serving(tmp_path, messages_per_second=rate) as url, Browser(url) as anna, Browser(url) as ben:
        made = await anna.make(AGAINST_COMPUTER)
        async with anna.socket(made["table"]) as hasty, ben.socket(made["table"], {"key": made["watch_key"]}) as calm:
            await hasty.receive("update")
            begun = monotonic()
            for _ in range(pings):
                await hasty.send({"type": "ping"})
            answering = asyncio.create_task(hasty.do({"type": "commit-seed", "hash": SEED_HASH}))
            await calm.send({"type": "ping"})
            await calm.receive("pong")
            assert (await answering)["type"] == "done"
            assert monotonic() - begun >= (1 + pings + 1 - BURST * rate) / rate - 0.1
