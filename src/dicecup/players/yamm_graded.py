"""Levels for people: they know what an expert knows and err by chance, seldom where an action loses much."""

from math import exp
from random import Random
from typing import Final

from dicecup.players.yamm_values import action_values, losses, table
from dicecup.yamm import Action, Position

TEMPERATURES: Final = {"novice": 2.9, "casual": 2.1, "club": 1.3}
"""Points: an action that loses so many more than another is taken 1/e times as often."""


class YammGraded:
    """One of these levels. It plays for points. The choice follows from `seed` and the position alone."""

    def __init__(self, level: str, seed: str = "") -> None:
        self.temperature = TEMPERATURES[level]
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """One of `position.actions`, by chance. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.decisions import judge

        lost = losses(action_values(judge(table(), position, alone=True), position))
        weights = [exp(-loss / self.temperature) for loss in lost.values()]
        return Random(f"{self.seed}|{position}").choices(list(lost), weights)[0]
