"""Memory of an idle connection: a server in a process of its own, two tables, and 2 000 connections
that follow them and say nothing. What its resident set grows by, in KiB a connection; at most 25 is
wanted.
"""

import asyncio
import gc
import json
import resource
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from bench._server import Served, served

CONNECTIONS = 2000
WARM = 200
"""Connections that are there before the first look: what is loaded once is no connection's."""
WANTED = 25.0
SETTLE = 2.0


async def measure(server: Served) -> float:
    """KiB a connection."""
    async with httpx.AsyncClient(base_url=server.url) as client, AsyncExitStack() as stack:
        setup = {"game": "yam-master", "seats": [{}, {}]}
        made = [(await client.post("/api/tables", json={"setup": setup, "name": "Anna"})).json() for _ in range(2)]
        url = server.url.replace("http", "ws")
        hellos = [json.dumps({"type": "hello", "key": each["watch_key"]}) for each in made]

        async def follow(number: int) -> None:
            table = made[number % 2]["table"]
            connection = await stack.enter_async_context(
                connect(f"{url}/ws/tables/{table}", compression=None, ping_interval=None, user_agent_header=None)
            )
            await connection.send(hellos[number % 2])
            await connection.recv()

        for number in range(WARM):
            await follow(number)
        await asyncio.sleep(SETTLE)
        before = server.resident()
        for number in range(CONNECTIONS):
            await follow(number)
        await asyncio.sleep(SETTLE)
        return (server.resident() - before) / CONNECTIONS / 1024


def main() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    gc.disable()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server:
        each = asyncio.run(measure(server))
    print(f"{each:.1f} KiB a connection that follows a table, of {CONNECTIONS} (at most {WANTED:.0f} wanted)")
    return 0 if each <= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
