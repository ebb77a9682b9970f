"""What a computer player is: something that chooses among the actions of a position."""

from typing import Protocol, runtime_checkable

from dicecup import yamm
from dicecup.games import Action, Position


class Player(Protocol):
    """Chooses actions. A player sees the position and nothing else: no dice source, no dice to come."""

    def choose(self, position: Position) -> Action:
        """One of `position.actions`. The position waits for a person's decision, not for dice."""
        ...


@runtime_checkable
class Corrects(Protocol):
    """A player of Yamm who may move the last result of a sheet, having seen what the others did since."""

    def correct(self, position: yamm.Position, sheet: int) -> yamm.Correct | None:
        """One of `position.corrections` that moves the last result of this sheet, or `None`."""
        ...
