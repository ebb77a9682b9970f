"""The verification: the bound that a certificate proves, in double precision and rounded outward.

It shares only the dice tables with the search. The bound is a sum of two parts (docs/bound.md): the
highest mean of the turns at these prices, and the most that each block gains beyond the prices that
it pays.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from os import cpu_count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FIRST_ROLL, KEEPS, NO_DICE, ROLLS, Keep
from dicecup.engine.progress import Progress, unwatched
from dicecup.engine.yamm.bound.certificate import BoundCode, BoundError, Certificate, Prices
from dicecup.engine.yamm.bound.parts import RESULTS, Group, Space, space
from dicecup.engine.yamm.bound.verify_kernel import turn_of_states, workspace
from dicecup.yamm.rows import YAMMS
from dicecup.yamm.score import FIRST_THROW_YAMM, MOST_IN_COLUMN

ROUNDINGS: Final = 1024
"""More than the roundings of one number of one turn: at most 252 products and sums of a mean, three
times, and some forty in between. Each is off by at most half a unit in the last place of the
largest number that occurs.
"""
HALF_UNIT: Final = 2.0**-53
MOST_RESULTS: Final = max(map(len, RESULTS.values()))
"""The most results of a cell."""


def verify(certificate: Certificate, progress: Progress = unwatched) -> float:
    """Return the bound that the prices prove.

    Raises `BoundError` (`not-proved`) where that is more than the certificate claims, and as
    `Certificate.check`.
    """
    certificate.check()
    proved = bound(certificate, progress)
    if not proved <= certificate.claimed:
        raise BoundError(BoundCode.NOT_PROVED, claimed=certificate.claimed, proved=proved)
    return proved


def proved_by(certificate: Certificate, progress: Progress = unwatched) -> Certificate:
    """Return the certificate in single precision, as it is stored, with the bound that it proves as
    its claim.
    """
    prices = {
        name: getattr(certificate, name).astype(np.float32) for name in ("first", "second", "pairs", "by_roll", "by_keep")
    }
    short = replace(certificate, **prices)
    return replace(short, claimed=bound(short, progress))


def bound(certificate: Certificate, progress: Progress = unwatched) -> float:
    """Return the bound that the prices prove. The claim of the certificate is not used."""
    prices = [certificate.at(turn) for turn in range(certificate.turns)]
    total = 0.0
    for price in prices:
        total += common_turn(certificate.classes, price) + _slack(_largest(price) + FIRST_THROW_YAMM)
    done, of = 0, len(certificate.blocks) * len(prices)
    with ThreadPoolExecutor(cpu_count()) as threads:
        for name, copies in certificate.blocks.items():
            states = space(name.split("+"))
            values = np.zeros(states.size)
            for turn in range(len(prices) - 1, -1, -1):
                values = _turn(states, values, turn, certificate.classes, prices[turn], threads)
                done += 1
                progress(done, of)
            total += copies * float(values[states.start])
    return total + _slack(abs(total) + MOST_IN_COLUMN * certificate.turns)


def _slack(largest: float) -> float:
    """Return an upper limit of the roundings of a turn in which no number is larger than this."""
    return ROUNDINGS * HALF_UNIT * 4.0 * largest


def _largest(prices: Prices) -> float:
    """Return the largest absolute price."""
    return max(float(np.abs(each).max()) for each in prices)


def _turn(
    states: Space,
    later: NDArray[np.float64],
    turn: int,
    classes: NDArray[np.int64],
    prices: Prices,
    threads: ThreadPoolExecutor,
) -> NDArray[np.float64]:
    """Return the values before one more turn, for all states that can be reached by now.

    No more cells are written than turns are over.
    """
    now = np.zeros_like(later)
    largest = float(np.abs(later).max()) + MOST_IN_COLUMN + _largest(prices)

    def solve(group: Group) -> None:
        """Compute the values of the states of a group before the turn and write them to `now`."""
        turn_of_states(
            group.states,
            group.begins,
            group.strides,
            group.classes,
            group.counts,
            states.steps,
            states.gains,
            later,
            now,
            classes,
            *prices,
            _slack(largest),
            workspace(MOST_RESULTS),
        )

    list(threads.map(solve, (group for group in states.groups if group.written <= turn)))
    return now


_YAMM_AT_ONCE: Final = np.array([FIRST_THROW_YAMM * (rolled in YAMMS) for rolled in ROLLS])


def common_turn(classes: NDArray[np.int64], prices: Prices) -> float:
    """Return the highest mean of a turn in which each end pays its price, and five equal dice after
    the first throw their bonus.
    """
    keeps = np.empty(FIRST_ROLL)
    for kind, (second, third) in enumerate(zip(prices.second, prices.third, strict=True)):
        ends = np.split(third, np.cumsum([len(kept.outcomes) for kept in KEEPS[:FIRST_ROLL]])[:-1])
        lasts = np.array([_mean(kept, ends[kept.index]) for kept in KEEPS[:FIRST_ROLL]])
        best = _best(lasts, second)
        for kept in KEEPS[:FIRST_ROLL]:
            if classes[kept.index] == kind:
                keeps[kept.index] = _mean(kept, best[[rolled.index - FIRST_ROLL for rolled, _ in kept.outcomes]])
    return _mean(NO_DICE, _best(keeps, prices.first + _YAMM_AT_ONCE))


def _mean(kept: Keep, values: NDArray[np.float64]) -> float:
    """Return the mean of the values of the rolls that can follow a keep, in their order."""
    weighed = (weight * value for (_, weight), value in zip(kept.outcomes, values.tolist(), strict=True))
    total: float = sum(weighed)
    return total / 6.0 ** (DICE - kept.count)


def _best(keeps: NDArray[np.float64], stop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the better of ending and of the best keep, for all rolls."""
    values = keeps.tolist()
    ends = zip(ROLLS, stop.tolist(), strict=True)
    return np.array([max(end, *(values[kept.index] for kept in rolled.keeps)) for rolled, end in ends])
