"""Statistics of thrown dice against fair dice: the share of each face with its 95 % interval, and a
chi-square test."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, fsum, pi, prod, sqrt
from statistics import NormalDist
from typing import Final

from dicecup.core.dice import FACES, Keep, Roll

NORMAL_95: Final = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class FaceShare:
    """How often a face came.

    `count` and its `share` of all dice (`None` before the first die), the 95 % interval of the
    share from `low` to `high`, and the share that fair dice `expect`.
    """

    count: int
    share: float | None
    low: float
    high: float
    expect: float


@dataclass(frozen=True, slots=True)
class DiceSummary:
    """Number of dice (`total`), the share of each face, and a chi-square test against fair dice.

    `p_value` is the probability that fair dice have at least this `chi_square`; it is 1 before the
    first die.
    """

    total: int
    shares: tuple[FaceShare, ...]
    chi_square: float
    p_value: float


def dice_statistics(counts: Sequence[int]) -> DiceSummary:
    """Return the statistics of dice of which `counts` showed 1, 2, … 6. Kept dice must not be
    counted (`thrown_counts`)."""
    total, fair = sum(counts), 1 / len(FACES)
    shares = tuple(FaceShare(count, count / total if total else None, *wilson(count, total), fair) for count in counts)
    chi_square = sum((count - total * fair) ** 2 / (total * fair) for count in counts) if total else 0.0
    return DiceSummary(total, shares, chi_square, chi_square_tail(chi_square, len(counts) - 1))


def thrown_counts(shown: Roll, kept: Keep) -> tuple[int, ...]:
    """Return how many of the dice that were thrown around the `kept` ones show 1, 2, … 6."""
    return tuple(after - before for after, before in zip(shown.counts, kept.counts, strict=True))


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927), from 0 to 1 before the
    first trial."""
    if not total:
        return 0.0, 1.0
    share, square = count / total, NORMAL_95**2
    centre = share + square / (2 * total)
    half = NORMAL_95 * sqrt(share * (1 - share) / total + square / (4 * total**2))
    return max(0.0, (centre - half) / (1 + square / total)), min(1.0, (centre + half) / (1 + square / total))


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that chi-square is at least `value`, for an odd number of degrees of
    freedom.

    Formula 26.4.4 of Abramowitz and Stegun, a finite sum.
    """
    terms: Iterable[float] = (value ** (term - 0.5) / prod(range(1, 2 * term, 2)) for term in range(1, (freedom + 1) // 2))
    return erfc(sqrt(value / 2)) + sqrt(2 / pi) * exp(-value / 2) * fsum(terms)
