"""A program that plays the challenges of today: `python week.py http://127.0.0.1:8421`.

Called every day with the same token, it plays a week. It always chooses the last legal action.
"""

import asyncio
import sys

from dicecup.client import Client


async def play_today(client: Client, name: str = "Bot") -> list[str]:
    """Enter each challenge of today, play it to its end, and return the ids of the events."""
    events = [event["event"] for event in (await client.events.today())["events"]]
    for event in events:
        table = await client.events.enter(event, name=name)
        await client.play(table or "", lambda view: view["actions"][-1]["action"])
    return events


async def main(url: str, token: str | None = None) -> None:
    async with Client(url, token=token) as client:
        print(client.token, *await play_today(client))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
