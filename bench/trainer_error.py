"""Error of the evaluation of `expert` for the loss of the second best choice.

The decisions are chosen as by the trainer. The reference is `master`, which looks further ahead and
solves late positions of Yam Master exactly. The column `95 %` is the constant
`dicecup.analysis.questions.ERROR`.

A decision counts if the second best choice by `expert` is a sensible one. The columns `other` show
how often `master` prefers the second best choice to the best one: of all decisions, and of those
that the trainer would ask.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean

from dicecup import games
from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.grade import SAME, SENSIBLE
from dicecup.analysis.questions import decisions, difficulty_of, margin
from dicecup.analysis.registry import by_tables
from dicecup.core.game import Position, Rules

GAMES = {"yam-master": 240, "yamm(players=1)": 800}
"""Number of decisions, each of another game."""


def main() -> None:
    """Print one line for each game."""
    print(f"{'':<18}{'decisions':>10}{'mean':>10}{'rms':>10}{'95 %':>10}{'other':>8}{'asked':>8}{'other':>8}")
    for name, count in GAMES.items():
        game = games.from_id(name)
        evaluation, reference = by_tables(game), by_tables(game, "master")
        errors, other, asked = [], [], []
        for position in islice(sampled_decisions(game, evaluation), count):
            values = evaluation.values(position)
            gap = margin(values.values())
            deep = reference.values(position)
            best = max(values, key=lambda action: values[action])
            second = next(action for action in values if abs(max(values.values()) - values[action] - gap) <= SAME)
            true = deep[best] - deep[second]
            errors.append(true - gap)
            other.append(true < -SAME)
            if difficulty_of(values.values(), evaluation.unit) is not None:
                asked.append(true < -SAME)
        rms = sqrt(fmean(error * error for error in errors))
        high = sorted(map(abs, errors))[int(0.95 * len(errors))]
        print(
            f"{name:<18}{len(errors):>10}{fmean(errors):>10.5f}{rms:>10.5f}{high:>10.5f}"
            f"{fmean(other):>8.1%}{len(asked):>8}{fmean(asked):>8.1%}",
            flush=True,
        )


def sampled_decisions(game: Rules, evaluation: Evaluation) -> Iterator[Position]:
    """Yield one random decision of each game of an endless series, if it has one that counts."""
    for number in range(sys.maxsize):
        random = Random(f"trainer {number}")
        counting = [p for p in decisions(game, random) if margin(evaluation.values(p).values()) <= SENSIBLE[evaluation.unit]]
        if counting:
            yield random.choice(counting)


if __name__ == "__main__":
    main()
