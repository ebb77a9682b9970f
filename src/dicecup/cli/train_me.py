"""`dicecup train-me [GAME]`: ask for decisions in positions of real games and explain
each answer."""

import sys
from argparse import ArgumentParser, Namespace
from secrets import token_hex
from typing import Final

from dicecup import games
from dicecup.locale import Messages
from dicecup.terminal.console import Console

QUESTIONS: Final = 10
MOST_QUESTIONS: Final = 100_000


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the game, the number of questions, and a seed that repeats the same questions."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=messages("train_me_game"))
    parser.add_argument(
        "--questions", metavar="N", type=int, default=QUESTIONS, help=messages("train_me_questions", questions=QUESTIONS)
    )
    parser.add_argument("--seed", metavar="TEXT", help=messages("train_me_seed"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Ask until all questions are answered or the person quits. Save every answer when it is given.
    Return 0.
    """
    from dicecup.analysis.questions import trained
    from dicecup.arena.runner import check_count
    from dicecup.engine.progress import compiling
    from dicecup.terminal import history
    from dicecup.terminal.setup import ask_game
    from dicecup.terminal.trainer import Trainer

    check_count("questions", arguments.questions, MOST_QUESTIONS)
    console = Console(messages)
    game = trained(games.from_id(arguments.game or ask_game(console)))
    with compiling(lambda: print(messages("solve_compiling"), file=sys.stderr, flush=True)):
        Trainer(console, game, history.default_path(), arguments.seed or token_hex(8)).run(arguments.questions)
    return 0
