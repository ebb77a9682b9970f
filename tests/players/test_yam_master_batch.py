"""Levels in batches: each beats the next lower one by what was asked for."""

from itertools import pairwise

import pytest

from dicecup.engine.yam_master.evaluation.match import play_games
from dicecup.players.yam_master_batch import LEVELS, contestant
from dicecup.players.yam_master_graded import TEMPERATURES
from dicecup.yam_master import YamMaster

GAME = YamMaster()
GRADED = (*TEMPERATURES, "expert")


@pytest.mark.slow
@pytest.mark.parametrize("lower,higher", tuple(pairwise(GRADED)))
def test_a_level_scores_65_to_80_against_the_next_lower_one(lower: str, higher: str) -> None:
    games = play_games(GAME, contestant(higher, GAME), contestant(lower, GAME), games=4000, seed=4)
    score, _ = games.score()
    assert 0.65 <= score <= 0.80


def test_expert_beats_greedy() -> None:
    score, half_width = play_games(GAME, contestant("expert", GAME), contestant("greedy", GAME), games=2000, seed=4).score()
    assert score - half_width > 0.81


def test_every_level_plays() -> None:
    for level in LEVELS:
        games = play_games(GAME, contestant(level, GAME, depth=1), contestant("greedy", GAME), games=4, seed=1)
        assert (games.turns > 0).all()


def test_looking_further_loses_nothing() -> None:
    deep, expert = contestant("expert", GAME, depth=2), contestant("expert", GAME)
    score, half_width = play_games(GAME, deep, expert, games=400, seed=2).score()
    assert score + half_width > 0.5
