"""`python -m dicecup.engine.warm`: compile every kernel once, at set-up, so that nothing is slow at first use."""

import sys

import numpy as np

from dicecup.core.turn import KeptDice
from dicecup.engine import fast


def warm() -> None:
    """Call every kernel for every kind of array it is used with; the compiled code is kept in Numba's cache."""
    ends = np.zeros((5, 252, 1))
    for kept_dice in KeptDice:
        fast.turn_values(ends[:3, :, 0], ends[3:, :, 0], kept_dice=kept_dice)
        for stages in (ends, ends.astype(np.float32)):
            fast.expectations(stages, kept_dice=kept_dice)


if __name__ == "__main__":
    warm()
    sys.exit(0)
