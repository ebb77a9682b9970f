"""Games in batches: their figures, and the same games played by the rules."""

import numpy as np
import pytest

from dicecup.core.dice import KEEPS, Keep, Roll
from dicecup.engine.yamm.evaluation.decisions import evaluate
from dicecup.engine.yamm.evaluation.dice_kernel import bits_of, throw
from dicecup.engine.yamm.evaluation.endgame import endgame
from dicecup.engine.yamm.evaluation.simulate import simulate
from dicecup.engine.yamm.evaluation.value import Evaluation, fresh
from dicecup.players.yamm import action_values, best_action
from dicecup.yamm import SHEET, Position, Yamm
from tests.engine.yamm.evaluation.sheets import some_evaluation, some_table

GAME = Yamm.from_id("yamm(players=1)")


def by_the_rules(seed: int, number: int) -> Position:
    """Return a game with the dice of the kernels, every step checked by the rules."""
    table = some_table()
    position = GAME.start()
    while position.turn is not None:
        turn = position.turn
        if turn.waiting:
            bits = np.uint64(bits_of(seed, number, position.number - 1, turn.throws))
            position = position.roll(Roll(KEEPS[throw(bits, Keep(turn.dice).index, turn.dice.count)]))
        else:
            position = position.play(best_action(action_values(evaluate(table, position), position)))
    return position


def test_a_batch_plays_the_games_of_the_rules() -> None:
    played = simulate(some_evaluation(), seed=11, first=5, games=2)
    for number in range(2):
        (sheet,) = by_the_rules(11, 5 + number).sheets
        assert sheet.total == played["total"][number]
        assert sheet.first_throw_yamms == played["first_throw_yamms"][number]
        for column in SHEET.columns:
            assert sheet.column_total(column) == played[column][number]
            assert sheet.bonus(column) == played[f"{column} bonus"][number]


@pytest.mark.parametrize("temperature", [0.0, 30.0])
def test_a_game_does_not_depend_on_the_others(temperature: float) -> None:
    many = simulate(some_evaluation(), 3, 0, 40, temperature=temperature)
    few = simulate(some_evaluation(), 3, 21, 2, temperature=temperature)
    for name, values in few.items():
        assert values.tolist() == many[name][21:23].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0.0, 20.0])
def test_luck_has_mean_zero(temperature: float) -> None:
    luck = simulate(some_evaluation(), 17, 0, 3200, temperature=temperature)["luck"]
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))


@pytest.mark.slow
def test_zero_weights_score_as_greedy_and_heat_lowers_it() -> None:
    nothing = fresh(1)._replace(out=np.zeros_like(fresh(1).out))
    blind = Evaluation(nothing, nothing, endgame())
    totals = [simulate(blind, 5, 0, 640, temperature=heat)["total"].mean() for heat in (0.0, 2.0, 50.0)]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == pytest.approx(1629.1, abs=40)  # FIGURES: most points now
