"""`dicecup solve NAME`: solve a game exactly, or read its cached solution, and print its value."""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any, Final

from dicecup.core.errors import GameError, TextCode
from dicecup.locale import Messages
from dicecup.yam_master import BOARD, Options, YamMaster, small_board
from dicecup.yam_master.options import DEFAULTS

SEED: Final = 1
FORMATS: Final = {"value": ".12f", "mean": ".12f", "last_change": ".1e"}


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the options: the game to solve, and the use of the solution."""
    parser.add_argument("name", metavar="NAME", nargs="?", help=messages("solve_name"))
    parser.add_argument("--columns", metavar="d1,u1", help=messages("solve_columns"))
    parser.add_argument("--layout", metavar="ROWS", help=messages("solve_layout"))
    parser.add_argument("--tokens", metavar="N", type=number, help=messages("solve_tokens"))
    parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help=messages("solve_option"))
    parser.add_argument("--position", metavar="POSITION", help=messages("solve_position"))
    parser.add_argument("--play", metavar="GAMES", type=number, help=messages("solve_play"))
    parser.add_argument("--seed", metavar="N", type=number, default=SEED, help=messages("solve_seed"))
    parser.add_argument("--clear-cache", action="store_true", help=messages("solve_clear_cache"))
    parser.add_argument("--json", action="store_true", help=messages("solve_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Print `value`, `states` and `seconds`, and the mean of games played by the solution. Return
    0.

    Raises `EngineError`, `GameError` and `TextError`.
    """
    from dicecup.engine.progress import bar, compiling

    if arguments.clear_cache:
        from dicecup.engine import cache

        count = cache.clear()
        if arguments.name is None:
            print(json.dumps({"removed": count}) if arguments.json else messages("solve_cleared", count=count))
            return 0
    with compiling(lambda: print(messages("solve_compiling"), file=sys.stderr, flush=True)), bar() as progress:
        found = (_solve_yam_master if arguments.name == YamMaster.name else _solve_sheet)(arguments, progress)
    if arguments.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            shown = f"{value:{FORMATS.get(name, '.3f')}}" if isinstance(value, float) else value
            label = "solve_result" if (arguments.name, name) == (YamMaster.name, "value") else f"solve_{name}"
            print(f"{messages(label):<24}{shown:>20}")
    return 0


def _solve_sheet(arguments: Namespace, progress: Any) -> dict[str, float | int]:
    """Return the figures of a score sheet: columns of Yamm, or a published sheet. Raises
    `EngineError` (`not-solvable`).
    """
    from dicecup.engine.errors import EngineCode, EngineError
    from dicecup.engine.sheets import solver
    from dicecup.engine.sheets.columns import yamm_sheet
    from dicecup.engine.sheets.published import published_sheet

    began = time.perf_counter()
    of_yam_master = (arguments.layout, arguments.tokens, arguments.position, *arguments.option)
    if (arguments.name == "yamm") != (arguments.columns is not None) or any(word is not None for word in of_yam_master):
        raise EngineError(EngineCode.NOT_SOLVABLE, name=arguments.name or "")
    sheet = yamm_sheet(arguments.columns) if arguments.columns is not None else published_sheet(arguments.name)
    solved = solver.solve_once(sheet, progress=progress)
    found: dict[str, float | int] = {"value": solved.value, "states": solved.states}
    found["seconds"] = time.perf_counter() - began
    if arguments.play:
        totals = solved.play(arguments.play, arguments.seed, progress)
        found |= {"games": arguments.play, "mean": float(totals.mean())}
        found["standard_error"] = float(totals.std(ddof=1) / len(totals) ** 0.5) if len(totals) > 1 else 0.0
    return found


def _solve_yam_master(arguments: Namespace, progress: Any) -> dict[str, float | int]:
    """Return the figures of a board of Yam Master, from its start or from a position. The default
    is the maker's board.
    """
    from dicecup.engine.errors import EngineCode, EngineError
    from dicecup.engine.yam_master.exact.solve import LateSolution, solve_board, solve_position

    if arguments.columns is not None or (arguments.layout is None) != (arguments.tokens is None):
        raise EngineError(EngineCode.NOT_SOLVABLE, name=YamMaster.name)
    board = BOARD if arguments.layout is None else small_board(arguments.layout, arguments.tokens)
    game = YamMaster(yam_master_options(arguments.option), board)
    if arguments.position is None:
        solved = solve_board(game, progress=progress)
    else:
        solved = solve_position(game.position(arguments.position), progress=progress)
    found: dict[str, float | int] = {"value": solved.value, "states": solved.states}
    if isinstance(solved, LateSolution):
        found |= {"captures": solved.captures, "last_change": solved.last_change}
    found["seconds"] = solved.seconds
    if arguments.play:
        played = solved.play(arguments.play, arguments.seed, progress)
        found |= {"games": arguments.play, "mean": played.mean, "standard_error": played.error}
    return found


def yam_master_options(pairs: list[str]) -> Options:
    """Return the options of `NAME=VALUE` texts in any order, defaults included. Raises
    `GameError`."""
    names = list(asdict(DEFAULTS))
    written = dict(pair.partition("=")[::2] for pair in pairs)
    if len(written) < len(pairs):
        raise GameError(TextCode.NOT_A_GAME, text=f"{YamMaster.name}({','.join(pairs)})")
    named = {name: value for name, value in written.items() if name not in names or value != asdict(DEFAULTS)[name]}
    inside = sorted(named, key=lambda name: names.index(name) if name in names else len(names))
    return YamMaster.from_id(
        f"{YamMaster.name}({','.join(f'{name}={named[name]}' for name in inside)})" if named else YamMaster.name
    ).options


def number(text: str) -> int:
    """Return a number of games or a seed, written in ASCII digits. Raises `ValueError`."""
    if not text.isascii() or not text.isdigit():
        raise ValueError(text)
    return int(text)
