"""`python -m dicecup.engine.warm`: compile every kernel once, at set-up, so that nothing is slow at first use.

The compiled code is kept in Numba's cache beside the sources. Numba sees when the file of a kernel changes, but not when one
that it calls does: after changing `kernels/lanes.py` remove the caches (`*.nbi` and `*.nbc`).
"""

import sys

import numpy as np

from dicecup.core.dice import ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.turn import batch
from dicecup.engine.yam_master.exact.solve import solve_board
from dicecup.yam_master import Options, YamMaster, small_board


def warm_turns() -> None:
    """The turn, for every kind of array that it is used with."""
    ends = np.zeros((5, len(ROLLS), 1))
    for kept_dice in KeptDice:
        batch.turn_values(ends[:3, :, 0], ends[3:, :, 0], kept_dice=kept_dice)
        for stages in (ends, ends.astype(np.float32)):
            batch.expectations(stages, kept_dice=kept_dice)


def warm_sheets() -> None:
    """Solving a sheet, asking the solution and playing by it."""
    solved = solver.solve(yamm_sheet("d1"))
    solved.cell(solved.start, ROLLS[0])
    solved.play(1, 0)


def warm_boards() -> None:
    """Solving a board and playing by the solution."""
    solve_board(YamMaster(Options(), small_board("1 Full/Suite Defi", 2))).play(1, 0)


def warm() -> None:
    """All of it."""
    warm_turns()
    warm_sheets()
    warm_boards()


if __name__ == "__main__":
    warm()
    sys.exit(0)
