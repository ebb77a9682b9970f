"""CPU seconds to solve Yahtzee and related games in double precision, compared with `yatzy-solver`.

The seconds count all threads. The peak memory of our solver is measured as well.
"""

import resource
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import yatzy_solver

from dicecup.engine import warm
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.published import published_sheet

ROUNDS = 5
PEERS = {
    "yahtzee": "american",
    "yahtzee-forced-joker": "american+forced-joker",
    "kniffel": "american+no-bonus",
    "yatzy": "yatzy-scandinavian",
    "yatzy-forced-order": "yatzy-scandinavian+forced",
}
EMPTY = "upper 0 | filled -"

Solved = TypeVar("Solved")


def seconds(run: Callable[[], Solved], rounds: int) -> tuple[float, Solved]:
    """Return the CPU time of the best of several rounds, and its result."""
    times = []
    for _ in range(rounds):
        before = time.process_time()
        solved = run()
        times.append((time.process_time() - before, solved))
    return min(times, key=lambda timed: timed[0])


def solve_with_dicecup(name: str) -> solver.SolvedSheet:
    """Solve a sheet with our solver, from the rules to the table."""
    return solver.solve(published_sheet(name))


def solve_with_yatzy_solver(variant: str) -> yatzy_solver.Solver:
    """Solve a sheet with yatzy-solver."""
    return yatzy_solver.Solver.build(yatzy_solver.Variant(variant))


def main() -> None:
    """Print one line for each game: both optima, both times and their ratio."""
    warm.warm_sheets()
    solutions = {name: seconds(partial(solve_with_dicecup, name), ROUNDS) for name in PEERS}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'':<22}{'states':>9}{'optimum':>18}{'CPU s':>8}{'yatzy-solver':>18}{'CPU s':>8}{'ratio':>7}")
    for name, variant in PEERS.items():
        took, solved = solutions[name]
        other, peer = seconds(partial(solve_with_yatzy_solver, variant), 1)
        print(f"{name:<22}{solved.states:>9}{solved.value:>18.12f}{took:>8.3f}", end="")
        print(f"{peer.state_value(EMPTY):>18.12f}{other:>8.2f}{other / took:>7.1f}")
    print(f"peak memory of our solver, all five games: {peak:.0f} MB")


if __name__ == "__main__":
    main()
