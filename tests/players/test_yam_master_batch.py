"""Levels of Yam Master in batches: their scores against each other."""

from itertools import pairwise

import pytest

from dicecup.engine.yam_master.evaluation.match import play_games
from dicecup.players.yam_master import BATCH_LEVELS, TEMPERATURES, contestant
from dicecup.yam_master import YamMaster

GAME = YamMaster()
GRADED = (*TEMPERATURES, "expert")


@pytest.mark.slow
@pytest.mark.parametrize("lower,higher", tuple(pairwise(GRADED)))
def test_a_level_scores_65_to_80_percent_against_the_next(lower: str, higher: str) -> None:
    games = play_games(GAME, contestant(higher, GAME), contestant(lower, GAME), games=4000, seed=4)
    score, _ = games.score()
    assert 0.65 <= score <= 0.80


@pytest.mark.slow
def test_expert_beats_greedy() -> None:
    score, half_width = play_games(GAME, contestant("expert", GAME), contestant("greedy", GAME), games=2000, seed=4).score()
    assert score - half_width > 0.81


def test_every_level_plays_in_batches() -> None:
    for level in BATCH_LEVELS:
        games = play_games(GAME, contestant(level, GAME, depth=1), contestant("greedy", GAME), games=4, seed=1)
        assert (games.turns > 0).all()


@pytest.mark.slow
def test_a_deeper_search_is_not_weaker() -> None:
    deep, expert = contestant("expert", GAME, depth=2), contestant("expert", GAME)
    score, half_width = play_games(GAME, deep, expert, games=400, seed=2).score()
    assert score + half_width > 0.5
