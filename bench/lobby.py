"""Time from a request for an opponent to the table, with 2 000 people in the lobby of two workers.

Two processes of `dicecup serve` share a PostgreSQL. At 500 tables of two people an action is played
each second: in seven rounds while 2 000 people are in the lobby, and before and after each of them
alone. Each person in the lobby looks for an opponent, comes to the table, and looks again after a
pause. The time of a pair begins with the later of its two requests. The goals are a p99 of at most
500 ms, and a p99 of the actions of at most 1.2 times that without the lobby. Linux only.

A pause takes 20 seconds in the mean, so about 50 games begin each second. That is twenty times as
many as end at the tables: between players of the level `club` a game takes 130 actions (Yam Master,
mean of 40 games) or 570 (Yamm, of 6).

The speed of a machine that others use too changes within seconds, by half and more, and the p99
with it. The CPU time of the players, who do the same in each round, tells the speed. So each round
is divided into parts of two seconds, and the p99 of a part beside the lobby is compared with the
p99 that parts without it have at the same speed: with the line that fits their logarithms. The
geometric mean of these comparisons counts.

Not measured is what 2 000 people in the lobby do not cause. Their tokens are written into the
database, and they look for opponents once all know how many they are: 2 000 new browsers do not
come within a few seconds. Nobody plays at the tables of the pairs, whose pages would send seeds at
once, so the server goes on without seeds a minute later; the next round begins after that.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import exp, log, sqrt
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import fmean, geometric_mean, linear_regression, quantiles, stdev
from time import perf_counter, sleep
from typing import Final, NamedTuple

from sqlalchemy import insert

from bench._load import Part, Round, allow_files, playing
from bench._lobby_people import PAUSE, run
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
ROUNDS: Final = 7
"""Rounds beside the lobby. With more of them too many games would end: each action is random."""
FORGOTTEN_AFTER: Final = GONE_AFTER + ARRIVE_WITHIN + 2
"""Seconds after which the lobby has nothing to do any more for people who have left."""
SETTLED_AFTER: Final = BEAT + REFRESH + SPREAD + 1
"""Seconds after which everybody in the lobby has heard how many people are there."""
SEEDS_HANDLED_AFTER: Final = SEED_TIME + SWEEP_INTERVAL + 5
"""Seconds after which the server has ended the wait for seeds at the tables of all pairs."""
LEAST_PLAYED: Final = 0.9
"""Share of the planned actions that have to be played; a slower machine measures nothing."""
MAX_P99: Final = 0.500
MOST_SLOWER: Final = 1.2

RANDOM: Final = Random(1)


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
    allow_files()
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
        players = stack.enter_context(playing([(RANDOM.choice(urls), RANDOM.choice(urls)) for _ in range(tables)], processes=1))

        def play() -> tuple[Round, float]:
            used = _cpu(servers)
            played = players.play(tables, seconds)
            if len(played.times) < LEAST_PLAYED * tables * seconds:
                raise SystemExit(f"only {len(played.times)} of {tables * seconds:.0f} actions were played: nothing is measured")
            return played, _cpu(servers) - used

        alone, beside, pairs, waiting = [], [], [], []
        ready = perf_counter()
        for at in range(ROUNDS):
            sleep(max(0.0, ready - perf_counter()))
            alone.append(play())
            with _lobby(urls, tokens[at::ROUNDS]) as pipe:
                sleep(SETTLED_AFTER)
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
    `_lobby_people.run`. Raises `SystemExit` if a person was refused."""
    context = get_context("spawn")
    here, there = context.Pipe()
    lobby = context.Process(target=run, args=(there, urls, tokens, MAX_P99))
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
    """Return for each round beside the lobby how many times as long the p99 of its parts is as that
    of parts without the lobby at the same speed of the machine: the geometric mean."""
    alone = [_speed_and_p99(part) for each in found.alone for part in each.parts]
    slope, intercept = linear_regression(*zip(*alone, strict=True))

    def times(part: Part) -> float:
        speed, p99 = _speed_and_p99(part)
        return exp(p99 - intercept - slope * speed)

    return [geometric_mean(map(times, each.parts)) for each in found.beside]


def _speed_and_p99(part: Part) -> tuple[float, float]:
    """Return the logarithms of the CPU seconds of the players for an action, and of the p99."""
    return log(part.cpu / len(part.times)), log(_p99(part.times))


def _each(rounds: Sequence[Round]) -> str:
    return ", ".join(f"{1000 * _p99(each.times):.1f}" for each in rounds)


def main() -> int:
    """Print the times; return 0 if they reach the goals and 1 otherwise."""
    found = measure(PEOPLE, TABLES, SECONDS)
    slower = _slower(found)
    percent = quantiles(found.pairs, n=100)
    print(
        f"{len(found.pairs)} pairs of {PEOPLE} people with pauses of {PAUSE:.0f} s in {ROUNDS} times {SECONDS:.0f} s at two "
        f"workers: from the request to the table p50 {1000 * percent[49]:.0f} ms, p99 {1000 * percent[98]:.0f} ms, "
        f"worst {1000 * found.pairs[-1]:.0f} ms (goal: p99 {1000 * MAX_P99:.0f}); {max(found.waiting)} people had waited "
        "longer at an end (at most one is alone)"
    )
    alone, beside = (_p99([time for each in rounds for time in each.times]) for rounds in (found.alone, found.beside))
    print(
        f"meanwhile {TABLES} tables, one action a second each: p99 {1000 * beside:.1f} ms (rounds {_each(found.beside)}), "
        f"without the lobby {1000 * alone:.1f} ms ({_each(found.alone)}); at the same speed of the machine "
        f"{', '.join(f'{times:.2f}' for times in slower)} times, together {geometric_mean(slower):.2f} times (standard error "
        f"{stdev(map(log, slower)) / sqrt(len(slower)):.0%}; goal: {MOST_SLOWER})"
    )
    late = max(_p99(each.late) for each in found.beside)
    print(
        f"CPU time of both servers in a round: {found.cpu_beside:.1f} s with the lobby, {found.cpu_alone:.1f} s without; "
        f"actions began at most {1000 * late:.0f} ms late in 99 of 100 cases, because this program waited"
    )
    return 0 if percent[98] <= MAX_P99 and max(found.waiting) <= 1 and geometric_mean(slower) <= MOST_SLOWER else 1


if __name__ == "__main__":
    sys.exit(main())
