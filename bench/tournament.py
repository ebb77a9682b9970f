"""An arena of ten minutes with 1 000 players on two workers that share a PostgreSQL database.

Both workers run in this process, without sockets, and their time is handed in. The dice are real
ones, so that a game begins as soon as its table is there. Each lasts 60 to 180 simulated seconds
until one player resigns, at a worker chosen by chance. Each simulated second both workers look at
what is due: results, pairings, tables.

It measures the time of the processor for a pairing: all of it, and that of the tournament alone
(result, pairing, opening the table) without what players do at the table. Then it checks that the
log, replayed, gives what both workers hold, that nobody played at two tables at once, and that the
seats are balanced. PostgreSQL's own time is not counted. Arguments: players, seconds.
"""

import asyncio
import heapq
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from time import perf_counter, process_time
from typing import Final, NamedTuple

from dicecup.tournament.commands import Enter, StartRound
from dicecup.tournament.events import GameEnded, Paired
from dicecup.tournament.setup import DiceKind, Format
from dicecup.tournament.standings import standings
from dicecup.tournament.state import TournamentState
from tests.hosting.competition.clubs import Club
from tests.hosting.test_timers import Time
from tests.postgres import running
from tests.tournament.playing import setup

PLAYERS: Final = 1000
SECONDS: Final = 600
SHORTEST, LONGEST = 60, 180


class Measured(NamedTuple):
    """What an arena cost, and its final state. Times are seconds of the processor."""

    pairings: int
    all: float
    tournament: float
    elapsed: float
    state: TournamentState


async def play(first: Club, second: Club, time: Time, players: int, seconds: int) -> Measured:
    """Play an arena to its end."""
    clubs, random = (first, second), Random(1)
    await first.create(setup(Format.ARENA, dice=DiceKind.TABLE, clock=None, seconds=seconds), 0)
    second.tournament = first.tournament
    for number in range(1, players + 1):
        await first.do(Enter(f"Player {number}"), f"p{number}")
    await first.do(StartRound())
    await first.host.tasks.finish()
    begun, started, spent = process_time(), perf_counter(), 0.0
    playing: list[tuple[float, int, int]] = []
    known = set[int]()
    while not (state := await first.state()).is_over:
        for pairing in state.running_pairings():
            if pairing.game is not None and pairing.number not in known:
                known.add(pairing.number)
                loser = random.choice((pairing.first, pairing.second))
                heapq.heappush(playing, (time.now + random.uniform(SHORTEST, LONGEST), pairing.number, loser))
        while playing and playing[0][0] <= time.now:
            _, number, loser = heapq.heappop(playing)
            club = random.choice(clubs)
            await club.resign((await club.state()).pairings[number - 1], loser)
        before = process_time()
        await asyncio.gather(*(club.organising.advance() for club in clubs))
        await asyncio.gather(*(club.host.tasks.finish() for club in clubs))
        spent += process_time() - before
        await time.passes(1, *(club.host for club in clubs))
    pairings = len(state.pairings)
    await _check(clubs, players)
    return Measured(pairings, process_time() - begun, spent, perf_counter() - started, state)


async def _check(clubs: tuple[Club, Club], players: int) -> None:
    """Check the laws of the arena on its log."""
    replayed = await clubs[0].replayed()
    for club in clubs:
        club.tournaments.notified("")
        await club.host.tasks.finish()
        assert await club.state() == replayed
    assert len(standings(replayed)) == players
    assert max(abs(line.seats) for line in standings(replayed)) <= 3, "seats are not balanced"
    busy = set[int]()
    by_number = {pairing.number: pairing for pairing in replayed.kept()}
    for stored in await clubs[0].tournaments.store.events(clubs[0].tournament):
        match stored.event:
            case Paired(duels):
                for duel in duels:
                    assert not busy & {duel.first, duel.second}, "a player sits at two tables"
                    busy |= {duel.first, duel.second}
            case GameEnded(number):
                busy -= {by_number[number].first, by_number[number].second}
            case _:
                pass
    assert not busy


@asynccontextmanager
async def two_workers() -> AsyncIterator[tuple[Club, Club, Time]]:
    """Yield two workers on a new PostgreSQL database, and their clock."""
    async with AsyncExitStack() as stack:
        server, time = stack.enter_context(running()), Time()
        database = server.the_database()
        first = await stack.enter_async_context(Club.opened(database, time))
        yield first, await stack.enter_async_context(Club.opened(database, time)), time


async def main(players: int = PLAYERS, seconds: int = SECONDS) -> None:
    """Play and print the figures."""
    async with two_workers() as (first, second, time):
        found = await play(first, second, time, players, seconds)
    each = 1000 / found.pairings
    print(f"{players} players, {seconds} s, two workers: {found.pairings} pairings in {found.elapsed:.0f} s")
    print(f"processor: {found.all * each:.1f} ms a pairing, of which the tournament {found.tournament * each:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
