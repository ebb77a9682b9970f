"""What every action of a position is worth, by an evaluation: for players, hints and levels."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.core.turn import KeptDice, Turn
from dicecup.engine import fast
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn import TurnValues
from dicecup.engine.yam_master_play.rules import Rules, rules_of, slot_of
from dicecup.engine.yam_master_play.values import class_values
from dicecup.yam_master import Action, KeepDice, Position


@dataclass(frozen=True, slots=True)
class Valued:
    """An action, the win probability after it (a draw counts half), and how much less that is than after the best action."""

    action: Action
    value: float
    loss: float


def turn_of(rules: Rules, values: NDArray[Any]) -> TurnValues:
    """The exact turn, given the values of its slots, (slots,)."""
    classes = np.empty((len(rules.class_yam), 1))
    class_values(rules, values.astype(np.float64), classes, 0)
    first, later, under_defi = classes[:, 0][rules.roll_class]
    kept_dice = KeptDice.LOCKED if rules.locked else KeptDice.FREE
    return fast.turn_values((first, later, later), (under_defi, under_defi), kept_dice=kept_dice)


def valued(position: Position, values: NDArray[Any]) -> list[Valued]:
    """Every action of the position in their order, given the values of its slots, (slots,). Raises `EngineError`
    (`not-a-decision`) where dice are in the air or the game is over."""
    turn = position.turn
    if turn is None or turn.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    solved = turn_of(rules_of(position.game), values)
    found = [(action, _value(position, turn, action, solved, values)) for action in position.actions]
    best = max(value for _, value in found)
    return [Valued(action, (1 + value) / 2, (best - value) / 2) for action, value in found]


def _value(position: Position, turn: Turn, action: Action, solved: TurnValues, values: NDArray[Any]) -> float:
    if isinstance(action, KeepDice):
        return float(solved.keep_value(turn.throws, action.kept, declared=position.defi or action.defi))
    return float(values[slot_of(position.game, action)])
