"""A reconnect storm: 1 000 connections at 100 tables are cut at once by a kill -9. Measured is the
time from when the server, started again, listens until every connection has been told how its table
stands; afterwards no event may be lost or doubled. At most 5 s are wanted.
"""

import asyncio
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench._server import begin, served
from dicecup.client import Client, RemoteTable, SeatAgent
from dicecup.table.setup import SeatSetup, Setup

CONNECTIONS = 1000
TABLES = 100
EVENTS = 20
WANTED = 5.0
ALONE = Setup("yamm(players=1)", (SeatSetup(),))
LIMITS = {"DICECUP_SOCKETS_PER_ADDRESS": "100000"}


class Follower:
    """One connection: the numbers of the events that it was told, and when it was told something
    last. `acts`: it plays."""

    def __init__(self, table: RemoteTable, *, acts: bool) -> None:
        self.table = table
        self.numbers: list[int] = []
        self.told = 0.0
        self._acts = acts
        self._agent = SeatAgent()

    async def follow(self, enough: int) -> None:
        """Until so many events were told."""
        async for update in self.table:
            self.numbers += [event["number"] for event in update.events]
            self.told = perf_counter()
            if len(self.numbers) >= enough:
                return
            if self._acts and update.view and update.number == self.table.number:
                command = self._agent.command(update.view, lambda view: view["actions"][-1]["action"])
                if command is not None:
                    await self.table.send(command, version=update.number)

    async def come_back(self) -> None:
        """Until something is told again."""
        async for update in self.table:
            self.numbers += [event["number"] for event in update.events]
            self.told = perf_counter()
            return


async def storm(folder: Path) -> tuple[float, int]:
    """Seconds until all are back, and how many have a wrong state."""
    with served(folder, **LIMITS) as server:
        port = server.url.rpartition(":")[2]
        async with Client(server.url) as client:
            made = [(await client.create(ALONE, name="Anna")).table for _ in range(TABLES)]
            tables = [client.table(made[at % TABLES], since=0) for at in range(CONNECTIONS)]
            followers = [Follower(table, acts=at < TABLES) for at, table in enumerate(tables)]
            for table in tables:
                await table.__aenter__()
            await asyncio.gather(*(follower.follow(EVENTS) for follower in followers))
            server.kill()
            back = [asyncio.create_task(follower.come_back()) for follower in followers]
            again = await asyncio.to_thread(begin, folder, port, LIMITS)
            listens = perf_counter()
            try:
                await asyncio.gather(*back)
                seconds = max(follower.told for follower in followers) - listens
            finally:
                for table in tables:
                    await table.__aexit__(None, None, None)
                await asyncio.to_thread(_end, again)
    wrong = sum(follower.numbers != list(range(1, len(follower.numbers) + 1)) for follower in followers)
    return seconds, wrong


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate()


def main() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with tempfile.TemporaryDirectory() as folder:
        seconds, wrong = asyncio.run(storm(Path(folder)))
    print(
        f"{CONNECTIONS} connections back {seconds:.2f} s after the server listened again "
        f"(at most {WANTED:.0f} wanted); {wrong} with a gap"
    )
    return 0 if seconds <= WANTED and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
