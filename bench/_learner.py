"""A simulated learner for `bench.learning`.

Decisions come from games between levels. A learner sees each value with an error of its own, which
shrinks with what it knows about the topic of the decision: its pattern, or its whole theme.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, Final

import numpy as np

from dicecup import games
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import MEASURED, counts
from dicecup.analysis.mistakes.found import is_right
from dicecup.analysis.mistakes.themes import theme_of
from dicecup.analysis.questions import decisions, difficulty_of
from dicecup.analysis.registry import analysis_of, by_tables
from dicecup.analysis.theme import Theme

LEVEL: Final = "casual"
"""The learner loses as much as this level on the first day."""
SPREAD: Final = 1.0
"""Standard deviation of the logarithm of a learner's error by topic: everybody has weak ones."""
LEARNED: Final = {"pattern": 0.25, "theme": 0.03}
"""How much a question whose answer was wrong teaches about its topic: the error shrinks by 25 % for
a pattern, and by 3 % for a theme."""
RIGHT: Final = 0.25
"""How much a right answer teaches, as a part of what a wrong one does."""
FORGOTTEN: Final = 60.0
"""Days in which half of what was learned is forgotten."""


@dataclass(frozen=True)
class Decision:
    """A decision with the loss of each choice.

    `theme`: of the best choice and the second best. `pattern`: game, theme, throw, and how many of
    the dice are alike, such as `2 2 1` for two pairs.
    """

    game: str
    unit: Unit
    theme: Theme
    pattern: str
    losses: Any
    asked: bool
    """Whether the trainer may ask it (`difficulty_of`)."""


def bank(name: str, count: int, seed: str) -> list[list[Decision]]:
    """Return the decisions that count of this many games between levels, game by game."""
    rules = games.from_id(name)
    evaluation = by_tables(rules, alone=True)
    analysis = analysis_of(rules)
    found = []
    for number in range(count):
        one = []
        for position in decisions(rules, Random(f"{seed} {number}")):
            values = evaluation.values(position)
            best, *others = analysis.ranked(values)
            second = next((other for other in others if values[best] - values[other] > 1e-9), None)
            if second is None or not counts(values.values(), 0.0, evaluation.unit):
                continue
            asked = difficulty_of(values.values(), evaluation.unit) is not None
            theme, turn = theme_of(position, second, best), position.turn
            assert turn is not None
            alike = " ".join(str(count) for count in sorted(turn.dice.counts, reverse=True) if count)
            pattern = f"{name} {theme} {turn.throws}: {alike}"
            one.append(Decision(name, evaluation.unit, theme, pattern, values[best] - np.array(list(values.values())), asked))
        found.append(one)
    return found


class Learner:
    """A player who sees values with an error. `scale`: the median error by unit. `topic`: what it
    learns about, `pattern` or `theme`.

    The errors of one decision are always the same, and shrink with what the learner knows.
    """

    def __init__(self, seed: int, scale: dict[Unit, float], topic: str) -> None:
        self._seed = seed
        self._scale = scale
        self._topic = topic
        self._weak: dict[str, float] = {}
        self._noise: dict[int, Any] = {}
        self._known: defaultdict[str, float] = defaultdict(float)

    def loss(self, decision: Decision, number: int) -> float:
        """Return the loss of the learner's choice in the decision with this number."""
        topic = self._topic_of(decision)
        if topic not in self._weak:
            own = Random(f"{self._seed} {topic}")
            self._weak[topic] = exp(own.gauss(0.0, SPREAD))
        error = self._scale[decision.unit] * self._weak[topic] * exp(-self._known[topic])
        if number not in self._noise:
            self._noise[number] = np.random.default_rng((self._seed, number)).normal(0.0, 1.0, len(decision.losses))
        return float(decision.losses[(error * self._noise[number] - decision.losses).argmax()])

    def learn(self, decision: Decision, loss: float) -> None:
        """Be told the values after an answer."""
        learned = LEARNED[self._topic] * (RIGHT if is_right(loss, decision.unit) else 1.0)
        self._known[self._topic_of(decision)] += learned

    def sleep(self) -> None:
        """Forget a part of what was learned until the next day."""
        for topic in self._known:
            self._known[topic] *= 0.5 ** (1 / FORGOTTEN)

    def mean_loss(self, numbered: Sequence[tuple[int, Decision]]) -> float:
        """Return the mean loss of these decisions."""
        return float(np.mean([self.loss(decision, number) for number, decision in numbered]))

    def _topic_of(self, decision: Decision) -> str:
        return decision.pattern if self._topic == "pattern" else str(decision.theme)


def fitted(numbered: Sequence[tuple[int, Decision]], unit: Unit, topic: str, learners: Sequence[int]) -> float:
    """Return the error with which learners of these seeds lose as much as `LEVEL` does."""
    low, high = 0.0, 50 * MEASURED[unit][LEVEL]
    for _ in range(12):
        middle = (low + high) / 2
        lost = np.mean([Learner(seed, {unit: middle}, topic).mean_loss(numbered) for seed in learners])
        low, high = (middle, high) if lost < MEASURED[unit][LEVEL] else (low, middle)
    return (low + high) / 2


def numbered(banks: Sequence[Sequence[Decision]], first: int) -> Iterator[list[tuple[int, Decision]]]:
    """Yield each game with the numbers of its decisions, counted from `first`."""
    for one in banks:
        yield list(enumerate(one, first))
        first += len(one)
