"""What all dice thrown so far add up to, set against what fair dice would show: shares with bands, and one number for how odd it is.

Counts are summed over whole tables, and a table says nothing of its dice before they are thrown, so nothing here foretells any.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, fsum, pi, prod, sqrt
from statistics import NormalDist
from typing import Final

from dicecup.core.dice import FACES, Keep, Roll

NORMAL_95: Final = NormalDist().inv_cdf(0.975)
"""Half a 95 % interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often something came: `count`, its `share` of all (None before the first), the 95 % band of that share (`low`, `high`),
    and the share that fair dice `expect`."""

    count: int
    share: float | None
    low: float
    high: float
    expect: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """`total` counted; a `Share` for each outcome; `chi_square` of all against fair dice, and the probability that fair dice stray
    at least as far (`p_value`, 1 before the first)."""

    total: int
    shares: tuple[Share, ...]
    chi_square: float
    p_value: float


def dice_statistics(counts: Sequence[int]) -> Statistics:
    """`counts`: how many dice showed 1, 2, … 6. Only dice that were thrown count, not those kept (`thrown_counts`)."""
    total, fair = sum(counts), 1 / len(FACES)
    shares = tuple(Share(count, count / total if total else None, *wilson(count, total), fair) for count in counts)
    strayed = sum((count - total * fair) ** 2 / (total * fair) for count in counts) if total else 0.0
    return Statistics(total, shares, strayed, chi_square_tail(strayed, len(counts) - 1))


def thrown_counts(shown: Roll, kept: Keep) -> tuple[int, ...]:
    """How many of the dice that were thrown around `kept` show 1, 2, … 6."""
    return tuple(after - before for after, before in zip(shown.counts, kept.counts, strict=True))


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95 % band of a share (Wilson 1927, the score interval); everything before the first trial."""
    if not total:
        return 0.0, 1.0
    share, square = count / total, NORMAL_95**2
    centre = share + square / (2 * total)
    half = NORMAL_95 * sqrt(share * (1 - share) / total + square / (4 * total**2))
    return max(0.0, (centre - half) / (1 + square / total)), min(1.0, (centre + half) / (1 + square / total))


def chi_square_tail(value: float, freedom: int) -> float:
    """The probability that chi-square with an odd number of degrees of freedom is at least `value`: the finite sum for odd degrees
    (Abramowitz and Stegun, 26.4.4)."""
    terms: Iterable[float] = (value ** (term - 0.5) / prod(range(1, 2 * term, 2)) for term in range(1, (freedom + 1) // 2))
    return erfc(sqrt(value / 2)) + sqrt(2 / pi) * exp(-value / 2) * fsum(terms)
