"""What a computer player is: something that chooses among the actions of a position."""

from typing import Protocol

from dicecup.games import Action, Position


class Player(Protocol):
    """Chooses actions. A player sees the position and nothing else: no dice source, no dice to come."""

    def choose(self, position: Position) -> Action:
        """One of `position.actions`. The position waits for a person's decision, not for dice."""
        ...
