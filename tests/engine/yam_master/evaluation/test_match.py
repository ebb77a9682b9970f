"""Matches: the dice, repeated games, and the same games played by the rules."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dicecup.core.dice import KEEPS, ROLLS, keep
from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of, ordered_dice
from dicecup.engine.yam_master.evaluation.match import TOKENS, Contestant, Games, by_greed, by_model, play_games
from dicecup.engine.yam_master.evaluation.model import Model
from dicecup.yam_master import End, Options, YamMaster

GAME = YamMaster()
GREEDY = Contestant(by_greed)
ANYTHING = Contestant(by_greed, np.inf)


def same(one: Games, other: Games) -> bool:
    return all((getattr(one, name) == getattr(other, name)).all() for name in one.__dataclass_fields__)


@pytest.mark.parametrize("kept", ["-", "3", "1166", "12345"])
def test_every_roll_has_its_probability(kept: str) -> None:
    dice = keep(kept)
    keys = keys_of(3, np.arange(40_000))
    counts = np.zeros(252)
    for key in keys:
        counts[ordered_dice(key, 5, 2, dice.index)] += 1
    expected = np.zeros(252)
    for shown, weight in dice.outcomes:
        expected[ROLLS.index(shown)] = 40_000 * weight / 6 ** (5 - dice.count)
    assert (counts[expected == 0] == 0).all()
    likely = expected > 0
    chi_square = ((counts - expected)[likely] ** 2 / expected[likely]).sum()
    freedom = likely.sum() - 1
    assert chi_square <= freedom + 5 * (2 * freedom) ** 0.5


def test_dice_differ_between_throws_turns_and_games() -> None:
    keys = keys_of(1, np.arange(200))
    assert len(set(keys)) == 200
    fallen = {
        (int(key), number, throw): ordered_dice(key, number, throw, 0)
        for key in keys
        for number in (1, 2)
        for throw in (1, 2, 3)
    }
    for other in ((0, 1), (1, 0)):
        pairs = [
            (roll, fallen[key, number + other[0], throw + other[1]])
            for (key, number, throw), roll in fallen.items()
            if number == 1 and throw < 3
        ]
        assert sum(a == b for a, b in pairs) < len(pairs) / 10


def test_a_game_does_not_depend_on_the_others(model: Model) -> None:
    first, second = Contestant(by_model(model), 0.02), GREEDY
    together = play_games(GAME, first, second, games=40, seed=4)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda start: play_games(GAME, first, second, start=start, games=8, seed=4), range(0, 40, 8)))
    joined = Games(*(np.concatenate([getattr(part, name) for part in parts]) for name in Games.__dataclass_fields__))
    assert same(together, joined)
    assert not same(together, play_games(GAME, first, second, games=40, seed=5))


def test_equal_players_score_one_half_on_equal_dice() -> None:
    games = play_games(GAME, GREEDY, GREEDY, games=200, seed=1)
    assert games.score() == (0.5, 0.0)
    assert (games.turns[::2] == games.turns[1::2]).all()
    apart = play_games(GAME, GREEDY, GREEDY, games=200, seed=1, exchanged=False)
    assert (apart.turns[::2] != apart.turns[1::2]).any()


def test_greedy_beats_random() -> None:
    assert play_games(GAME, GREEDY, ANYTHING, games=100, seed=1).score()[0] > 0.98


def test_the_first_player_has_the_advantage() -> None:
    """Greedy against itself: x scores .547 of 4000 games (± .015)."""
    games = play_games(GAME, GREEDY, GREEDY, games=4000, seed=1, exchanged=False)
    assert games.x_scores.mean() == pytest.approx(0.547, abs=0.025)


def test_a_cap_stops_games_and_counts_half() -> None:
    games = play_games(GAME, GREEDY, ANYTHING, games=20, seed=1, cap=5)
    assert (games.turns == 5).all()
    assert (games.endings == 0).all()
    assert (games.scores == 0.5).all()


def test_a_full_round_ends_with_o() -> None:
    games = play_games(YamMaster(Options(end=End.FULL_ROUND)), GREEDY, GREEDY, games=100, seed=1)
    by_tokens = games.endings == TOKENS
    assert by_tokens.any()
    assert (games.turns[by_tokens] % 2 == 0).all()


def test_points_decide_unless_a_line_does() -> None:
    games = play_games(GAME, GREEDY, GREEDY, games=100, seed=2)
    by_tokens = games.endings == TOKENS
    decided = (1 + np.sign(games.points[:, 0] - games.points[:, 1])) / 2
    assert (games.x_scores[by_tokens] == decided[by_tokens]).all()


def test_every_keep_can_be_completed() -> None:
    for dice in KEEPS[:210]:
        assert dice in ROLLS[ordered_dice(7, 1, 2, dice.index)].parts
