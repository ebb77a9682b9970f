"""The interfaces of computer players, and random choices that depend on the values of actions."""

from collections.abc import Mapping
from math import exp
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from dicecup.core.game import Action, Position

ActionT = TypeVar("ActionT")


class Player(Protocol):
    """A computer player. It sees the position, but no dice source and no dice to come."""

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`. The position must wait for a decision, not for dice."""
        ...


@runtime_checkable
class Corrects(Protocol):
    """A player that may correct the last result of a side after other sides have played."""

    def correct(self, position: Position, side: int) -> Action | None:
        """Return one of `position.corrections` of the last result of this side, or `None`."""
        ...


@runtime_checkable
class Evaluates(Protocol):
    """A player that values its choices."""

    def evaluate(self, position: Position) -> tuple[Action, float | None]:
        """Return what `choose` returns, and its value if it has one."""
        ...


def losses(values: Mapping[ActionT, float]) -> dict[ActionT, float]:
    """Return the loss of each action: the highest of the values less the action's own."""
    best = max(values.values())
    return {action: best - value for action, value in values.items()}


def choose_by_loss(values: Mapping[ActionT, float], temperature: float, random: Random) -> ActionT:
    """Return an action drawn with a probability proportional to exp(-loss / temperature).

    An action whose loss is larger by `temperature` is drawn 1/e times as often.
    """
    weights = [exp(-loss / temperature) for loss in losses(values).values()]
    return random.choices(list(values), weights)[0]


def random_for(seed: str, position: Position) -> Random:
    """Return the random numbers for one decision.

    They depend on the seed and the position alone. A game that is interrupted and continued
    therefore continues in the same way.
    """
    return Random(f"{seed}|{position}")
