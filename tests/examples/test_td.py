"""The example of tabular TD reaches the exact values of small boards."""

from random import Random

import pytest

from dicecup.engine.yam_master.exact.solve import solve_board
from dicecup.envs.options import small_yam_master
from examples.benchmark import played
from examples.td_yam_master import Learner, errors, main


def test_it_reaches_the_exact_value_of_a_small_board() -> None:
    learner = Learner(small_yam_master("2x2"), seed=3)
    learner.learn(1500)
    at_start, mean, _ = errors(learner, solve_board(learner.game))
    assert abs(at_start) < 0.002
    assert mean < 0.01


def test_values_of_what_was_thrown_come_close() -> None:
    learner = Learner(small_yam_master("2x2"), seed=3, sampled=True)
    learner.learn(1500)
    at_start, _, _ = errors(learner, solve_board(learner.game))
    assert 0 < abs(at_start) < 0.1


def test_untrained_it_is_far_away() -> None:
    learner = Learner(small_yam_master("2x2"), seed=3)
    learner.learn(1)
    assert abs(errors(learner, solve_board(learner.game))[0]) > 0.02


def test_it_plays_legal_games() -> None:
    for options in (small_yam_master("2x2"), small_yam_master("3x3")):
        learner = Learner(options, seed=1)
        learner.learn(5)
        assert played(options, (learner, learner), Random(1)).number > 1


@pytest.mark.slow
def test_it_reaches_the_exact_value_of_the_larger_board(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--board", "3x3"])
    error = capsys.readouterr().out.partition("error at the start ")[2].split()[0]
    assert abs(float(error)) < 0.002
