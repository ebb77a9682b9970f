"""The probability to win: every final total is taken as normally distributed, with the learned
variance.

Within a turn, a player who is behind then prefers rolls with a wide spread, and a player who leads
those with a narrow one. The variance is the same for every cell that is written: the learned
variance of single sheets is too inaccurate to choose cells by (measured: that loses 90 to 180
points a game). So the best cell is that with the most points, and only the keeps differ from play
for points.
"""

from math import erf, sqrt
from typing import Final

import numpy as np

from dicecup.engine.arrays import Floats, Singles
from dicecup.engine.kernel import kernel

LEAST_VARIANCE: Final = 0.25
"""The least variance, in square points. With it equal totals share the win."""
POINT: Final = 1e-7
"""The value of a point beside the probability to win: where the game is decided, more points are
still better.
"""


@kernel
def win_probability(mean: float | np.float32, variance: float, means: Floats, variances: Floats) -> float:
    """Return the probability to end above all others, plus `POINT` for every point of `mean`.

    `mean`, `variance`: of the own final total, in points and square points. `means`, `variances`:
    of the others' final totals. All totals are taken as independent and normally distributed.
    """
    product = 1.0
    for other in range(len(means)):
        spread = sqrt(max(variance + variances[other], LEAST_VARIANCE))
        product *= 0.5 + 0.5 * erf((mean - means[other]) / (spread * sqrt(2.0)))
    return float(product + POINT * mean)


@kernel
def to_win_values(stops: Floats | Singles, own: float, variance: float, means: Floats, variances: Floats, less: float) -> None:
    """Replace points to come by win probabilities, for a sheet that has `own` points.

    `less` is subtracted from each: with a probability close to them, single precision suffices.
    """
    for at in range(len(stops)):
        stops[at] = win_probability(own + stops[at], variance, means, variances) - less
