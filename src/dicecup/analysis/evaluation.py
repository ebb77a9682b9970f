"""The interface of an evaluation: it gives the value of every action of a decision."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from dicecup.core.dice import Roll
from dicecup.core.errors import TurnCode
from dicecup.core.game import Action, Position
from dicecup.core.turn import Turn
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.value import TurnValues


class Unit(StrEnum):
    """The unit of values."""

    POINTS = "points"
    """The final total of the sheet on turn, with the points that are already written.

    Before the first throw of a turn, the last result of the sheet counts where it stands."""
    CHANCE = "chance"
    """The probability that the side on turn wins. A draw counts one half.

    In Yamm 1e-7 for each point of the expected total is added, so that the better action of a
    decided game is the one with more points."""


class Evaluation(ABC):
    """Values of the positions of one game, for the side on turn.

    The values of one turn are consistent: the value before a throw is the exact mean of the values
    after it, and the value after a throw is that of the best action.

    The methods take positions of the evaluation's own game.
    """

    unit: Unit
    exact: bool = False
    """Whether the values are those of perfect play."""

    @abstractmethod
    def values(self, position: Any) -> Mapping[Action, float]:
        """Return the value of each of `position.actions`, in their order.

        Raises `EngineError` (`not-a-decision` where dice are in the air or the game is over,
        `not-solvable` for a position that was not solved) and `TablesError`."""

    @abstractmethod
    def turn(self, position: Any) -> TurnValues:
        """Return the values of the whole turn of a running game, from its first throw on.

        Raises as `values`."""

    def declared(self, position: Any) -> bool:  # noqa: ARG002 a game without a Défi ignores it
        """Return whether a Défi was declared in this turn."""
        return False

    def before_throw(self, position: Position) -> float:
        """Return the value of a position with dice in the air: the mean over all rolls.

        Raises `EngineError` (`no-dice-in-the-air`), and as `values`."""
        turn = turn_to_throw(position)
        solved = self.turn(position)
        if not turn.throws:
            return float(solved.value)
        return float(solved.keep_value(turn.throws, turn.kept, declared=self.declared(position)))

    def after_throw(self, position: Position) -> dict[Roll, float]:
        """Return the value of the best action after each roll that can fall.

        Raises as `before_throw`."""
        turn_to_throw(position)
        solved, declared = self.turn(position), self.declared(position)
        found = {}
        for shown, _ in position.chances:
            after = position.roll_unchecked(shown).turn
            assert after is not None
            best = solved.best(after.throws, shown, locked=after.locked, declared=declared)
            found[shown] = float(best.value)
        return found


def turn_to_decide(position: Position) -> tuple[Turn, Roll]:
    """Return the turn and its dice where a decision is due.

    Raises `EngineError` (`not-a-decision`)."""
    if position.turn is None or position.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    return position.turn, Roll(position.turn.dice)


def turn_to_throw(position: Position) -> Turn:
    """Return the turn where dice are in the air. Raises `EngineError` (`no-dice-in-the-air`)."""
    if position.turn is None or not position.waiting:
        raise EngineError(TurnCode.NO_DICE_IN_THE_AIR, position=position)
    return position.turn
