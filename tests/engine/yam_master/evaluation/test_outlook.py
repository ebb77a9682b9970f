"""Games played on: the games of a match between equals, and the number of drawn ones."""

import numpy as np

from dicecup.engine.yam_master.evaluation.match import STOPPED, Contestant, play_games
from dicecup.engine.yam_master.evaluation.outlook import drawn_games
from dicecup.players.yam_master import evaluation
from dicecup.yam_master import YamMaster
from tests.yam_master.positions import at

GAMES = 200


def test_games_from_the_start_are_those_of_a_match() -> None:
    game = YamMaster()
    expert = Contestant(evaluation(game))
    match = play_games(game, expert, expert, games=GAMES, seed=5, exchanged=False)
    drawn = int(np.count_nonzero((match.x_scores == 0.5) & (match.endings != STOPPED)))
    assert 0 < drawn < GAMES
    assert drawn_games([(game.start(), GAMES)], evaluation(game), seed=5) == [drawn]


def test_each_start_has_its_own_count() -> None:
    game = YamMaster()
    decided = at("xxx2/xxx2/xxx2/oo3/5 x 0:????? 3-10 19").roll("11111").play("--")
    even, lost, none = drawn_games([(game.start(), GAMES), (decided, GAMES), (decided, 0)], evaluation(game), seed=5)
    assert even > lost
    assert none == 0
    assert drawn_games([], evaluation(game), seed=5) == []


def test_games_that_take_too_long_count_as_drawn() -> None:
    assert drawn_games([(YamMaster().start(), 10)], evaluation(YamMaster()), seed=5, cap=1) == [10]
