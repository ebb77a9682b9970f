"""Yam Master on small boards, solved exactly: published figures, consistency and played games."""

import numpy as np
import pytest

from dicecup.yam_master import (
    Captured,
    KeepDice,
    Options,
    Position,
    YamMaster,
)
from tests.engine.yam_master.exact.solved_boards import CLOSE, LAYOUT, OPTIONS, VARIED, board, reached, result
from tests.sweep import sweep


@pytest.mark.parametrize("captured, value", [(Captured.RETURNED, 0.183988697067), (Captured.OUT, 0.184522726106)], ids=str)
def test_the_board_of_three_has_its_published_value(captured: Captured, value: float) -> None:
    assert board(LAYOUT, 3, Options(captured=captured)).value == pytest.approx(value, abs=5e-12)


@pytest.mark.parametrize(
    "turned", ["2 Sec 1/<=8 Yam Full/Defi Suite 6", "Defi <=8 2/Suite Yam Sec/6 Full 1", "1 Sec 2/Full Yam <=8/6 Suite Defi"]
)
def test_a_mirrored_board_has_the_same_value(turned: str) -> None:
    for options in (Options(), Options(captured=Captured.OUT)):
        assert board(turned, 3, options).value == pytest.approx(board(LAYOUT, 3, options).value, abs=CLOSE)


@sweep("options", OPTIONS, ids=lambda options: YamMaster(options).id)
def test_the_values_of_one_position_are_consistent(options: Options) -> None:
    solution = board(LAYOUT, 3, options)
    for position in reached(solution.position.game, 40):
        value = solution.value_of(position)
        assert -1 <= value <= 1
        if position.turn is None:
            assert value == result(position)
        elif position.waiting:
            fallen = sum(weight * solution.value_of(position.roll(shown)) for shown, weight in position.chances)
            assert value == pytest.approx(fallen / sum(weight for _, weight in position.chances), abs=CLOSE)
        else:
            decision = solution.decision(position)
            assert list(decision.values) == list(position.actions)
            assert decision.value == value == decision.values[decision.best]
            for action, expected in decision.values.items():
                after = position.play(action)
                sign = 1 if isinstance(action, KeepDice) else -1
                assert expected == pytest.approx(sign * solution.value_of(after), abs=CLOSE)


def test_both_sides_have_the_same_value_in_the_same_position() -> None:
    for captured in Captured:
        solution = board(LAYOUT, 3, Options(captured=captured))
        for position in reached(solution.position.game, 40):
            x, o = position.supplies
            exchanged = Position(
                position.game,
                position.o,
                position.x,
                position.to_move.other,
                position.turn,
                position.defi,
                (o, x),
                position.number,
            )
            assert solution.value_of(exchanged) == pytest.approx(solution.value_of(position), abs=CLOSE)


def test_a_board_with_many_passes_converges() -> None:
    """Every square asks for five equal dice: captures and passes are most of the game."""
    solution = board("Yam Yam Yam/Yam Yam Yam/Yam Yam Yam", 3, Options())
    moved = [moved for _, moved in solution.space.sweep()]
    assert max(moved) < 1e-11
    assert 0 < solution.value < 0.1


@sweep("options", VARIED, ids=lambda options: YamMaster(options).id)
def test_played_games_have_the_solved_mean(options: Options) -> None:
    solution = board(LAYOUT, 3, options)
    played = solution.play(20_000, seed=2)
    assert abs(played.mean - solution.value) < 4 * played.error
    assert 0 < played.error < 0.01
    assert set(played.results.tolist()) == {-1, 0, 1}
    assert played.turns.min() >= 3
    assert played.cut_off == 0


def test_the_same_seed_plays_the_same_games() -> None:
    solution = board(LAYOUT, 3, Options())
    one, same, other = solution.play(2000, seed=5), solution.play(2000, seed=5), solution.play(2000, seed=6)
    assert np.array_equal(one.results, same.results)
    assert np.array_equal(one.turns, same.turns)
    assert not np.array_equal(one.results, other.results)
    fewer = solution.play(500, seed=5)
    assert np.array_equal(one.results[:500], fewer.results)
