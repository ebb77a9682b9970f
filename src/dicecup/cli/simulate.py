"""`dicecup simulate GAME`: a player by itself, many games: what it scores, how its games go."""

from argparse import ArgumentParser, Namespace

from dicecup.cli import arena
from dicecup.locale import Messages


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """The game and the player, and what both arena commands take."""
    parser.add_argument("game", metavar="GAME", help=messages("simulate_game"))
    parser.add_argument("--player", metavar="LEVEL", required=True, help=messages("simulate_player"))
    arena.add_arguments(parser, messages)


def run(arguments: Namespace, messages: Messages) -> int:
    """Prints the means with their intervals."""
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
