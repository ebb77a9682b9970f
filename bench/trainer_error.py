"""The error of `expert` in the loss of the second best choice, in decisions of the trainer.

It is measured against `master`, who looks further ahead and solves late positions of Yam Master
exactly. `dicecup.analysis.questions.ERROR` is the column `95 %`.

A decision counts where `expert` sees a second sensible choice. `other`: the share of decisions in
which `master` prefers the second choice, of all decisions and of those that the trainer asks.
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
"""How many decisions are looked at, of as many games."""


def main() -> None:
    """Prints a line a game."""
    print(f"{'':<18}{'decisions':>10}{'mean':>10}{'rms':>10}{'95 %':>10}{'other':>8}{'asked':>8}{'other':>8}")
    for name, wanted in GAMES.items():
        game = games.from_id(name)
        evaluation, further = by_tables(game), by_tables(game, "master")
        errors, other, asked = [], [], []
        for position in islice(found(game, evaluation), wanted):
            values = evaluation.values(position)
            gap = margin(values.values())
            deep = further.values(position)
            best = max(values, key=lambda action: values[action])
            second = next(action for action in values if abs(max(values.values()) - values[action] - gap) <= SAME)
            true = deep[best] - deep[second]
            errors.append(true - gap)
            other.append(true < -SAME)
            if difficulty_of(values.values(), evaluation.unit) is not None:
                asked.append(true < -SAME)
        high = sorted(map(abs, errors))[int(0.95 * len(errors))]
        print(
            f"{name:<18}{len(errors):>10}{fmean(errors):>10.5f}"
            f"{sqrt(fmean(error * error for error in errors)):>10.5f}{high:>10.5f}"
            f"{fmean(other):>8.1%}{len(asked):>8}{fmean(asked):>8.1%}",
            flush=True,
        )


def found(game: Rules, evaluation: Evaluation) -> Iterator[Position]:
    """One decision of each game that is played."""
    for number in range(sys.maxsize):
        chance = Random(f"trainer {number}")
        fitting = [p for p in decisions(game, chance) if margin(evaluation.values(p).values()) <= SENSIBLE[evaluation.unit]]
        if fitting:
            yield chance.choice(fitting)


if __name__ == "__main__":
    main()
