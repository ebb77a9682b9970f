"""Server that plays tables and prints each published event number, until a test kills it.

Usage: `python -m tests.hosting.busy_server URL TABLES`.
"""

import asyncio
import sys

from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, settings, wanted


async def main(database: str, tables: int) -> None:
    host = await TableHost.open(settings(database))
    await asyncio.gather(*(play(host, f"person {number}") for number in range(tables)))


async def play(host: TableHost, identity: str) -> None:
    made = await host.create(identity, alone(), name="Anna")
    async with host.subscribe(made.table, identity) as updates:
        async for update in updates:
            sys.stdout.write(f"{made.table} {update.number}\n")
            sys.stdout.flush()
            command = wanted(update.view)
            if command is None:
                return
            await host.send(made.table, identity, command, version=update.number, command_id=f"c{update.number}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
