"""Time of a review by `expert`: of a sheet of Yamm, of a game of Yam Master, and of one decision.

Times are in milliseconds, the best of several rounds, with compiled kernels.
"""

import time
from collections.abc import Callable
from itertools import chain

from bench._games import played
from dicecup.analysis.registry import by_tables
from dicecup.analysis.review import review

ROUNDS = 5


def milliseconds(run: Callable[[], object]) -> tuple[float, float]:
    """Return the wall-clock time and the CPU time of the best round."""
    run()
    best = (float("inf"), float("inf"))
    for _ in range(ROUNDS):
        before = time.perf_counter(), time.process_time()
        run()
        taken = time.perf_counter() - before[0], time.process_time() - before[1]
        best = min(best[0], 1e3 * taken[0]), min(best[1], 1e3 * taken[1])
    return best


def main() -> None:
    """Print one line for each game."""
    print(f"{'':<18}{'turns':>6}{'decisions':>11}{'review':>10}{'cpu':>8}{'slowest decision':>18}")
    for game in ("yamm(players=1)", "yam-master"):
        record = played(game, "review", level="club")
        found = review(record)
        decisions = list(chain.from_iterable(turn.decisions for turn in found.turns))
        clock, cpu = milliseconds(lambda record=record: review(record))  # type: ignore[misc]
        slowest = 0.0
        for decision in decisions[:: max(1, len(decisions) // 20)]:
            # An evaluation caches the last turn, so every round takes a new one.
            evaluations = iter([by_tables(record.game, alone=True) for _ in range(ROUNDS + 1)])
            slowest = max(slowest, milliseconds(lambda e=evaluations, d=decision: next(e).values(d.position))[0])  # type: ignore[misc]
        print(f"{game:<18}{len(found.turns):>6}{len(decisions):>11}{clock:>10.1f}{cpu:>8.1f}{slowest:>18.2f}")


if __name__ == "__main__":
    main()
