"""An agent for `dicecup match yam-master --players random docs.examples.agent:make`.

It plays the first action that is no keep, and otherwise one by chance.
"""

from random import Random

from dicecup.core.game import Action, Position


class Agent:
    """A player of every game."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def choose(self, position: Position) -> Action:
        """Return one of the actions of a position."""
        placing = [action for action in position.actions if action.kept is None]
        return placing[0] if len(placing) > 1 else self.random.choice(position.actions)


def make(seed: str) -> Agent:
    """Return an agent for one game."""
    return Agent(seed)
