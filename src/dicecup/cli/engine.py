"""`dicecup engine`: speak the line protocol of docs/engines.md as a computer level or an agent."""

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Final

from dicecup.core.game import LEVELS
from dicecup.locale import Messages

LEVEL: Final = "master"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the player that answers: a level, or an agent by its import path."""
    player = parser.add_mutually_exclusive_group()
    player.add_argument(
        "--level",
        choices=LEVELS,
        default=LEVEL,
        metavar="LEVEL",
        help=messages("cli_engine_level", levels=", ".join(LEVELS), level=LEVEL),
    )
    player.add_argument("--agent", metavar="PATH", help=messages("cli_engine_agent"))


def run(arguments: Namespace, messages: Messages) -> int:  # noqa: ARG001 engines have one language
    """Answer the lines of the standard input until `quit` or its end, and return the exit code."""
    from dicecup.line_protocol.agent_process import serve_agent, standard_streams

    if arguments.agent is not None:
        return serve_agent(arguments.agent)
    from dicecup.line_protocol.server import Server
    from dicecup.players import create

    lines, write = standard_streams()
    Server(f"Dicecup {arguments.level}", partial(create, arguments.level), write, warm=True).run(lines)
    return 0
