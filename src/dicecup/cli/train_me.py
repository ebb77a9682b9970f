"""`dicecup train-me [GAME]`: ask for decisions in positions of real games and explain
each answer. With `--mistakes FILE…` ask the costly decisions of recorded games again, with `--theme
THEME` those of a theme, and questions about it."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from dicecup import games, record
from dicecup.analysis.theme import Theme
from dicecup.cli.refusal import refuse
from dicecup.core.errors import GameError, TextCode
from dicecup.locale import Messages
from dicecup.record import Fault, RecordError
from dicecup.terminal.console import Console
from dicecup.terminal.errors import StorageError, TerminalCode

if TYPE_CHECKING:
    from dicecup.sheets import Puzzle

QUESTIONS: Final = 10
MOST_QUESTIONS: Final = 100_000


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the game, the number of questions, and a seed that repeats the same questions; and the
    records of own mistakes."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=messages("train_me_game"))
    parser.add_argument("--questions", metavar="N", type=int, help=messages("train_me_questions", questions=QUESTIONS))
    parser.add_argument("--seed", metavar="TEXT", help=messages("train_me_seed"))
    parser.add_argument("--mistakes", metavar="FILE", nargs="+", help=messages("train_me_mistakes"))
    parser.add_argument("--name", metavar="NAME", help=messages("train_me_name"))
    parser.add_argument("--theme", metavar="THEME", help=messages("train_me_theme", themes=", ".join(Theme)))
    parser.add_argument("--print", metavar="FILE", type=Path, dest="puzzles", help=messages("train_me_print"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Ask until all questions are answered or the person quits. Save every answer when it is given.
    Return 0, and 1 for a refused record.
    """
    from dicecup.arena.runner import check_count

    if arguments.questions is not None:
        check_count("questions", arguments.questions, MOST_QUESTIONS)
    theme = None if arguments.theme is None else _theme(arguments.theme)
    if arguments.mistakes is not None:
        return _own_mistakes(arguments, theme, messages)
    for option, value in (("--name", arguments.name), ("--print", arguments.puzzles)):
        if value is not None:
            raise GameError(TextCode.OPTION_VALUE, option=option, value=value)

    from datetime import UTC, datetime

    from dicecup.analysis.questions import trained
    from dicecup.engine.progress import compiling
    from dicecup.terminal import history, mistakes
    from dicecup.terminal.setup import ask_game
    from dicecup.terminal.trainer import Trainer

    console = Console(messages)
    questions = QUESTIONS if arguments.questions is None else arguments.questions
    seed = arguments.seed or token_hex(8)
    game = trained(games.from_id(arguments.game or ask_game(console)))
    with compiling(lambda: _say_compiling(messages)):
        if theme is None:
            Trainer(console, game, history.default_path(), seed).run(questions)
        else:
            none = mistakes.OwnMistakes([], [])
            own = mistakes.MistakeTrainer(console, none, mistakes.default_path(), datetime.now(UTC))
            own.drill(theme, [game], questions, seed)
    return 0


def _theme(text: str) -> Theme:
    """Return a theme by its name. Raises `GameError` (`option-value`)."""
    try:
        return Theme(text)
    except ValueError:
        raise GameError(TextCode.OPTION_VALUE, option="--theme", value=text) from None


def _own_mistakes(arguments: Namespace, theme: Theme | None, messages: Messages) -> int:
    """Ask the portion of the day from the records, or a drill of a theme."""
    for option, value in (("GAME", arguments.game), ("--seed", arguments.seed)):
        if value is not None:
            raise GameError(TextCode.OPTION_VALUE, option=option, value=value)
    records = []
    for file in arguments.mistakes:
        try:
            records.append(record.load(file))
        except RecordError as error:
            refuse(file, error.faults[0], messages)
            return 1
        except OSError as error:
            refuse(file, Fault(0, TerminalCode.CANNOT_READ, {"file": file, "why": error.strerror}), messages)
            return 1

    from datetime import UTC, datetime

    from dicecup.analysis.mistakes.portion import SECONDS, SECONDS_PER_ANSWER
    from dicecup.analysis.questions import trained
    from dicecup.engine.progress import bar, compiling
    from dicecup.terminal import mistakes
    from dicecup.terminal.trainer import history_of

    console, path = Console(messages), mistakes.default_path()
    answers = history_of(console, path)
    with compiling(lambda: _say_compiling(messages)):
        with bar() as progress:
            own = mistakes.mistakes_of(records, answers, arguments.name, progress)
        if arguments.puzzles is not None:
            _print(arguments.puzzles, own.puzzles(), messages)
            return 0
        trainer = mistakes.MistakeTrainer(console, own, path, datetime.now(UTC))
        if theme is not None:
            names = dict.fromkeys(each.game.name for each in records)
            asked = [trained(games.rules(name)()) for name in names]
            trainer.drill(theme, asked, QUESTIONS if arguments.questions is None else arguments.questions, token_hex(8))
            return 0
        trainer.run(int(SECONDS / SECONDS_PER_ANSWER) if arguments.questions is None else arguments.questions)
    return 0


def _print(path: Path, puzzles: Sequence["Puzzle"], messages: Messages) -> None:
    """Write puzzles as a PDF. Raises `StorageError` (`cannot-save`)."""
    from dicecup.sheets import puzzle_pages

    try:
        path.write_bytes(puzzle_pages(puzzles, messages.language))
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=str(path), why=error.strerror) from None


def _say_compiling(messages: Messages) -> None:
    """Print on standard error that kernels are being compiled."""
    print(messages("solve_compiling"), file=sys.stderr, flush=True)
