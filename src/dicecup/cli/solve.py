"""`dicecup solve NAME`: solves a game exactly, or reads the solution that is kept, and says what it is worth."""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from typing import Any, Final

from dicecup.locale import Messages

SEED: Final = 1


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """What to solve, and what to do with the solution."""
    parser.add_argument("name", metavar="NAME", nargs="?", help=messages("solve_name"))
    parser.add_argument("--columns", metavar="d1,u1", help=messages("solve_columns"))
    parser.add_argument("--play", metavar="GAMES", type=number, help=messages("solve_play"))
    parser.add_argument("--seed", metavar="N", type=number, default=SEED, help=messages("solve_seed"))
    parser.add_argument("--clear-cache", action="store_true", help=messages("solve_clear_cache"))
    parser.add_argument("--json", action="store_true", help=messages("solve_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Prints `value`, `states` and `seconds`, and the mean of games that were played."""
    from dicecup.engine.progress import bar, compiling

    if arguments.clear_cache:
        from dicecup.engine import cache

        count = cache.clear()
        if arguments.name is None:
            print(json.dumps({"removed": count}) if arguments.json else messages("solve_cleared", count=count))
            return 0
    with compiling(lambda: print(messages("solve_compiling"), file=sys.stderr, flush=True)), bar() as progress:
        found = _solve_sheet(arguments, progress)
    if arguments.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            shown = f"{value:.12f}" if name in ("value", "mean") else f"{value:.3f}" if isinstance(value, float) else value
            print(f"{messages(f'solve_{name}'):<24}{shown:>20}")
    return 0


def _solve_sheet(arguments: Namespace, progress: Any) -> dict[str, float | int]:
    """A score sheet: the columns of Yamm, or a reference sheet."""
    from dicecup.engine import sheets, solver
    from dicecup.engine.errors import EngineCode, EngineError

    began = time.perf_counter()
    if (arguments.name == "yamm") != (arguments.columns is not None):
        raise EngineError(EngineCode.NOT_SOLVABLE, name=arguments.name or "")
    sheet = sheets.yamm(arguments.columns) if arguments.columns is not None else sheets.sheet(arguments.name)
    solved = solver.solve_once(sheet, progress=progress)
    found: dict[str, float | int] = {"value": solved.value, "states": solved.states}
    found["seconds"] = time.perf_counter() - began
    if arguments.play:
        import numpy as np

        totals = solved.play(arguments.play, np.random.default_rng(arguments.seed), progress)
        found |= {"games": arguments.play, "mean": float(totals.mean())}
        found["standard_error"] = float(totals.std(ddof=1) / len(totals) ** 0.5) if len(totals) > 1 else 0.0
    return found


def number(text: str) -> int:
    """A number of games, or a seed: ASCII digits alone. Raises `ValueError`."""
    if not text.isascii() or not text.isdigit():
        raise ValueError(text)
    return int(text)
