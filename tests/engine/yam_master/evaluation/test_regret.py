"""Regret: zero for the true values, otherwise that of a plain recursion over all dice."""

import numpy as np
import pytest
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, ROLLS, Keep, Roll
from dicecup.core.turn import KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yam_master.evaluation.decisions import move_values, turn_of
from dicecup.engine.yam_master.evaluation.match import by_greed, by_model
from dicecup.engine.yam_master.evaluation.model import Model
from dicecup.engine.yam_master.evaluation.regret import regret, value_of_playing
from dicecup.engine.yam_master.evaluation.values_kernel import best_move
from dicecup.engine.yam_master.rules.arrays import Rules, rules_of
from dicecup.yam_master import FailedDefi, Options, YamMaster
from tests.yam_master.positions import decisions

GAMES = (YamMaster(), YamMaster(Options(failed_defi=FailedDefi.IGNORED)))


class Plain:
    """Return the true value of playing by believed values, by recursion over the rolls."""

    def __init__(self, rules: Rules, believed: NDArray[np.float32], exact: NDArray[np.float64]) -> None:
        self.rules, self.believed, self.exact = rules, believed, exact
        self.turn: TurnValues = turn_of(rules, believed)
        self.known: dict[tuple[int, Roll, bool], float] = {}

    def shown(self, throws: int, roll: Roll, declared: bool) -> float:
        key = throws, roll, declared
        if key not in self.known:
            choice = self.turn.best(throws, roll, declared=declared)
            if choice.keep is None:
                held = self.rules.roll_class[2 if declared else min(throws, 2) - 1, roll.index - FIRST_ROLL]
                self.known[key] = float(self.exact[best_move(self.rules, self.believed, held)])
            else:
                self.known[key] = self.kept(throws, choice.keep, declared or choice.declare)
        return self.known[key]

    def kept(self, throws: int, kept: Keep, declared: bool) -> float:
        total = sum(weight * self.shown(throws + 1, roll, declared) for roll, weight in kept.outcomes)
        return float(total / 6 ** (5 - kept.count))

    def value(self) -> float:
        return sum(roll.weight * self.shown(1, roll, False) for roll in ROLLS) / 7776


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_value_of_play_equals_a_plain_recursion(model: Model, game: YamMaster) -> None:
    rules = rules_of(game)
    for position in decisions(game, 3, 40)[5::15]:
        exact = move_values(position, by_model(model)).astype(np.float64)
        for evaluate in (by_greed, by_model(model)):
            believed = move_values(position, evaluate)
            assert value_of_playing(rules, believed, exact) == pytest.approx(Plain(rules, believed, exact).value())


def test_true_values_have_no_regret(model: Model) -> None:
    rules = rules_of(YamMaster())
    for position in decisions(YamMaster(), 6, 40)[5::5]:
        exact = move_values(position, by_model(model)).astype(np.float64)
        assert regret(rules, exact, exact) == pytest.approx(0, abs=1e-12)
        assert regret(rules, move_values(position, by_greed), exact) > 0


def test_locked_dice_are_refused() -> None:
    rules = rules_of(YamMaster(Options(kept_dice=KeptDice.LOCKED)))
    with pytest.raises(EngineError) as refused:
        regret(rules, np.zeros(51), np.zeros(51))
    assert refused.value.code is EngineCode.NOT_A_SHAPE
