"""What all dice thrown so far add up to, set against what fair dice would show: shares with bands, and one number for how odd it is.

Counts are summed over whole tables, and a table says nothing of its dice before they are thrown, so nothing here foretells any.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import erfc, exp, fsum, pi, prod, sqrt
from statistics import NormalDist
from typing import Final

from dicecup.core.dice import FACES, ROLLS, Dice, Keep, Roll

NORMAL_95: Final = NormalDist().inv_cdf(0.975)
"""Half a 95 % interval, in standard errors."""


class Pattern(StrEnum):
    """What a roll shows, each roll one thing only: the eight shapes of five dice."""

    FIVE_EQUAL = "five-equal"
    FOUR_EQUAL = "four-equal"
    FULL_HOUSE = "full-house"
    THREE_EQUAL = "three-equal"
    TWO_PAIRS = "two-pairs"
    ONE_PAIR = "one-pair"
    STRAIGHT = "straight"
    NOTHING = "nothing"


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
    return _statistics(counts, [1 / len(FACES)] * len(FACES))


def pattern_statistics(first_throws: Mapping[Roll, int]) -> Statistics:
    """`first_throws`: how often each roll came as the first throw of a turn, of all five dice. Shares in the order of `Pattern`."""
    came = dict.fromkeys(Pattern, 0)
    for shown, count in first_throws.items():
        came[pattern(shown)] += count
    return _statistics(list(came.values()), [weight / 6**5 for weight in _WEIGHTS.values()])


def thrown_counts(shown: Roll, kept: Keep) -> tuple[int, ...]:
    """How many of the dice that were thrown around `kept` show 1, 2, … 6."""
    return tuple(after - before for after, before in zip(shown.counts, kept.counts, strict=True))


def pattern(shown: Dice) -> Pattern:
    """What a roll shows."""
    match sorted(shown.counts, reverse=True):
        case [5, *_]:
            return Pattern.FIVE_EQUAL
        case [4, *_]:
            return Pattern.FOUR_EQUAL
        case [3, 2, *_]:
            return Pattern.FULL_HOUSE
        case [3, *_]:
            return Pattern.THREE_EQUAL
        case [2, 2, *_]:
            return Pattern.TWO_PAIRS
        case [2, *_]:
            return Pattern.ONE_PAIR
        case _:
            return Pattern.STRAIGHT if shown.faces[-1] - shown.faces[0] == 4 else Pattern.NOTHING


_WEIGHTS: Final = {wanted: sum(shown.weight for shown in ROLLS if pattern(shown) is wanted) for wanted in Pattern}
"""Pattern → in how many of 7776 ordered throws it comes."""


def _statistics(counts: Sequence[int], expected: Sequence[float]) -> Statistics:
    total = sum(counts)
    shares = tuple(
        Share(count, count / total if total else None, *wilson(count, total), share)
        for count, share in zip(counts, expected, strict=True)
    )
    strayed = (
        sum((count - total * share) ** 2 / (total * share) for count, share in zip(counts, expected, strict=True))
        if total
        else 0.0
    )
    return Statistics(total, shares, strayed, chi_square_tail(strayed, len(counts) - 1))


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
