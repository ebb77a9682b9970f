"""What every action of a position is worth, given what the ways to end its turn are worth: for players, hints and levels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.core.turn import KeptDice, Turn
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn import batch
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yam_master.evaluation.match import Evaluate
from dicecup.engine.yam_master.evaluation.values_kernel import class_values
from dicecup.engine.yam_master.rules.arrays import Rules, rules_of
from dicecup.engine.yam_master.rules.state import pack, slot_of
from dicecup.yam_master import Action, KeepDice, Position


def slot_values(position: Position, evaluate: Evaluate) -> NDArray[Any]:
    """The values of the ways to end the position's turn, (slots,)."""
    values: NDArray[Any] = evaluate(rules_of(position.game), np.array([pack(position)], np.int64))[0]
    return values


def turn_of(rules: Rules, values: NDArray[Any]) -> TurnValues:
    """The exact turn, given the values of its slots, (slots,)."""
    classes = np.empty((len(rules.class_yam), 1))
    class_values(rules, values.astype(np.float64), classes, 0)
    first, later, under_defi = classes[:, 0][rules.roll_class]
    kept_dice = KeptDice.LOCKED if rules.locked else KeptDice.FREE
    return batch.turn_values((first, later, later), (under_defi, under_defi), kept_dice=kept_dice)


def to_decide(position: Position) -> Turn:
    """The turn in which somebody is to decide. Raises `EngineError` (`not-a-decision`) where dice are in the air or the game is over."""
    turn = position.turn
    if turn is None or turn.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    return turn


def action_values(position: Position, values: NDArray[Any]) -> dict[Action, float]:
    """The win probability after each of `position.actions`, in their order (a draw counts half), given the values of its slots.
    Raises as `to_decide`."""
    turn = to_decide(position)
    solved = turn_of(rules_of(position.game), values)

    def value(action: Action) -> float:
        if isinstance(action, KeepDice):
            return float(solved.keep_value(turn.throws, action.kept, declared=position.defi or action.defi))
        return float(values[slot_of(position.game, action)])

    return {action: (1 + value(action)) / 2 for action in position.actions}
