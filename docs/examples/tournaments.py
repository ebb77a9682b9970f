"""Four bots play a tournament: `python tournaments.py http://127.0.0.1:8421 swiss`.

The format is `swiss`, `round-robin`, `league`, `knock-out` or `arena`. The bots place a token as
soon as they can, and resign after a number of turns.
"""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from dicecup.client import Client, RemoteTournament, SeatAgent, ServerRefusal
from dicecup.table.commands import Resign
from dicecup.table.setup import Clock, ClockKind
from dicecup.tournament.commands import Enter, Finish, StartRound
from dicecup.tournament.setup import Format, TournamentSetup

VALUES: dict[str, dict[str, Any]] = {
    "swiss": {"rounds": 2},
    "league": {"seconds": 86_400},
    "arena": {"seconds": 600, "pause": None},
}


def choose(view: Mapping[str, Any]) -> str:
    """Return the first action that places or removes a token, or else the last one."""
    actions: list[str] = [each["action"] for each in view["actions"]]
    return next((each for each in actions if not each.startswith(("k", "!", "-"))), actions[-1])


async def play(client: Client, table_id: str, turns: int) -> None:
    """Play a game to its end."""
    agent = SeatAgent()
    async with client.table(table_id) as table:
        async for update in table:
            if update.view and update.view["result"]:
                return
            command = agent.command(update.view, choose)
            if command and update.number == table.number:
                given_up = update.view["turn"] is not None and update.view["turn"]["number"] >= turns
                with suppress(ServerRefusal):  # the other was faster, and the next update says so
                    await table.send(Resign() if given_up else command, version=update.number)


async def sit(client: Client, own: RemoteTournament, turns: int) -> None:
    """Play at every table of a tournament until it is over."""
    async for change in own.changes():
        if change["you"]["table"] is not None and change["stage"] != "over":
            await play(client, change["you"]["table"], turns)


async def bot(url: str, tournament: str, name: str, turns: int) -> None:
    """Enter a tournament and play in it."""
    async with Client(url) as client:
        own = client.tournament(tournament)
        await own.look()
        await own.do(Enter(name))
        await sit(client, own, turns)


async def main(url: str, kind: str = "swiss", turns: int = 30, games: int = 4) -> list[dict[str, Any]]:
    """Hold a tournament and return its standings. An arena is finished after some games."""
    values: dict[str, Any] = {"pause": 0} | VALUES.get(kind, {})
    setup = TournamentSetup("Bots", Format(kind), "yam-master", clock=Clock(ClockKind.GAME, 600), **values)
    seen: dict[str, Any] = {}
    async with Client(url) as organiser, asyncio.TaskGroup() as bots:
        tournament = await organiser.create_tournament(setup)
        for name in ("Anna", "Ben", "Cleo", "Dan"):
            bots.create_task(bot(url, tournament.tournament, name, turns))
        async for _ in tournament.changes():
            seen = dict((await tournament.look())["view"])
            with suppress(ServerRefusal):  # a bot was faster, and the next change says so
                if seen["stage"] == "open" and len(seen["entrants"]) == 4:
                    await tournament.do(StartRound())
                if kind == "arena" and sum(pairing["result"] is not None for pairing in seen["pairings"]) >= games:
                    await tournament.do(Finish())
    return list(seen["standings"])


if __name__ == "__main__":
    for line in asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "swiss")):
        print(f"{line['rank']}. entrant {line['entrant']}: {line['points']}")
