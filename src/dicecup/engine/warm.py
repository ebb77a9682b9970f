"""`python -m dicecup.engine.warm`: compile every kernel of the turn, of the sheets and of solved
boards.

Numba keeps the compiled code beside the sources. It notices a change in the file of a kernel, but
no change in the file of a function that the kernel calls. After a change of `turn/lanes.py`,
`adam_kernel.py` or `splitmix_kernel.py` remove the caches (`*.nbi` and `*.nbc`).
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
    """Solve a turn with every kind of array that is in use."""
    ends = np.zeros((5, len(ROLLS), 1))
    for kept_dice in KeptDice:
        batch.turn_values(ends[:3, :, 0], ends[3:, :, 0], kept_dice=kept_dice)
        for stages in (ends, ends.astype(np.float32)):
            batch.expectations(stages, kept_dice=kept_dice)


def warm_sheets() -> None:
    """Solve a sheet, ask for a decision, and play one game by the solution."""
    solved = solver.solve(yamm_sheet("d1"))
    solved.cell(solved.start, ROLLS[0])
    solved.play(1, 0)


def warm_boards() -> None:
    """Solve a board and play one game by the solution."""
    solve_board(YamMaster(Options(), small_board("1 Full/Suite Defi", 2))).play(1, 0)


def warm() -> None:
    """Compile all kernels of this package."""
    warm_turns()
    warm_sheets()
    warm_boards()


if __name__ == "__main__":
    warm()
    sys.exit(0)
