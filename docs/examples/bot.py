"""A bot that plays one game against the computer: `python bot.py http://127.0.0.1:8421`.

The bot always chooses the last legal action.
"""

import asyncio
import sys

from dicecup.client import Client, SeatAgent
from dicecup.table.setup import Occupant, SeatSetup, Setup


async def play(url: str, game: str = "yam-master") -> str:
    """Play a game on the server at `url` and return its record."""
    setup, agent = Setup(game, (SeatSetup(), SeatSetup(Occupant.LEVEL, "greedy"))), SeatAgent()
    async with Client(url) as client:
        made = await client.create(setup, name="Bot")
        async with client.table(made.table) as table:
            async for update in table:
                if update.view and update.view["result"]:
                    return await client.record(made.table)
                command = agent.command(update.view, lambda view: view["actions"][-1]["action"])
                if command and update.number == table.number:
                    await table.send(command, version=update.number)
    raise AssertionError


if __name__ == "__main__":
    print(asyncio.run(play(*sys.argv[1:])), end="")
