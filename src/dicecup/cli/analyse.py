"""`dicecup analyse POSITION|RECORD`: print the values of the legal actions of a position with
reasons, or the review of a record.
"""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Final

from dicecup import games, record
from dicecup.cli.refusal import refuse
from dicecup.core.errors import DicecupError, GameError, PositionError, TextCode, TextError
from dicecup.locale import Messages
from dicecup.record import Fault, Record, RecordError
from dicecup.record.codes import record_error
from dicecup.sentences import code_sentence
from dicecup.terminal.console import Console
from dicecup.terminal.errors import StorageError, TerminalCode, sentence

EXACT: Final = "exact"
PLAYERS: Final = ("expert", "master", EXACT)
GAMES: Final = 1000
"""The games that are played to the end after each listed choice of Yam Master."""
STANDARD_INPUT: Final = "-"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the arguments: what to analyse, the evaluation, and `--json` for programs."""
    parser.add_argument("what", metavar="POSITION|RECORD", help=messages("analyse_what"))
    parser.add_argument("--game", metavar="ID", help=messages("analyse_game"))
    parser.add_argument("--player", choices=PLAYERS, default=PLAYERS[0], help=messages("analyse_player"))
    parser.add_argument("--seconds", metavar="S", type=_seconds, help=messages("analyse_seconds"))
    parser.add_argument("--games", metavar="N", type=_count, default=GAMES, help=messages("analyse_games", games=GAMES))
    parser.add_argument("--svg", metavar="FILE", type=Path, help=messages("analyse_svg"))
    parser.add_argument("--json", action="store_true", help=messages("analyse_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Analyse a position or review a record.

    Return 1 for a refused input, with one line or JSON object on standard error.
    """
    try:
        if _is_position(arguments):
            _analyse(arguments, messages)
        else:
            _review(arguments, messages)
    except RecordError as error:
        return _refuse(arguments, error.faults[0], messages)
    except DicecupError as error:
        if not arguments.json:
            raise
        _print_error({"code": str(error.code), "message": sentence(error, messages)})
        return 1
    return 0


def _is_position(arguments: Namespace) -> bool:
    """Return whether the argument is a position: it has spaces and names no file."""
    what: str = arguments.what
    return " " in what and not Path(what).is_file()


def game_of(text: str) -> str:
    """Return the id of the game that a position belongs to.

    A position shows the number of players and locked dice. All other options have their defaults.
    Raises `TextError` (`not-a-position`).
    """
    readable = ""
    for candidate in _candidates():
        try:
            games.position(candidate, text)
        except PositionError:
            # the text can be read, but no such game reaches the position
            readable = readable or candidate
        except DicecupError:
            continue
        else:
            return candidate
    if not readable:
        raise TextError(TextCode.NOT_A_POSITION, text=text)
    return readable


def _candidates() -> Iterator[str]:
    """Yield the ids of all games with every number of players, with free and with locked dice."""
    for name in games.names():
        shown = [option for option in games.rules(name).option_list if option.name in ("players", "kept_dice")]
        for values in product(
            *([option.default, *(value for value in option.values if value != option.default)] for option in shown)
        ):
            chosen = zip(shown, values, strict=True)
            changed = ",".join(f"{option.name}={value}" for option, value in chosen if value != option.default)
            yield f"{name}({changed})" if changed else name


def _analyse(arguments: Namespace, messages: Messages) -> None:
    """Print the values of the actions of a position."""
    _without(arguments.svg, "svg")
    game = games.from_id(game_of(arguments.what) if arguments.game is None else arguments.game)
    position = game.position(arguments.what)

    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import ThrowAnalysis, analyse_position, require_running
    from dicecup.engine.progress import bar, compiling
    from dicecup.terminal.analysis import show_analysis, show_outlook, show_position

    require_running(position)
    with compiling(lambda: _say_compiling(messages)), bar() as progress:
        found = analyse_position(
            position, arguments.player, seconds=arguments.seconds, games=arguments.games, progress=progress
        )
    if arguments.json:
        print(json.dumps(to_json(found, arguments.player)))
        return
    console = Console(messages)
    show_position(console, position)
    if isinstance(found, ThrowAnalysis):
        show_outlook(console, found)
    else:
        show_analysis(console, found)
    if arguments.player == "master" and arguments.seconds == 0:
        console.tell("analysis_no_time")


def _review(arguments: Namespace, messages: Messages) -> None:
    """Print the review of a record and write its picture if asked to."""
    _without(arguments.game, "game")
    _without(EXACT if arguments.player == EXACT else None, "player")
    loaded = _load(arguments.what)

    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.review import review
    from dicecup.analysis.review_json import to_json
    from dicecup.engine.progress import bar, compiling

    with compiling(lambda: _say_compiling(messages)), bar() as progress:
        evaluation = by_tables(loaded.game, arguments.player, alone=True, seconds=arguments.seconds)
        found = review(loaded, arguments.player, evaluation=evaluation, progress=progress)
    if arguments.svg is not None:
        from dicecup.terminal.svg import svg_text

        _write(arguments.svg, svg_text(found, messages))
    if arguments.json:
        print(json.dumps(to_json(found)))
    else:
        from dicecup.terminal.review import show_review

        show_review(Console(messages), found)


def _without(value: object, option: str) -> None:
    """Raise `GameError` (`option-value`) if an option was given that does not apply to this
    analysis.
    """
    if value is not None:
        raise GameError(TextCode.OPTION_VALUE, option=f"--{option}", value=value)


def _load(file: str) -> Record:
    """Return the record of a file or of standard input. Raises `RecordError`."""
    try:
        return record.load_stream(sys.stdin.buffer) if file == STANDARD_INPUT else record.load(file)
    except OSError as error:
        raise record_error([Fault(0, TerminalCode.CANNOT_READ, {"file": file, "why": error.strerror})]) from None


def _write(path: Path, text: str) -> None:
    """Write a text file. Raises `StorageError` (`cannot-save`)."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=str(path), why=error.strerror) from None


def _say_compiling(messages: Messages) -> None:
    """Print on standard error that kernels are being compiled."""
    print(messages("solve_compiling"), file=sys.stderr, flush=True)


def _refuse(arguments: Namespace, fault: Fault, messages: Messages) -> int:
    """Print on standard error why a record is refused, and return 1."""
    if arguments.json:
        wrong = code_sentence(str(fault.code), fault.details, messages)
        _print_error({"file": arguments.what, "line": fault.line, "code": str(fault.code), "message": wrong})
    else:
        refuse(arguments.what, fault, messages)
    return 1


def _print_error(error: dict[str, object]) -> None:
    """Print an error as a JSON object on standard error."""
    print(json.dumps({"error": error}), file=sys.stderr)


def _seconds(text: str) -> float:
    """Return a finite length of time of 0 or more. Raises `ValueError` and `ArgumentTypeError`."""
    value = float(text)
    if not isfinite(value) or value < 0:
        raise ArgumentTypeError(text)
    return value


def _count(text: str) -> int:
    """Return a number of 0 or more. Raises `ValueError` and `ArgumentTypeError`."""
    value = int(text)
    if value < 0:
        raise ArgumentTypeError(text)
    return value
