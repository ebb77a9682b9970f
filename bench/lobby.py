"""Time from a request for an opponent to the table, with 2 000 people in the lobby of two workers.

Two processes of `dicecup serve` share a PostgreSQL. At 500 tables of two people an action is played
each second, first alone and then while 2 000 people are in the lobby: each looks for an opponent,
comes to the table, and looks again after a pause. The time of a pair begins with the later of its
two requests. The goals are a p99 of at most 500 ms, and a p99 of the actions of at most 1.2 times
that without the lobby. Linux only.
"""

import asyncio
import json
import resource
import sys
import tempfile
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any, Final

import httpx
from websockets.asyncio.client import connect

from bench._load import Players
from bench._server import served
from tests import postgres

PEOPLE: Final = 2_000
TABLES: Final = 500
SECONDS: Final = 20.0
PAUSE: Final = 20.0
"""Mean seconds between two games of a person."""
CONNECTED_AT_ONCE: Final = 32
MAX_P99: Final = 0.500
MOST_SLOWER: Final = 1.2

RANDOM: Final = Random(1)


class Person:
    """A person in the lobby. `asked` and `found` hold the times of each request and of its table,
    by table."""

    def __init__(self, url: str, token: str, number: int) -> None:
        self._url = url
        self._token = token
        self._number = number
        self.asked: dict[str, float] = {}
        self.found: dict[str, float] = {}
        self.connected = asyncio.Event()

    async def live(self, begin: asyncio.Event) -> None:
        """Look for opponents until the task is cancelled."""
        headers = {"Authorization": f"Bearer {self._token}"}
        address = f"{self._url.replace('http', 'ws')}/ws/lobby"
        async with connect(address, additional_headers=headers, compression=None, ping_interval=None, max_size=None) as socket:
            await socket.send('{"type": "hello"}')
            self.connected.set()
            await begin.wait()
            count = 0
            while True:
                await asyncio.sleep(RANDOM.uniform(0, 2 * PAUSE))
                count += 1
                request = {"type": "seek", "id": f"r{count}", "game": "yam-master", "clock": None, "name": f"p{self._number}"}
                asked = perf_counter()
                await socket.send(json.dumps(request))
                table = ""
                while True:
                    message: Any = json.loads(await socket.recv())
                    if message["type"] == "refused":
                        raise SystemExit(message)
                    if message["type"] != "seek":
                        continue
                    if message["seek"] is None:
                        break
                    if (given := message["seek"]["table"]) and given != table:
                        table = given
                        self.asked[table], self.found[table] = asked, perf_counter()
                        await socket.send(json.dumps({"type": "arrive", "table": table}))


async def _live(pipe: Connection, urls: list[str]) -> None:
    """Connect all people, let them look for opponents for some seconds, and send the times of the
    pairs through the pipe."""
    connections = asyncio.Semaphore(CONNECTED_AT_ONCE)
    begin = asyncio.Event()
    async with httpx.AsyncClient(timeout=60) as http:

        async def person(number: int) -> tuple[Person, asyncio.Task[None]]:
            async with connections:
                url = urls[number % len(urls)]
                answer = (await http.post(f"{url}/api/tokens")).raise_for_status()
                found = Person(url, answer.json()["token"], number)
                living = asyncio.create_task(found.live(begin))
                await found.connected.wait()
                return found, living

        people = await asyncio.gather(*map(person, range(PEOPLE)))
    pipe.send(None)
    await asyncio.to_thread(pipe.recv)
    begin.set()
    await asyncio.sleep(SECONDS)
    for _, living in people:
        living.cancel()
    pairs: dict[str, list[tuple[float, float]]] = {}
    for found, _ in people:
        for table, time in found.found.items():
            pairs.setdefault(table, []).append((found.asked[table], time))
    pipe.send([max(time for _, time in pair) - max(asked for asked, _ in pair) for pair in pairs.values() if len(pair) == 2])


def _run(pipe: Connection, urls: list[str]) -> None:
    _allow_files()
    asyncio.run(_live(pipe, urls))


def _allow_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))


def main() -> int:
    """Print the times; return 0 if they reach the goals and 1 otherwise."""
    _allow_files()
    with ExitStack() as stack:
        database = stack.enter_context(postgres.running(durable=True)).new_database()
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = []
        for worker in ("1", "2"):
            (folder / worker).mkdir()
            settings = {
                "DICECUP_DATABASE_URL": database,
                "DICECUP_HOST_KEY": bytes(range(32)).hex(),
                "DICECUP_SOCKETS_PER_ADDRESS": "100000",
                "DICECUP_SEEKS_PER_MINUTE": "1000000",
            }
            urls.append(stack.enter_context(served(folder / worker, **settings)).url)
        players = Players([(RANDOM.choice(urls), RANDOM.choice(urls)) for _ in range(TABLES)])
        alone = quantiles(players.play(TABLES, SECONDS).times, n=100)[98]
        context = get_context("spawn")
        here, there = context.Pipe()
        people = context.Process(target=_run, args=(there, urls))
        people.start()
        here.recv()
        here.send(None)
        beside = quantiles(players.play(TABLES, SECONDS).times, n=100)[98]
        times = sorted(here.recv())
        people.join()
        players.close()
    percent = quantiles(times, n=100)
    print(
        f"{len(times)} pairs of {PEOPLE} people in {SECONDS:.0f} s at two workers: from the request to the table p50 "
        f"{1000 * percent[49]:.0f} ms, p99 {1000 * percent[98]:.0f} ms, worst {1000 * times[-1]:.0f} ms "
        f"(goal: p99 {1000 * MAX_P99:.0f})"
    )
    print(
        f"meanwhile {TABLES} tables, one action a second each: p99 {1000 * beside:.1f} ms, without the lobby "
        f"{1000 * alone:.1f} ms, {beside / alone:.2f} times (goal: {MOST_SLOWER})"
    )
    return 0 if percent[98] <= MAX_P99 and beside <= MOST_SLOWER * alone else 1


if __name__ == "__main__":
    sys.exit(main())
