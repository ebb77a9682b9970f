"""`dicecup bound yamm`: search for an upper bound on the mean score of any strategy in Yamm with
one player, or verify a certificate of such a bound.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from dicecup.locale import Messages

DEFAULT_MINUTES: Final = 10.0
SHIPPED: Final = "shipped"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the arguments: the game, the certificate to verify, the time for a search, and its output
    file.
    """
    parser.add_argument("game", metavar="GAME", choices=("yamm",), help=messages("bound_game"))
    parser.add_argument("--verify", metavar="FILE", nargs="?", const=SHIPPED, help=messages("bound_verify"))
    parser.add_argument("--minutes", metavar="M", type=minutes, default=DEFAULT_MINUTES, help=messages("bound_minutes"))
    parser.add_argument("--out", metavar="FILE", type=Path, default=Path("yamm.bound"), help=messages("bound_out"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=messages("bound_seed"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Print the bound that was proved or improved, and return 0. Raises `BoundError`."""
    from dicecup.engine.progress import bar, compiling
    from dicecup.engine.yamm.bound import certificate
    from dicecup.engine.yamm.bound.verify import verify

    with compiling(lambda: print(messages("solve_compiling"), file=sys.stderr, flush=True)):
        if arguments.verify is None:
            _tighten(arguments, messages)
            return 0
        path = certificate.SHIPPED if arguments.verify == SHIPPED else Path(arguments.verify)
        found = certificate.load(path)
        with bar() as progress:
            proved = verify(found, progress)
    print(messages("bound_proved", bound=_up(proved)))
    return 0


def _tighten(arguments: Namespace, messages: Messages) -> None:
    """Search for a lower bound than that of the output file and save the better certificate.

    A search without an output file starts from the shipped certificate.
    """
    from tqdm import tqdm

    from dicecup.engine.progress import bar
    from dicecup.engine.yamm.bound import certificate
    from dicecup.engine.yamm.bound.search import tighten
    from dicecup.engine.yamm.bound.verify import proved_by

    before = certificate.load(arguments.out if arguments.out.exists() else certificate.SHIPPED)
    with tqdm(total=1.0, file=sys.stderr, disable=None, bar_format="{l_bar}{bar}| {elapsed}<{remaining} {postfix}") as shown:

        def report(done: float, bound: float) -> None:
            """Show the progress of the search."""
            shown.n = done
            shown.set_postfix_str(f"{bound:.2f}", refresh=False)
            shown.refresh()

        after = tighten(before, 60.0 * arguments.minutes, arguments.seed, report)
    with bar() as progress:
        after = proved_by(after, progress)
    better = min(before, after, key=lambda each: each.claimed)
    certificate.save(arguments.out, better)
    print(messages("bound_tightened", before=_up(before.claimed), after=_up(better.claimed), file=arguments.out))


def _up(bound: float) -> str:
    """Return a bound with four decimals, rounded up."""
    from math import ceil

    return f"{ceil(bound * 1e4) / 1e4:.4f}"


def minutes(text: str) -> float:
    """Return a finite length of time of 0 or more in minutes. Raises `ValueError`."""
    found = float(text)
    if not 0.0 <= found < float("inf"):
        raise ValueError(text)
    return found
