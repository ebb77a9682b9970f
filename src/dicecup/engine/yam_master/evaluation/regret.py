"""What a player gives away in a turn: what the turn is worth, less what it is worth as the player plays it.

A player is given as what it believes every way to end the turn to be worth; what these are worth in truth is given beside. Nothing is
played: the mean is over all dice.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.lattice import KEEP_COUNT, WEIGHTS
from dicecup.engine.turn.value import keep_values
from dicecup.engine.yam_master.evaluation.decisions import turn_of
from dicecup.engine.yam_master.evaluation.values_kernel import best_slot
from dicecup.engine.yam_master.rules.arrays import Rules

Worths: TypeAlias = NDArray[np.float64]
Pair: TypeAlias = tuple[Any, Any]
"""The same, believed and in truth: values by roll (252,) or by keep (210,)."""

KEPT: Final = np.zeros((len(ROLLS), KEEP_COUNT), np.bool_)
"""Which keeps are part of each roll."""
for _place, _roll in enumerate(ROLLS):
    KEPT[_place, [keep.index for keep in _roll.keeps]] = True

LATER: Final = 1
UNDER_DEFI: Final = 2


def regret(rules: Rules, believed: NDArray[Any], exact: NDArray[Any]) -> float:
    """What is given away, in the unit of `exact`; both are values of slots, (slots,). Raises `EngineError` (`not-a-shape`) for
    `kept_dice=locked`."""
    return float(turn_of(rules, exact).value) - worth_of_playing(rules, believed, exact)


def worth_of_playing(rules: Rules, believed: NDArray[Any], exact: NDArray[Any]) -> float:
    """What the turn is worth before its first throw if all that is done in it is best as believed. Raises as `regret`."""
    if rules.locked:
        raise EngineError(EngineCode.NOT_A_SHAPE, kept_dice=KeptDice.LOCKED)
    turn = turn_of(rules, believed)
    slots = np.array([best_slot(rules, believed, held) for held in range(len(rules.class_yam))])
    worth = np.asarray(exact, np.float64)[slots][rules.roll_class]
    assert turn.defi_ends is not None
    assert turn.defi_keeps is not None
    second = _taken((turn.ends[1], worth[LATER]), (turn.keeps[1], _kept(worth[LATER])))
    declared = _taken((turn.defi_ends[0], worth[UNDER_DEFI]), (turn.defi_keeps[1], _kept(worth[UNDER_DEFI])))
    first = _taken((turn.ends[0], worth[0]), (turn.keeps[0], _kept(second)), (turn.defi_keeps[0], _kept(declared)))
    return float(np.average(first, weights=WEIGHTS))


def _kept(rolls: Worths) -> Worths:
    """What each keep is worth, given what each roll is worth that may follow."""
    return np.array(keep_values(rolls.tolist()))


def _taken(ends: Pair, *keeps: Pair) -> Worths:
    """What each roll is worth in truth when what is believed to be best is done with it: end first, then keeps in their order."""
    believed = [ends[0][:, None], *(np.where(KEPT, values, -np.inf) for values, _ in keeps)]
    truth = [ends[1][:, None], *(np.broadcast_to(values, KEPT.shape) for _, values in keeps)]
    chosen = np.concatenate(believed, axis=1).argmax(axis=1)
    taken: Worths = np.concatenate(truth, axis=1)[np.arange(len(ROLLS)), chosen]
    return taken
