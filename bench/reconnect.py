"""Time until 1 000 connections at 100 tables are back after the server was killed and restarted.

The measured time begins when the restarted server listens and ends when every connection has
received an update of its table. No event may be lost or received twice. The goal is at most 5 s.
"""

import asyncio
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench._server import served, start
from dicecup.client import Client, RemoteTable, SeatAgent
from dicecup.table.setup import SeatSetup, Setup

CONNECTIONS = 1000
TABLES = 100
EVENTS = 20
"""Events that every connection receives before the server is killed."""
MAX_SECONDS = 5.0
"""Goal for the time until all connections are back."""
ALONE = Setup("yamm(players=1)", (SeatSetup(),))
LIMITS = {"DICECUP_SOCKETS_PER_ADDRESS": "100000"}


class Subscriber:
    """One connection to a table.

    `numbers` holds the numbers of the received events, `last_update` the time of the last update. A
    subscriber with `acts` plays the game.
    """

    def __init__(self, table: RemoteTable, *, acts: bool) -> None:
        self.table = table
        self.numbers: list[int] = []
        self.last_update = 0.0
        self._acts = acts
        self._agent = SeatAgent()

    async def receive(self, count: int) -> None:
        """Receive updates, and act if the subscriber acts, until `count` events were received."""
        async for update in self.table:
            self.numbers += [event["number"] for event in update.events]
            self.last_update = perf_counter()
            if len(self.numbers) >= count:
                return
            if self._acts and update.view and update.number == self.table.number:
                command = self._agent.command(update.view, lambda view: view["actions"][-1]["action"])
                if command is not None:
                    await self.table.send(command, version=update.number)

    async def receive_one(self) -> None:
        """Receive one update; the client reconnects if the connection is lost."""
        async for update in self.table:
            self.numbers += [event["number"] for event in update.events]
            self.last_update = perf_counter()
            return


async def storm(folder: Path) -> tuple[float, int]:
    """Kill and restart the server under load.

    Returns the seconds until all connections are back, and the number of subscribers whose event
    numbers have a gap or a repetition.
    """
    with served(folder, **LIMITS) as server:
        port = server.url.rpartition(":")[2]
        async with Client(server.url) as client:
            created = [(await client.create(ALONE, name="Anna")).table for _ in range(TABLES)]
            tables = [client.table(created[at % TABLES], since=0) for at in range(CONNECTIONS)]
            subscribers = [Subscriber(table, acts=at < TABLES) for at, table in enumerate(tables)]
            for table in tables:
                await table.__aenter__()
            await asyncio.gather(*(subscriber.receive(EVENTS) for subscriber in subscribers))
            server.kill()
            back = [asyncio.create_task(subscriber.receive_one()) for subscriber in subscribers]
            restarted = await asyncio.to_thread(start, folder, port, LIMITS)
            listening_since = perf_counter()
            try:
                await asyncio.gather(*back)
                seconds = max(subscriber.last_update for subscriber in subscribers) - listening_since
            finally:
                for table in tables:
                    await table.__aexit__(None, None, None)
                await asyncio.to_thread(_terminate, restarted)
    wrong = sum(subscriber.numbers != list(range(1, len(subscriber.numbers) + 1)) for subscriber in subscribers)
    return seconds, wrong


def _terminate(process: subprocess.Popen[str]) -> None:
    """Terminate the server and wait for its end."""
    process.terminate()
    process.communicate()


def main() -> int:
    """Print the time; return 0 if the goal is reached without an event error, 1 otherwise."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with tempfile.TemporaryDirectory() as folder:
        seconds, wrong = asyncio.run(storm(Path(folder)))
    print(
        f"{CONNECTIONS} connections back {seconds:.2f} s after the server listened again "
        f"(goal: at most {MAX_SECONDS:.0f} s); {wrong} with lost or repeated events"
    )
    return 0 if seconds <= MAX_SECONDS and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
