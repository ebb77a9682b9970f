"""Means with their intervals.

Sums are exact and rounded once (`math.fsum`), so they do not depend on the order of the values.
"""

from collections.abc import Iterable, Sequence
from math import ceil, fsum, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

Interval = tuple[float, float]

NORMAL_95: Final = NormalDist().inv_cdf(0.975)
"""Half a 95 % interval, in standard errors."""
QUANTILES: Final = (0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1)


class Estimate(NamedTuple):
    """The mean of a sample, its standard deviation `sd` and the 95 % interval of the mean.

    `sd` and `ci95` are `None` for a single value.
    """

    mean: float
    sd: float | None
    ci95: Interval | None


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one value."""
    return fsum(values) / len(values)


def estimate(values: Sequence[float], *, together: int = 1) -> Estimate:
    """Return the mean of at least one value, with its interval.

    Values come in groups of `together` that are not independent (games on the same dice); the last
    group may be smaller. The interval is the cluster-robust, linearised one for sums over
    groups."""
    middle = mean(values)
    count = len(values)
    groups = [fsum(values[at : at + together]) - len(values[at : at + together]) * middle for at in range(0, count, together)]
    if len(groups) < 2:
        return Estimate(middle, None if count < 2 else _deviation(values, middle), None)
    error = sqrt(len(groups) / (len(groups) - 1) * fsum(group * group for group in groups)) / count
    return Estimate(middle, _deviation(values, middle), (middle - NORMAL_95 * error, middle + NORMAL_95 * error))


def _deviation(values: Sequence[float], middle: float) -> float:
    return sqrt(fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def quantiles(values: Iterable[float]) -> dict[str, float]:
    """Return percent → the smallest value that this percentage of the values does not exceed."""
    ordered = sorted(values)
    return {f"{100 * share:g}": ordered[max(0, ceil(share * len(ordered)) - 1)] for share in QUANTILES}
