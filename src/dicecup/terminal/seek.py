"""Finding an opponent on a server, from the terminal."""

import asyncio

from dicecup.client import TableLink
from dicecup.client.tokens import open_client
from dicecup.table.setup import Clock, ClockKind
from dicecup.terminal.console import Console
from dicecup.terminal.join import join, tokens_file

CLOCK = Clock(ClockKind.TURN, 60)
"""The clock that the page proposes, too: most people wait for it."""


def seek(console: Console, url: str, game: str, name: str | None) -> None:
    """Look for an opponent in the lobby of a server, and play. Raises `DicecupError` and as
    `GameLoop.play`.

    `name`: the name of the person; `None`: the terminal asks for it.
    """
    called = name or console.ask(console.messages("ask_name"))
    console.tell("online_seeking")
    link = TableLink(url.rstrip("/"), asyncio.run(_found(url.rstrip("/"), game, called, console.messages.language)))
    console.tell("online_found")
    join(console, str(link), called)


async def _found(url: str, game: str, name: str, language: str) -> str:
    """Return the table of the pair, with the identity that this keyboard has at the server."""
    client = await open_client(url, tokens_file(), language)
    try:
        return await client.find_opponent(game, CLOCK, name=name)
    finally:
        await client.__aexit__(None, None, None)
