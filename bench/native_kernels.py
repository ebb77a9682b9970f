"""CPU time of kernels in the native library, compared with code that Numba compiles just in time.

Two processes, one with each, run the same work in turns, so that other programs on the machine
disturb both. The goal is at most 1.05 times the time of Numba's code. `make native` builds the
library.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, Final

import numpy as np

from dicecup.engine import kernel

ROUNDS: Final = 7
FEW: Final = 2
LONG: Final = 20.0
"""Seconds from which on work is repeated a `FEW` times only."""
MOST: Final = 1.05
"""Goal for the ratio of the times."""
MODES: Final = (kernel.JIT, kernel.NATIVE)
LATE: Final = "oox1o/xoooo/1x1ox/xxoox/xxxxo x 0:????? 1-1 85"


def one_turn(times: int = 20_000) -> None:
    """Solve one turn at a time, called from Python."""
    from dicecup.engine.turn import batch

    stops = np.random.default_rng(1).random((3, 252))
    for _ in range(times):
        batch.turn_values(stops)


def many_turns(dtype: type[Any], rows: int, times: int = 2_000) -> None:
    """Solve batches of 256 turns, with Défi if there are five rows."""
    from dicecup.engine.turn import batch

    stages = np.random.default_rng(1).random((rows, 252, 256)).astype(dtype)
    for _ in range(times):
        batch.expectations(stages)


def sheet(name: str, times: int = 1) -> None:
    """Solve Yahtzee, or a column of Yamm."""
    from dicecup.engine.sheets import solver
    from dicecup.engine.sheets.columns import yamm_sheet
    from dicecup.engine.sheets.published import published_sheet

    for _ in range(times):
        solver.solve(published_sheet(name) if name == "yahtzee" else yamm_sheet(name))


def late_position() -> None:
    """Solve a late position of Yam Master."""
    from dicecup.engine.yam_master.exact.solve import solve_position
    from dicecup.yam_master import YamMaster

    solve_position(YamMaster().position(LATE))


def bound() -> None:
    """Recompute the shipped bound of Yamm."""
    from dicecup.engine.yamm.bound import certificate
    from dicecup.engine.yamm.bound.verify import verify

    verify(certificate.load(certificate.SHIPPED))


def games(game: str, *levels: str) -> None:
    """Play 512 games side by side."""
    from dicecup.arena.block import Series
    from dicecup.arena.games import simulator_of

    simulator_of(Series(game, levels, "1", cap=400))(0, 512)


WORK: Final[dict[str, Callable[[], None]]] = {
    "one turn, from Python": one_turn,
    "256 turns, single": partial(many_turns, np.float32, 3),
    "256 turns, double": partial(many_turns, np.float64, 3),
    "256 turns with Défi, single": partial(many_turns, np.float32, 5),
    "256 turns with Défi, double": partial(many_turns, np.float64, 5),
    "Yahtzee": partial(sheet, "yahtzee"),
    "ordered column of Yamm": partial(sheet, "d1", 20),
    "free column of Yamm": partial(sheet, "f1"),
    "late position of Yam Master": late_position,
    "expert on sheets of Yamm": partial(games, "yamm(players=1)", "expert"),
    "expert in Yam Master": partial(games, "yam-master", "expert", "greedy"),
    "bound of Yamm": bound,
}


def work() -> None:
    """Do the work whose names come on standard input, and print the CPU seconds of each."""
    for line in sys.stdin:
        run = WORK[line.rstrip("\n")]
        before = time.process_time()
        run()
        print(time.process_time() - before, flush=True)


def main(names: list[str]) -> None:
    """Print the times of each work, or of the named ones, and their ratio."""
    command = [sys.executable, "-m", "bench.native_kernels", "-"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers = {mode: subprocess.Popen(command, env=os.environ | {kernel.VARIABLE: mode}, **pipes) for mode in MODES}

    def seconds(mode: str, name: str) -> float:
        asked, answered = workers[mode].stdin, workers[mode].stdout
        assert asked is not None
        assert answered is not None
        print(name, file=asked, flush=True)
        return float(answered.readline())

    print(f"{'CPU seconds':<30}{'Numba':>8}{'native':>8}{'ratio':>7}   (goal: at most {MOST})")
    for name in names or WORK:
        took = max(seconds(mode, name) for mode in MODES)  # compiles or loads
        count = ROUNDS if took < LONG else FEW
        rounds = [{mode: seconds(mode, name) for mode in (MODES, MODES[::-1])[each % 2]} for each in range(count)]
        jit, native = (median(each[mode] for each in rounds) for mode in MODES)
        ratio = median(each[kernel.NATIVE] / each[kernel.JIT] for each in rounds)
        print(f"{name:<30}{jit:8.3f}{native:8.3f}{ratio:7.2f}", flush=True)
    for worker in workers.values():
        worker.communicate()


if __name__ == "__main__":
    work() if sys.argv[1:] == ["-"] else main(sys.argv[1:])
