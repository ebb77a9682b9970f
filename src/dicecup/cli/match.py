"""`dicecup match GAME --players A B`: play games between players on equal dice, with seats
exchanged.
"""

from argparse import ArgumentParser, Namespace

from dicecup.cli import arena
from dicecup.line_protocol.outside_engine import TURN_SECONDS
from dicecup.locale import Messages


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the game, the players, the time of engines, and the options of both arena commands."""
    parser.add_argument("game", metavar="GAME", help=messages("match_game"))
    parser.add_argument("--players", metavar="PLAYER", nargs="+", required=True, help=messages("match_players"))
    shown = f"{TURN_SECONDS:g}"
    parser.add_argument(
        "--time", metavar="SECONDS", type=float, default=TURN_SECONDS, help=messages("arena_time", seconds=shown)
    )
    arena.add_arguments(parser, messages)


def run(arguments: Namespace, messages: Messages) -> int:
    """Play the games, print the score of the first player with its confidence interval, and return
    the exit code.
    """
    from dicecup.arena.match import match

    return arena.run(
        arguments,
        messages,
        lambda runner: match(
            arguments.game,
            arguments.players,
            games_wanted=arguments.games,
            seed=arguments.seed,
            runner=runner,
            cap=arguments.cap,
            seconds=arguments.time,
        ),
    )
