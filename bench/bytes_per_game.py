"""Bytes that a browser receives over the WebSocket in a whole game of Yamm, and the server's CPU
time per action.

A person plays against the computer `random` on a server in a process of its own and throws three
times in each turn. The game is played with compressed messages, which browsers ask for, and
without. The goals are at most 1.2 MB, and at most 1.1 times the CPU time without compression.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench._server import ServerProcess, served
from dicecup.client import SeatAgent
from dicecup.table.commands import command_to_json

SETUP = {"game": "yamm", "seats": [{}, {"kind": "level", "level": "random"}]}
ROUNDS = 3
"""Games with and games without compression, alternating, so that other load meets both."""
MAX_MEGABYTES = 1.2
MAX_CPU = 1.1
"""Goals for the bytes of a game with compression, and for its CPU time relative to without."""


class CountingConnection(ClientConnection):
    """Connection that counts the bytes that it receives, the handshake included."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


def three_throws(random: Random, view: Mapping[str, Any]) -> str:
    """Return an action that throws as long as a throw is left, and a random one then."""
    actions = [each["action"] for each in view["actions"]]
    keeps = [action for action in actions if action.startswith("k")]
    action: str = random.choice(keeps or actions)
    return action


async def play(server: ServerProcess, *, compressed: bool) -> tuple[int, float]:
    """Play a whole game. Return the bytes received and the CPU seconds of the server per action."""
    random, agent, done = Random(1), SeatAgent(), 0
    view: dict[str, Any] = {}
    async with httpx.AsyncClient(base_url=server.url) as http:
        token = (await http.post("/api/tokens")).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        created = (await http.post("/api/tables", json={"setup": SETUP, "name": "Anna"}, headers=headers)).json()
    async with connect(
        f"{server.url.replace('http', 'ws')}/ws/tables/{created['table']}",
        additional_headers=headers,
        compression="deflate" if compressed else None,
        create_connection=CountingConnection,
        max_size=None,
    ) as connection:
        begin = server.cpu_seconds()
        await connection.send('{"type": "hello"}')
        async for text in connection:
            message = json.loads(text)
            if message["type"] == "refused":
                raise SystemExit(text)
            if message["type"] != "update":
                continue
            view |= message["view"]
            if view["result"] is not None:
                break
            if command := agent.command(view, lambda view: three_throws(random, view)):
                done += 1
                sent = {"type": "command", "id": str(done), "version": view["number"], "command": command_to_json(command)}
                await connection.send(json.dumps(sent))
        assert isinstance(connection, CountingConnection)
        return connection.received, (server.cpu_seconds() - begin) / done


async def measure(server: ServerProcess) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Return the results of the games with and of the games without compression."""
    await play(server, compressed=True)
    games = [(await play(server, compressed=True), await play(server, compressed=False)) for _ in range(ROUNDS)]
    return [each for each, _ in games], [each for _, each in games]


def main() -> int:
    """Print the bytes and the CPU times; return 0 if they reach the goals and 1 otherwise."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        compressed, plain = asyncio.run(measure(server))
    for name, games in (("compressed", compressed), ("plain", plain)):
        megabytes, seconds = max(count for count, _ in games) / 1e6, median(seconds for _, seconds in games)
        print(f"{name}: at most {megabytes:.2f} MB a game, {1e3 * seconds:.2f} ms of CPU time per action of the person")
    share = median(one / other for (_, one), (_, other) in zip(compressed, plain, strict=True))
    print(f"compression: {share:.2f} times the CPU time (goals: {MAX_MEGABYTES} MB, {MAX_CPU} times)")
    return 0 if max(count for count, _ in compressed) <= MAX_MEGABYTES * 1e6 and share <= MAX_CPU else 1


if __name__ == "__main__":
    sys.exit(main())
