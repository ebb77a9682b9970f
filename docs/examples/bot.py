"""A bot that plays one game against the computer: `python bot.py http://127.0.0.1:8421`.

The bot always chooses the last legal action.
"""

import asyncio
import sys

from dicecup.client import Client
from dicecup.table.setup import Occupant, SeatSetup, Setup


async def play(url: str, game: str = "yam-master") -> str:
    """Play a game on the server at `url` and return its record."""
    async with Client(url) as client:
        made = await client.create(Setup(game, (SeatSetup(), SeatSetup(Occupant.LEVEL, "greedy"))), name="Bot")
        await client.play(made.table, lambda view: view["actions"][-1]["action"])
        return await client.record(made.table)


if __name__ == "__main__":
    print(asyncio.run(play(*sys.argv[1:])), end="")
