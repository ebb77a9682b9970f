"""Four bots play a tournament: `python tournaments.py http://127.0.0.1:8421 swiss`.

The format is `swiss`, `round-robin`, `league`, `knock-out` or `arena`, which ends after four games.
The bots always choose the first legal action, and resign after a number of turns.
"""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

from dicecup.client import Client
from dicecup.table.setup import Clock, ClockKind
from dicecup.tournament.setup import Format, TournamentSetup

LENGTHS: dict[str, dict[str, Any]] = {
    "swiss": {"rounds": 2},
    "league": {"seconds": 86_400},
    "arena": {"seconds": 600, "pause": None},
}


async def bot(url: str, tournament: str, name: str, turns: int) -> None:
    """Enter a tournament and play in it."""
    async with Client(url) as client:
        await client.tournament(tournament).play(
            name, lambda view: view["actions"][0]["action"] if view["turn"]["number"] < turns else None
        )


async def main(url: str, kind: str = "swiss", *, turns: int = 30) -> list[Mapping[str, Any]]:
    """Hold a tournament and return its standings."""
    values = {"pause": 0} | LENGTHS.get(kind, {})
    setup = TournamentSetup("Bots", Format(kind), "yam-master", clock=Clock(ClockKind.GAME, 600), **values)
    async with Client(url) as organiser, asyncio.TaskGroup() as bots:
        tournament = await organiser.create_tournament(setup)
        for name in ("Anna", "Ben", "Cleo", "Dan"):
            bots.create_task(bot(url, tournament.tournament, name, turns))
        return await tournament.hold(4, games=4 if kind == "arena" else None)


if __name__ == "__main__":
    for line in asyncio.run(main(*sys.argv[1:])):
        print(f"{line['rank']}. entrant {line['entrant']}: {line['points']}")
