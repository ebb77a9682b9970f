"""Plays anything that is allowed, every action equally likely."""

from random import Random

from dicecup.games import Action, Position


class RandomPlayer:
    """The choice follows from `seed` and the position alone, so a game that is continued goes on as it would have."""

    def __init__(self, seed: str = "") -> None:
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """Any of `position.actions`."""
        action: Action = Random(f"{self.seed}|{position}").choice(position.actions)
        return action
