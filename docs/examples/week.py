"""A program that plays the challenges of today: `python week.py http://127.0.0.1:8421`.

Called every day with the same token, it plays a week. It always chooses the last legal action.
"""

import asyncio
import sys

from dicecup.client import Client, SeatAgent


async def play_today(client: Client, name: str = "Bot") -> list[str]:
    """Enter each challenge of today, play it to its end, and return the ids of the events."""
    events = [event["event"] for event in (await client.events.today())["events"]]
    for event in events:
        table_id = await client.events.enter(event, name=name)
        async with client.table(table_id or "") as table:
            agent = SeatAgent()
            async for update in table:
                if update.view and update.view["result"]:
                    break
                command = agent.command(update.view, lambda view: view["actions"][-1]["action"])
                if command and update.number == table.number:
                    await table.send(command, version=update.number)
    return events


async def main(url: str, token: str | None = None) -> None:
    async with Client(url, token=token) as client:
        print(client.token, *await play_today(client))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
