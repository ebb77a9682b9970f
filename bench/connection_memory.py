"""Memory of an idle connection, in KiB of the server's resident set.

A server in a process of its own has two tables and 2 000 connections that subscribe to them and
send nothing else. They offer to compress messages, as browsers do. The goal is at most 25 KiB per
connection.
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

from bench._server import ServerProcess, served

CONNECTIONS = 2000
WARM = 200
"""Connections that are opened before the first measurement, to exclude one-time costs."""
MAX_KIB = 25.0
"""Goal for the memory of a connection."""
SETTLE = 2.0
"""Seconds to wait before memory is measured."""


async def measure(server: ServerProcess) -> float:
    """Return the growth of the server's resident set in KiB per connection."""
    async with httpx.AsyncClient(base_url=server.url) as client, AsyncExitStack() as stack:
        setup = {"game": "yam-master", "seats": [{}, {}]}
        created = [(await client.post("/api/tables", json={"setup": setup, "name": "Anna"})).json() for _ in range(2)]
        url = server.url.replace("http", "ws")
        hellos = [json.dumps({"type": "hello", "key": each["watch_key"]}) for each in created]

        async def subscribe(number: int) -> None:
            table = created[number % 2]["table"]
            connection = await stack.enter_async_context(
                connect(f"{url}/ws/tables/{table}", ping_interval=None, user_agent_header=None)
            )
            await connection.send(hellos[number % 2])
            await connection.recv()

        for number in range(WARM):
            await subscribe(number)
        await asyncio.sleep(SETTLE)
        before = server.resident()
        for number in range(CONNECTIONS):
            await subscribe(number)
        await asyncio.sleep(SETTLE)
        return (server.resident() - before) / CONNECTIONS / 1024


def main() -> int:
    """Print the memory of a connection; return 0 if it reaches the goal and 1 otherwise."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    gc.disable()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server:
        each = asyncio.run(measure(server))
    print(f"{each:.1f} KiB per subscribed connection, mean of {CONNECTIONS} (goal: at most {MAX_KIB:.0f})")
    return 0 if each <= MAX_KIB else 1


if __name__ == "__main__":
    sys.exit(main())
