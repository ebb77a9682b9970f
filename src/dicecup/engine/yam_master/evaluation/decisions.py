"""The value of every action of a position, given the values of its moves."""

import numpy as np

from dicecup.core.turn import KeptDice, Turn
from dicecup.engine.arrays import Reals
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn import batch
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yam_master.evaluation.match import Evaluate
from dicecup.engine.yam_master.evaluation.values_kernel import class_values
from dicecup.engine.yam_master.rules.arrays import Rules, rules_of
from dicecup.engine.yam_master.rules.state import move_of, pack
from dicecup.yam_master import Action, KeepDice, Position


def move_values(position: Position, evaluate: Evaluate) -> Reals:
    """Return the values of the moves of the position's turn, (moves,)."""
    values: Reals = evaluate(rules_of(position.game), np.array([pack(position)], np.int64))[0]
    return values


def turn_of(rules: Rules, values: Reals) -> TurnValues:
    """Return the exact turn, given the values of its moves, (moves,)."""
    classes = np.empty((len(rules.class_yam), 1))
    class_values(rules, values.astype(np.float64), classes, 0)
    first, later, under_defi = classes[:, 0][rules.roll_class]
    kept_dice = KeptDice.LOCKED if rules.locked else KeptDice.FREE
    return batch.turn_values((first, later, later), (under_defi, under_defi), kept_dice=kept_dice)


def to_decide(position: Position) -> Turn:
    """Return the turn of a position in which a decision is due.

    Raises `EngineError` (`not-a-decision`) where dice are in the air or the game is over.
    """
    turn = position.turn
    if turn is None or turn.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    return turn


def action_values(position: Position, values: Reals) -> dict[Action, float]:
    """Return the win probability after each of `position.actions`, in their order, given the values
    of its moves.

    A draw counts half. Raises as `to_decide`.
    """
    turn = to_decide(position)
    solved = turn_of(rules_of(position.game), values)

    def value(action: Action) -> float:
        if isinstance(action, KeepDice):
            return float(solved.keep_value(turn.throws, action.kept, declared=position.defi or action.defi))
        return float(values[move_of(position.game, action)])

    return {action: (1 + value(action)) / 2 for action in position.actions}
