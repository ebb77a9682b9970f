"""The chance to win: every end is taken as normally distributed around points and value, with the variance that was learned.

Within a turn, who is behind takes the wider chances of the dice and who leads the narrower ones. The variance is taken to be the same
whichever cell is written: what is learned of single sheets is too rough to choose cells by (measured: that loses 90 to 180
points a game). So the best cell is that with the most points, and only the keeps differ from playing for points.
"""

from math import erf, sqrt
from typing import Any, Final

from numba import njit

LEAST_VARIANCE: Final = 0.25
"""Square points: so that equal ends share the win."""
POINT: Final = 1e-7
"""What a point counts beside the chance to win: where the game is decided, points are still better than none."""


@njit(nogil=True, cache=True)
def chance(mean: float, variance: float, means: Any, variances: Any) -> float:
    """The chance to end above all others, who end around `means`."""
    product = 1.0
    for other in range(len(means)):
        spread = sqrt(max(variance + variances[other], LEAST_VARIANCE))
        product *= 0.5 + 0.5 * erf((mean - means[other]) / (spread * sqrt(2.0)))
    return product + POINT * mean


@njit(nogil=True, cache=True)
def aim(ends: Any, own: float, variance: float, means: Any, variances: Any, less: float) -> None:
    """Turns points to come into chances to win, for a sheet that has `own` points; each `less` a chance that is near, where
    precision is single."""
    for at in range(len(ends)):
        ends[at] = chance(own + ends[at], variance, means, variances) - less
