"""The grade of a player: the level of the computer whose play loses about as much a decision.

Decisions with one sensible choice don't count. The levels were measured by the same rule, each against itself, seen by
`expert`, and `expert` itself by `master` (it would lose nothing in its own eyes): `python -m bench.grades`.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from dicecup.analysis.evaluation import Unit
from dicecup.core.game import Rules
from dicecup.yam_master import BOARD, YamMaster
from dicecup.yamm import SHEET

SENSIBLE: Final = {Unit.POINTS: 10.0, Unit.CHANCE: 0.05}
"""An action is sensible if it loses no more than this."""
FEWEST: Final = 10
"""Decisions that a grade needs."""
SAME: Final = 1e-9
"""Actions that differ by less are one choice: equal columns, say."""

MEASURED: Final = {
    Unit.POINTS: {"random": 8.61, "greedy": 4.05, "novice": 2.34, "casual": 1.54, "club": 0.763, "expert": 0.011},
    Unit.CHANCE: {"random": 0.0368, "greedy": 0.0115, "novice": 0.0148, "casual": 0.0118, "club": 0.0067, "expert": 0.00015},
}
"""Level → mean loss of a decision that counts."""


class MeanLoss(NamedTuple):
    """Of `decisions` that count; `half`: half of the 95 % interval of `mean`. Both are None where there are too few."""

    decisions: int
    mean: float | None
    half: float | None


def counts(values: Collection[float], loss: float, unit: Unit) -> bool:
    """Whether a decision counts: there were two sensible choices, or the player found another one. `values`: of all actions."""
    best = max(values)
    return loss > SAME or any(SAME < best - value <= SENSIBLE[unit] for value in values)


def mean_loss(losses: Sequence[float]) -> MeanLoss:
    """The mean over the decisions that count."""
    number = len(losses)
    mean = fmean(losses) if losses else None
    return MeanLoss(number, mean, 1.96 * stdev(losses) / sqrt(number) if number > 1 else None)


def is_graded(game: Rules) -> bool:
    """Whether the levels were measured in this game: on the real board or sheet, whatever its options."""
    return game.board == BOARD if isinstance(game, YamMaster) else game.sheet == SHEET


def grade(found: MeanLoss, unit: Unit) -> str | None:
    """The level whose mean loss this resembles. None for fewer than `FEWEST` decisions."""
    return None if found.mean is None or found.decisions < FEWEST else _level(found.mean, unit)


def grades(found: MeanLoss, unit: Unit) -> tuple[str, ...]:
    """All levels that the interval of the mean allows, those that lose least first; none for fewer than `FEWEST` decisions."""
    if found.mean is None or found.half is None or found.decisions < FEWEST:
        return ()
    best, worst = (_level(mean, unit) for mean in (found.mean - found.half, found.mean + found.half))
    levels = _ranked(unit)
    return levels[levels.index(best) : levels.index(worst) + 1]


def _level(mean: float, unit: Unit) -> str:
    """Neighbours are told apart at the geometric mean of their losses."""
    losses = MEASURED[unit]
    ranked = _ranked(unit)
    return next((level for level, above in pairwise(ranked) if mean < sqrt(losses[level] * losses[above])), ranked[-1])


def _ranked(unit: Unit) -> tuple[str, ...]:
    """The levels, those that lose least first."""
    return tuple(sorted(MEASURED[unit], key=lambda level: MEASURED[unit][level]))
