"""The regret of a turn: the value of best play less the value of the player's play.

A player is given by its values of all moves; the true values are given beside them. No game is
played: the mean is over all dice.
"""

from typing import Final, TypeAlias

import numpy as np

from dicecup.core.dice import ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.arrays import Floats, Reals
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.lattice import KEEP_COUNT, WEIGHTS
from dicecup.engine.turn.value import keep_values
from dicecup.engine.yam_master.evaluation.decisions import turn_of
from dicecup.engine.yam_master.evaluation.values_kernel import best_move
from dicecup.engine.yam_master.rules.arrays import Rules

Pair: TypeAlias = tuple[Reals, Reals]
"""Believed and true values: by roll (252,) or by keep (210,)."""

KEPT: Final = np.zeros((len(ROLLS), KEEP_COUNT), np.bool_)
"""Which keeps are part of each roll."""
for _place, _roll in enumerate(ROLLS):
    KEPT[_place, [keep.index for keep in _roll.keeps]] = True

LATER: Final = 1
UNDER_DEFI: Final = 2


def regret(rules: Rules, believed: Reals, exact: Reals) -> float:
    """Return the regret, in the unit of `exact`. Both arguments are values of moves, (moves,).

    Raises `EngineError` (`not-a-shape`) for `kept_dice=locked`.
    """
    return float(turn_of(rules, exact).value) - value_of_playing(rules, believed, exact)


def value_of_playing(rules: Rules, believed: Reals, exact: Reals) -> float:
    """Return the true value of the turn before its first throw, if every choice is the best by the
    believed values.

    Raises as `regret`.
    """
    if rules.locked:
        raise EngineError(EngineCode.NOT_A_SHAPE, kept_dice=KeptDice.LOCKED)
    turn = turn_of(rules, believed)
    moves = np.array([best_move(rules, believed, held) for held in range(len(rules.class_yam))])
    values = np.asarray(exact, np.float64)[moves][rules.roll_class]
    assert turn.defi_stops is not None
    assert turn.defi_keeps is not None
    second = _taken((turn.stops[1], values[LATER]), (turn.keeps[1], _kept(values[LATER])))
    declared = _taken((turn.defi_stops[0], values[UNDER_DEFI]), (turn.defi_keeps[1], _kept(values[UNDER_DEFI])))
    first = _taken((turn.stops[0], values[0]), (turn.keeps[0], _kept(second)), (turn.defi_keeps[0], _kept(declared)))
    return float(np.average(first, weights=WEIGHTS))


def _kept(rolls: Floats) -> Floats:
    """Return the values of the keeps, given the values of the rolls that may follow."""
    return np.array(keep_values(rolls.tolist()))


def _taken(ends: Pair, *keeps: Pair) -> Floats:
    """Return the true value of each roll when the choice that is believed to be best is made:
    ending first, then keeps in order.
    """
    believed = [ends[0][:, None], *(np.where(KEPT, values, -np.inf) for values, _ in keeps)]
    truth = [ends[1][:, None], *(np.broadcast_to(values, KEPT.shape) for _, values in keeps)]
    chosen = np.concatenate(believed, axis=1).argmax(axis=1)
    taken: Floats = np.concatenate(truth, axis=1)[np.arange(len(ROLLS)), chosen]
    return taken
