"""Finding an opponent on a server, from the terminal."""

import asyncio

from dicecup.client import TableLink
from dicecup.client.tokens import open_client
from dicecup.table.setup import Clock, ClockKind
from dicecup.terminal.console import Console
from dicecup.terminal.join import join, tokens_file

CLOCK = Clock(ClockKind.TURN, 60)
"""The clock that the page proposes, too: most people wait for it."""


def seek(console: Console, url: str, game: str, name: str | None, *, rated: bool = False) -> None:
    """Look for an opponent in the lobby of a server, and play. Raises `DicecupError` and as
    `GameLoop.play`.

    `name`: the name of the person; `None`: the terminal asks for it. `rated`: the person wants a
    rated game; it is one if the opponent wants that, too.
    """
    called, server = name or console.ask(console.messages("ask_name")), url.rstrip("/")
    console.tell("online_seeking")
    table, is_rated = asyncio.run(find(server, game, called, console.messages.language, rated=rated))
    console.tell("online_found_rated" if is_rated else "online_found")
    join(console, str(TableLink(server, table)), called)


async def find(url: str, game: str, name: str, language: str, *, rated: bool) -> tuple[str, bool]:
    """Return the table of the pair and whether its game is rated. The identity is the one that this
    keyboard has at the server. Raises `DicecupError`."""
    client = await open_client(url, tokens_file(), language)
    try:
        table = await client.find_opponent(game, CLOCK, name=name, rated=rated)
        return table, bool((await client.look(table))["rated"])
    finally:
        await client.__aexit__(None, None, None)
