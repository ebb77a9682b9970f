"""`dicecup bridge --engine COMMAND --join LINK`: let an engine play at a table on a server."""

import asyncio
from argparse import ArgumentParser, Namespace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from dicecup.line_protocol.outside_engine import TURN_SECONDS
from dicecup.locale import Messages

if TYPE_CHECKING:
    from dicecup.client import TableLink
    from dicecup.line_protocol import OutsideEngine


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the engine, the table, and how long the engine plays."""
    parser.add_argument("--engine", metavar="COMMAND", required=True, help=messages("cli_bridge_engine"))
    parser.add_argument("--join", metavar="LINK", required=True, help=messages("cli_bridge_join"))
    parser.add_argument("--name", metavar="NAME", help=messages("cli_bridge_name"))
    parser.add_argument("--games", metavar="N", type=int, default=1, help=messages("cli_bridge_games"))
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=float,
        default=TURN_SECONDS,
        help=messages("cli_bridge_time", seconds=f"{TURN_SECONDS:g}"),
    )


def run(arguments: Namespace, messages: Messages) -> int:
    """Play until the games are over, print the result of each, and return the exit code.

    Raises `LineProtocolError`, `ServerRefusal`, `ClientError`, and `ArenaError` (`not-a-count`).
    """
    from dicecup.arena.match import check_seconds
    from dicecup.arena.runner import check_count
    from dicecup.client import TableLink
    from dicecup.line_protocol import EngineSpec, Limits

    check_count("games", arguments.games)
    check_seconds(arguments.time)
    link = TableLink.read(arguments.join)
    engine = EngineSpec.of_command(arguments.engine).start(Limits(turn=arguments.time))
    try:
        asyncio.run(_play(arguments, engine, link, messages))
    finally:
        engine.close()
    return 0


async def _play(arguments: Namespace, engine: "OutsideEngine", link: "TableLink", messages: Messages) -> None:
    """Play at the table of a link, and at those of the games that follow."""
    from dicecup.client.bridge import Bridge
    from dicecup.client.tokens import open_client
    from dicecup.table.names import LONGEST_NAME

    name = arguments.name or engine.title[:LONGEST_NAME].strip()
    number = 0
    client = await open_client(link.url, _tokens_file(name), messages.language)
    try:
        async for view in Bridge(client, engine, name).play(link, arguments.games):
            if view["result"] is None:
                print(messages("bridge_seated", name=name, link=f"{link.url}/tables/{view['table']}"), flush=True)
            else:
                number += 1
                ended = view["result"]
                print(messages("bridge_over", number=number, result=ended["result"], end=ended["end"]), flush=True)
    finally:
        await client.__aexit__(None, None, None)


def _tokens_file(name: str) -> Path:
    """Return the file with the tokens of an engine. Under the same name it finds its seat again
    after a restart, and engines with other names are other people."""
    from dicecup.terminal.files import default_folder

    return default_folder().parent / f"engine-{sha256(name.encode()).hexdigest()[:16]}.json"
