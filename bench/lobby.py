"""Time from a request for an opponent to the table, with 2 000 people in the lobby of two workers.

Two processes of `dicecup serve` share a PostgreSQL. At 500 tables of two people an action is played
each second: first alone, then while 2 000 people are in the lobby, then alone again, five times.
Each person in the lobby looks for an opponent, comes to the table, and looks again after a pause.
The time of a pair begins with the later of its two requests. The goals are a p99 of at most 500 ms,
and a p99 of the actions of at most 1.2 times that without the lobby. Linux only.

The speed of a machine that others use too changes within minutes. So each round beside the lobby is
compared with the rounds just before and after it, and the median of the comparisons counts.

The programs of the people in the lobby would run on other machines. Here they share two cores with
the servers, the database and the players, so their process runs only while a core is idle
(`SCHED_IDLE`; the lowest `nice` value would still delay a server that wakes up beside it), and
only every few milliseconds: a server does not wake up a client on another machine.

Not measured is what 2 000 people in the lobby do not cause. Their tokens are written into the
database, and they look for opponents once all know how many they are: 2 000 new browsers do not
come within a few seconds. Nobody plays at the tables of the pairs, whose pages would send seeds at
once, so the server goes on without seeds a minute later; the next round begins after that.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from secrets import token_hex
from statistics import fmean, median, quantiles
from time import perf_counter, sleep
from typing import Any, Final, NamedTuple

import uvloop
from sqlalchemy import insert
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench._load import Round, playing
from bench._server import ServerProcess, served
from dicecup.hosting.lobby.lobby import BEAT, GONE_AFTER, REFRESH, SPREAD
from dicecup.hosting.lobby.seeks import ARRIVE_WITHIN
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.identities import token_hash
from dicecup.hosting.store.models import TOKENS
from dicecup.hosting.table_host import SWEEP_INTERVAL
from dicecup.table.consequences import SEED_TIME
from tests import postgres

PEOPLE: Final = 2_000
TABLES: Final = 500
SECONDS: Final = 20.0
ROUNDS: Final = 5
"""Rounds beside the lobby. One stall of a disk is seen in the p99 of a round."""
NAP: Final = 0.010
"""Seconds after which the people read their messages again. The times of the pairs contain it."""
PAUSE: Final = 20.0
"""Mean seconds between two games of a person."""
FORGOTTEN_AFTER: Final = GONE_AFTER + ARRIVE_WITHIN + 2
"""Seconds after which the lobby has nothing to do any more for people who have left."""
SETTLED_AFTER: Final = BEAT + REFRESH + SPREAD + 1
"""Seconds after which everybody in the lobby has heard how many people are there."""
SEEDS_HANDLED_AFTER: Final = SEED_TIME + SWEEP_INTERVAL + 5
"""Seconds after which the server has ended the wait for seeds at the tables of all pairs."""
CONNECTED_AT_ONCE: Final = 32
LEAST_PLAYED: Final = 0.9
"""Share of the planned actions that have to be played; a slower machine measures nothing."""
MAX_P99: Final = 0.500
MOST_SLOWER: Final = 1.2

RANDOM: Final = Random(1)


class Person:
    """A person in the lobby. `asked` and `found` hold the times of each request and of its table,
    by table, `waits_since` the time of a request without a table."""

    def __init__(self, url: str, token: str, number: int) -> None:
        self._url = url
        self._token = token
        self._name = f"p{number}"
        self._visit = token_hex(4)  # a request with a known id is not a new one
        self.asked: dict[str, float] = {}
        self.found: dict[str, float] = {}
        self.waits_since: float | None = None
        self.connected = asyncio.get_running_loop().create_future()

    async def live(self, begin: asyncio.Event) -> None:
        """Look for opponents until the task is cancelled. Raises `SystemExit` if the server refuses
        something or closes the connection."""
        headers = {"Authorization": f"Bearer {self._token}"}
        address = f"{self._url.replace('http', 'ws')}/ws/lobby"
        try:
            async with connect(
                address, additional_headers=headers, compression=None, open_timeout=60, ping_interval=None, max_size=None
            ) as socket:
                await socket.send('{"type": "hello"}')
                self.connected.set_result(None)
                await begin.wait()
                await self._seek_again_and_again(socket)
        except (OSError, WebSocketException) as error:
            raise SystemExit(f"person {self._name} of the lobby at {self._url}: {error!r}") from None

    async def _seek_again_and_again(self, socket: ClientConnection) -> None:
        count = 0
        while True:
            await asyncio.sleep(RANDOM.uniform(0, 2 * PAUSE))
            count += 1
            request = {"type": "seek", "id": f"{self._visit}-{count}", "game": "yam-master", "clock": None, "name": self._name}
            self.waits_since = asked = perf_counter()
            await socket.send(json.dumps(request))
            table = ""
            while True:
                message: Any = json.loads(await socket.recv())
                if message["type"] == "refused":
                    raise SystemExit(f"person {self._name} of the lobby: {message}")
                if message["type"] != "seek":
                    continue
                if message["seek"] is None:
                    break
                if (given := message["seek"]["table"]) and given != table:
                    table, self.waits_since = given, None
                    self.asked[table], self.found[table] = asked, perf_counter()
                    await socket.send(json.dumps({"type": "arrive", "table": table}))


async def _live(pipe: Connection, urls: list[str], tokens: list[str]) -> None:
    """Connect a person for each token and let all look for opponents, from one message of the pipe
    to the next. Send through it the times of the pairs, and how many people have waited for longer
    than the goal."""
    connections = asyncio.Semaphore(CONNECTED_AT_ONCE)
    begin = asyncio.Event()
    people = [Person(urls[number % len(urls)], token, number) for number, token in enumerate(tokens)]

    async def person(each: Person) -> asyncio.Task[None]:
        async with connections:
            living = asyncio.create_task(each.live(begin))
            await asyncio.wait([living, each.connected], return_when=asyncio.FIRST_COMPLETED)
            return living

    living = await asyncio.gather(*map(person, people))
    pipe.send(None)
    await asyncio.to_thread(pipe.recv)
    begin.set()
    living.append(asyncio.create_task(_nap_again_and_again()))
    end = asyncio.create_task(asyncio.to_thread(pipe.recv))
    await asyncio.wait([*living, end], return_when=asyncio.FIRST_COMPLETED)
    late = perf_counter() - MAX_P99  # before the connections are closed, which takes seconds
    for task in living:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.wait(living)
    waiting = sum(each.waits_since is not None and each.waits_since < late for each in people)
    pairs: dict[str, list[tuple[float, float]]] = {}
    for one in people:
        for table, time in one.found.items():
            pairs.setdefault(table, []).append((one.asked[table], time))
    times = [max(time for _, time in pair) - max(asked for asked, _ in pair) for pair in pairs.values() if len(pair) == 2]
    pipe.send((sorted(times), waiting))


async def _nap_again_and_again() -> None:
    """Stop the whole process for a while, again and again."""
    while True:
        sleep(NAP)  # noqa: ASYNC251 the other tasks have to wait, too
        await asyncio.sleep(0)


def _run(pipe: Connection, urls: list[str], tokens: list[str]) -> None:
    _allow_files()
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    uvloop.run(_live(pipe, urls, tokens))


def _allow_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))


async def _new_tokens(database: str, count: int) -> list[str]:
    """Return the tokens of new identities, which are saved in the database."""
    tokens = [f"token-{number}" for number in range(count)]
    rows = [
        {"hash": token_hash(token), "identity": f"{number:032x}", "kind": "bearer", "expires": None}
        for number, token in enumerate(tokens)
    ]
    store = await Store.open(database_url(database))
    try:
        await store.writer.work(lambda connection: connection.execute(insert(TOKENS), rows))
    finally:
        await store.close()
    return tokens


class Measured(NamedTuple):
    """The sorted seconds of each pair, how many people were waiting for longer than the goal at the
    ends of the rounds, the rounds of the tables without the lobby and those beside it, and the mean
    CPU seconds of the servers in each kind."""

    pairs: list[float]
    waiting: list[int]
    alone: list[Round]
    beside: list[Round]
    cpu_alone: float
    cpu_beside: float


def measure(people: int, tables: int, seconds: float) -> Measured:
    """Play at tables and let people look for opponents. Raises `SystemExit` if the server refuses
    something or if too few actions were played."""
    _allow_files()
    with ExitStack() as stack:
        database = stack.enter_context(postgres.running(durable=True)).new_database()
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = []
        for worker in ("1", "2"):
            (folder / worker).mkdir()
            settings = {
                "DICECUP_DATABASE_URL": database,
                "DICECUP_HOST_KEY": bytes(range(32)).hex(),
                "DICECUP_SOCKETS_PER_ADDRESS": "100000",
                "DICECUP_SEEKS_PER_MINUTE": "1000000",
            }
            servers.append(stack.enter_context(served(folder / worker, **settings)))
        urls = [server.url for server in servers]
        tokens = asyncio.run(_new_tokens(database, ROUNDS * people))
        players = stack.enter_context(playing([(RANDOM.choice(urls), RANDOM.choice(urls)) for _ in range(tables)]))

        def play() -> tuple[Round, float]:
            used = _cpu(servers)
            played = players.play(tables, seconds)
            if len(played.times) < LEAST_PLAYED * tables * seconds:
                raise SystemExit(f"only {len(played.times)} of {tables * seconds:.0f} actions were played: nothing is measured")
            return played, _cpu(servers) - used

        alone, beside, pairs, waiting = [play()], [], [], []
        ready = perf_counter()
        for at in range(ROUNDS):
            with _lobby(urls, tokens[at::ROUNDS]) as pipe:
                sleep(max(SETTLED_AFTER, ready - perf_counter()))
                pipe.send(None)
                beside.append(play())
                pipe.send(None)
                found, waits = pipe.recv()
            ready = perf_counter() + SEEDS_HANDLED_AFTER
            pairs += found
            waiting.append(waits)
            sleep(FORGOTTEN_AFTER)
            alone.append(play())
    return Measured(
        sorted(pairs),
        waiting,
        [played for played, _ in alone],
        [played for played, _ in beside],
        fmean(used for _, used in alone),
        fmean(used for _, used in beside),
    )


@contextmanager
def _lobby(urls: list[str], tokens: list[str]) -> Iterator[Connection]:
    """Let people be in the lobby until the end of the block. Yield the pipe of their process, see
    `_live`. Raises `SystemExit` if a person was refused."""
    context = get_context("spawn")
    here, there = context.Pipe()
    lobby = context.Process(target=_run, args=(there, urls, tokens))
    lobby.start()
    there.close()
    try:
        here.recv()
        yield here
    except EOFError:
        raise SystemExit("the people of the lobby have ended: see above") from None
    finally:
        lobby.join(30)
        lobby.kill()


def _cpu(servers: Sequence[ServerProcess]) -> float:
    return sum(server.cpu_seconds() for server in servers)


def _p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[98]


def _slower(found: Measured) -> list[float]:
    """Return the p99 of each round beside the lobby, divided by the mean of those before and after
    it."""
    alone = [_p99(each.times) for each in found.alone]
    return [_p99(each.times) / fmean(near) for each, near in zip(found.beside, pairwise(alone), strict=True)]


def _each(rounds: Sequence[Round]) -> str:
    return ", ".join(f"{1000 * _p99(each.times):.1f}" for each in rounds)


def main() -> int:
    """Print the times; return 0 if they reach the goals and 1 otherwise."""
    found = measure(PEOPLE, TABLES, SECONDS)
    slower = _slower(found)
    percent = quantiles(found.pairs, n=100)
    print(
        f"{len(found.pairs)} pairs of {PEOPLE} people in {ROUNDS} times {SECONDS:.0f} s at two workers: from the request to "
        f"the table p50 {1000 * percent[49]:.0f} ms, p99 {1000 * percent[98]:.0f} ms, worst {1000 * found.pairs[-1]:.0f} ms "
        f"(goal: p99 {1000 * MAX_P99:.0f}); {max(found.waiting)} people had waited longer at an end (at most one is alone)"
    )
    alone, beside = (_p99([time for each in rounds for time in each.times]) for rounds in (found.alone, found.beside))
    print(
        f"meanwhile {TABLES} tables, one action a second each: p99 {1000 * beside:.1f} ms ({_each(found.beside)}), without the "
        f"lobby before, between and afterwards {1000 * alone:.1f} ms ({_each(found.alone)}); each round beside the lobby "
        f"compared with its neighbours {', '.join(f'{times:.2f}' for times in slower)} times, median {median(slower):.2f} "
        f"(goal: {MOST_SLOWER})"
    )
    late = max(_p99(each.late) for each in found.beside)
    print(
        f"CPU time of both servers in a round: {found.cpu_beside:.1f} s with the lobby, {found.cpu_alone:.1f} s without; "
        f"actions began at most {1000 * late:.0f} ms late in 99 of 100 cases, because this program waited"
    )
    return 0 if percent[98] <= MAX_P99 and max(found.waiting) <= 1 and median(slower) <= MOST_SLOWER else 1


if __name__ == "__main__":
    sys.exit(main())
