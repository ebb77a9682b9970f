"""Adam, the optimiser of both trainings.

Source: Kingma & Ba, "Adam: a method for stochastic optimization", 2015.
"""

import math

import numpy as np

from dicecup.engine.arrays import Singles
from dicecup.engine.kernel import kernel

MEAN_DECAY = 0.9
SQUARE_DECAY = 0.999
TINY = np.float32(1e-8)
"""The number that keeps a step finite where all gradients were zero."""


@kernel
def start_correction(steps: int) -> float:
    """Return the factor of the step size that corrects moments that were zero `steps` steps ago."""
    return math.sqrt(1 - SQUARE_DECAY**steps) / (1 - MEAN_DECAY**steps)


@kernel(inline="always")
def adam_step(
    weights: Singles,
    mean: Singles,
    square: Singles,
    at: int,
    slope: np.float32,
    size: np.float32,
    mean_gain: np.float32,
    square_gain: np.float32,
) -> None:
    """Move `weights[at]` by one step of `size` along `slope`, and update its two moments.

    `mean_gain` and `square_gain` are one less the decays, in single precision. A negative `size`
    descends. The caller's `fastmath` flags apply, because the function is inlined.
    """
    mean[at] += mean_gain * (slope - mean[at])
    square[at] += square_gain * (slope * slope - square[at])
    weights[at] += size * mean[at] / (np.sqrt(square[at]) + TINY)
