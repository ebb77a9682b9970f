"""The grade of a player: the level of the computer with about the same mean loss of a decision.

Forced decisions do not count. `python -m bench.grades` measured the levels by the same rule in
games of each level against itself: by the evaluation of `expert`, and `expert` by that of `master`,
because its loss by its own evaluation is 0.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from dicecup.analysis.evaluation import Unit

SENSIBLE: Final = {Unit.POINTS: 10.0, Unit.CHANCE: 0.05}
"""The largest loss of a sensible action, by unit."""
FEWEST: Final = 10
"""The number of decisions that a grade needs."""
SAME: Final = 1e-9
"""The largest difference between values that count as equal, as those of equal columns do."""

MEASURED: Final = {
    Unit.POINTS: {"random": 8.61, "greedy": 4.05, "novice": 2.34, "casual": 1.54, "club": 0.763, "expert": 0.011},
    Unit.CHANCE: {"random": 0.0368, "greedy": 0.0115, "novice": 0.0148, "casual": 0.0118, "club": 0.0067, "expert": 0.00015},
}
"""Unit → level → mean loss of a decision that counts."""


class MeanLoss(NamedTuple):
    """The mean loss of the decisions that count.

    `half`: half of the 95 % interval of `mean`. `mean` is `None` without decisions, `half` with
    fewer than two.
    """

    decisions: int
    mean: float | None
    half: float | None


def counts(values: Collection[float], loss: float, unit: Unit) -> bool:
    """Return whether a decision counts: there were two sensible choices, or the player lost
    something.

    `values`: the values of all actions. `loss`: the loss of the chosen one."""
    best = max(values)
    return loss > SAME or any(SAME < best - value <= SENSIBLE[unit] for value in values)


def mean_loss(losses: Sequence[float]) -> MeanLoss:
    """Return the mean of the losses of decisions that count."""
    number = len(losses)
    mean = fmean(losses) if losses else None
    return MeanLoss(number, mean, 1.96 * stdev(losses) / sqrt(number) if number > 1 else None)


def grade(found: MeanLoss, unit: Unit) -> str | None:
    """Return the level with about this mean loss, `None` for fewer than `FEWEST` decisions."""
    return None if found.mean is None or found.decisions < FEWEST else _level(found.mean, unit)


def grades(found: MeanLoss, unit: Unit) -> tuple[str, ...]:
    """Return all levels within the interval of the mean, the strongest first.

    Empty for fewer than `FEWEST` decisions."""
    if found.mean is None or found.half is None or found.decisions < FEWEST:
        return ()
    best, worst = (_level(mean, unit) for mean in (found.mean - found.half, found.mean + found.half))
    levels = _ranked(unit)
    return levels[levels.index(best) : levels.index(worst) + 1]


def _level(mean: float, unit: Unit) -> str:
    """Return the level for a mean loss. The bound between two levels is the geometric mean of their
    losses."""
    losses = MEASURED[unit]
    ranked = _ranked(unit)
    return next((level for level, above in pairwise(ranked) if mean < sqrt(losses[level] * losses[above])), ranked[-1])


def _ranked(unit: Unit) -> tuple[str, ...]:
    """Return the levels, the one with the smallest loss first."""
    return tuple(sorted(MEASURED[unit], key=lambda level: MEASURED[unit][level]))
