"""CPU time of one exact turn in ns, by batch size, compared with a dense matrix in plain NumPy."""

import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, KEEPS, ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.turn import batch, value
from dicecup.engine.turn.arrays import ROLL_KEEPS, ROLL_KEEPS_AT, ROLL_WEIGHTS

ROUNDS = 7
SECONDS = 0.05
BATCHES = (1, 16, 64, 256, 1024, 4096)


def nanoseconds(run: Callable[[], object], turns: int) -> float:
    """Return the time of one turn in ns, the best of several rounds."""
    run()
    before = time.process_time()
    run()
    times = max(1, int(SECONDS / max(time.process_time() - before, 1e-6)))
    best = float("inf")
    for _ in range(ROUNDS):
        before = time.process_time()
        for _ in range(times):
            run()
        best = min(best, time.process_time() - before)
    return best / times / turns * 1e9


def dense_matrix() -> NDArray[np.float64]:
    """Return the probability that each roll follows each keep: shape (210, 252)."""
    matrix = np.zeros((FIRST_ROLL, len(ROLLS)))
    for keep in KEEPS[:FIRST_ROLL]:
        for roll, weight in keep.outcomes:
            matrix[keep.index, roll.index - FIRST_ROLL] = weight / 6 ** (5 - keep.count)
    return matrix


def dense_turns(matrix: NDArray[Any], stages: NDArray[Any]) -> NDArray[Any]:
    """Solve turns in plain NumPy: two products and the maxima over the keeps of every roll."""
    values = stages[2]
    for end in (stages[1], stages[0]):
        keeps = matrix @ values
        values = np.maximum(end, np.maximum.reduceat(keeps[ROLL_KEEPS], ROLL_KEEPS_AT[:-1]))
    expectation: NDArray[Any] = (ROLL_WEIGHTS.astype(values.dtype) / 7776) @ values
    return expectation


def main() -> None:
    """Print one line for the single turn, and one for each kind of turn in batches."""
    random = np.random.default_rng(1)
    stops, defi = random.random((3, 252)), random.random((2, 252))
    lists = stops.tolist()
    print(f"one turn from Python, µs      twin {nanoseconds(lambda: value.turn_values(lists), 1) / 1e3:7.1f}", end="")
    print(f"   kernel {nanoseconds(lambda: batch.turn_values(stops), 1) / 1e3:5.2f}", end="")
    print(f"   with Défi {nanoseconds(lambda: batch.turn_values(stops, defi), 1) / 1e3:5.2f}")
    print(f"{'many turns, ns per turn':<30}" + "".join(f"{turns:>8}" for turns in BATCHES))
    kinds = product((np.float32, np.float64), ((3, "three throws"), (5, "with Défi")), KeptDice)
    for dtype, (rows, kind), kept_dice in kinds:
        times = []
        for turns in BATCHES:
            stages = random.random((rows, 252, turns)).astype(dtype)
            times.append(nanoseconds(partial(batch.expectations, stages, kept_dice=kept_dice), turns))
        name = f"{dtype.__name__} {kind}{' locked' if kept_dice is KeptDice.LOCKED else ''}"
        print(f"{name:<30}" + "".join(f"{value:8.0f}" for value in times))
    for dtype in (np.float32, np.float64):
        matrix = dense_matrix().astype(dtype)
        times = []
        for turns in BATCHES:
            stages = random.random((3, 252, turns)).astype(dtype)
            times.append(nanoseconds(partial(dense_turns, matrix, stages), turns))
        print(f"{f'{dtype.__name__} plain NumPy':<30}" + "".join(f"{value:8.0f}" for value in times))


if __name__ == "__main__":
    main()
