"""Levels for people: they know what an expert knows and err by chance, seldom where an action loses much."""

from math import exp
from random import Random
from typing import Final

from dicecup.players.yam_master_expert import YamMasterExpert
from dicecup.players.yam_master_values import losses
from dicecup.yam_master import Action, Position

TEMPERATURES: Final = {"novice": 0.0251, "casual": 0.0161, "club": 0.0086}
"""Win probability: an action that loses so much more than another is taken 1/e times as often."""


class YamMasterGraded:
    """One of these levels. The choice follows from `seed` and the position alone."""

    def __init__(self, level: str, seed: str = "") -> None:
        self.temperature = TEMPERATURES[level]
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """One of `position.actions`, by chance. Raises `TablesError`."""
        lost = losses(YamMasterExpert().values(position))
        weights = [exp(-loss / self.temperature) for loss in lost.values()]
        return Random(f"{self.seed}|{position}").choices(list(lost), weights)[0]
