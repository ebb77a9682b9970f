"""`dicecup train GAME`: train the tables that the computer players of a game use."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from typing import Final

from dicecup.locale import Messages

TRAINERS: Final = {"yamm": "dicecup.arena.train_yamm", "yam-master": "dicecup.engine.yam_master.training.train"}
"""Each game and the module whose `train` trains it."""
DEFAULT_MINUTES: Final = 20.0


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the arguments: the game, the length of the training, and the folder of the table."""
    parser.add_argument("game", metavar="GAME", choices=TRAINERS, help=messages("train_game"))
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--games", metavar="N", type=int, help=messages("train_games"))
    length.add_argument("--minutes", metavar="M", type=float, default=DEFAULT_MINUTES, help=messages("train_minutes"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=messages("train_seed"))
    parser.add_argument("--commit", metavar="ID", help=messages("train_commit"))
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("tables"), help=messages("train_out"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Train a game with progress on standard error, and print the origin of the table."""
    from tqdm import tqdm

    options = ["--games", str(arguments.games)] if arguments.games is not None else ["--minutes", str(arguments.minutes)]
    command = ["dicecup", "train", arguments.game, *options, "--seed", str(arguments.seed), "--out", str(arguments.out)]
    with tqdm(total=1.0, file=sys.stderr, disable=None, bar_format="{l_bar}{bar}| {elapsed}<{remaining} {postfix}") as bar:

        def report(done: float, games: int, error: float) -> None:
            """Show the progress of the training."""
            bar.n = min(done, 1.0)
            bar.set_postfix_str(messages("train_progress", games=games, error=f"{error:.4g}"), refresh=False)
            bar.refresh()

        table = import_module(TRAINERS[arguments.game]).train(
            games=arguments.games,
            minutes=arguments.minutes,
            seed=arguments.seed,
            out=arguments.out,
            command=shlex.join(command),
            commit=arguments.commit,
            report=report,
        )
    for name, value in table.origin.items():
        print(f"{name:<16} {value}")
    return 0
