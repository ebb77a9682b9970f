"""The shared part of `dicecup simulate` and `dicecup match`: their common options, and the output
of a result.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from numbers import Number
from typing import Any, Final

from dicecup.arena.runner import Runner
from dicecup.arena.summary import DEFAULT_CAP, ArenaSummary
from dicecup.locale import Messages
from dicecup.sentences import code_sentence

INTERRUPTED: Final = 130
Play = Callable[[Runner], ArenaSummary | None]


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the options: the number of games, the dice and the workers."""
    parser.add_argument("--games", metavar="N", type=int, default=1000, help=messages("arena_games"))
    parser.add_argument("--seed", metavar="TEXT", default="1", help=messages("arena_seed"))
    parser.add_argument("--cap", metavar="TURNS", type=int, default=DEFAULT_CAP, help=messages("arena_cap"))
    parser.add_argument("--workers", metavar="N", type=int, help=messages("arena_workers"))
    parser.add_argument("--ray", metavar="ADDRESS", help=messages("arena_ray"))
    parser.add_argument("--json", action="store_true", help=messages("arena_json"))


def run(arguments: Namespace, messages: Messages, play: Play) -> int:
    """Run `play`, print its result and return the exit code.

    After Ctrl-C the result covers the finished games, and the exit code is 130.
    """
    from dicecup.engine.progress import bar

    finished = 0
    with bar() as tell:

        def progress(games: int) -> None:
            """Count finished games and show the count."""
            nonlocal finished
            finished += games
            tell(finished, arguments.games)

        summary = play(Runner(arguments.workers, arguments.ray, progress))
    if summary is not None:
        print(json.dumps(summary) if arguments.json else "\n".join(table(summary, messages)))
    if finished == arguments.games:
        return 0
    print(messages("arena_interrupted", games=finished, wanted=arguments.games), file=sys.stderr)
    return INTERRUPTED


def table(summary: ArenaSummary, messages: Messages) -> Iterator[str]:
    """Yield the lines of a result for people. A line holds a value or a group of values. Values
    that are `None` are left out. Games that engines lost by failures come last.
    """
    failures = summary.get("failures", ())
    for path, value in _lines({name: value for name, value in summary.items() if name != "failures"}, ()):
        shown = _shown(value, messages)
        if shown:
            yield f"{' '.join(_name(name, messages) for name in path):<30} {shown}"
    for failure in failures:
        said = code_sentence(failure["code"], failure["details"], messages)
        yield messages("arena_failed", **{name: failure[name] for name in ("player", "games", "first", "code")}, sentence=said)


def _lines(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value with the names that lead to it. A mapping that holds only numbers is one
    value.
    """
    for name, value in values.items():
        if isinstance(value, Mapping) and not all(isinstance(part, Number | None) for part in value.values()):
            yield from _lines(value, (*path, name))
        else:
            yield (*path, name), value


def _name(name: str, messages: Messages) -> str:
    """Return the name of a value in the language of the messages. Seats, columns and players keep
    their own names.
    """
    key = f"arena_of_{name}"
    return messages(key) if key in messages else name


def _shown(value: Any, messages: Messages) -> str:
    """Return a value as text."""
    match value:
        case None:
            return ""
        case float():
            return f"{value:.4f}".rstrip("0").rstrip(".")
        case tuple() | list():
            return " – ".join(_shown(part, messages) for part in value)
        case Mapping():
            return "  ".join(f"{_name(name, messages)} {_shown(part, messages)}" for name, part in value.items())
    return str(value)
