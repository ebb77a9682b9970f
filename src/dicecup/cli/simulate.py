"""`dicecup simulate GAME`: play many games of one player and print statistics of scores
and games."""

from argparse import ArgumentParser, Namespace

from dicecup.cli import arena
from dicecup.locale import Messages


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the game, the player, and the options of both arena commands."""
    parser.add_argument("game", metavar="GAME", help=messages("simulate_game"))
    parser.add_argument("--player", metavar="LEVEL", required=True, help=messages("simulate_player"))
    arena.add_arguments(parser, messages)


def run(arguments: Namespace, messages: Messages) -> int:
    """Play the games, print means with their confidence intervals, and return the exit code."""
    from dicecup.arena.simulate import simulate

    return arena.run(
        arguments,
        messages,
        lambda runner: simulate(
            arguments.game,
            arguments.player,
            games_wanted=arguments.games,
            seed=arguments.seed,
            runner=runner,
            cap=arguments.cap,
        ),
    )
