import json
from typing import Any

import pytest

from dicecup import games
from dicecup.arena.block import Series
from dicecup.arena.ends import ENDINGS
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.games import block_size, by_turns, kernel_simulator, match_row, play_block
from dicecup.arena.match import match
from dicecup.arena.play import PlayedGame, play_game
from dicecup.arena.runner import Runner
from dicecup.core.dice import ROLLS, Roll
from dicecup.core.errors import GameError
from dicecup.core.game import Position
from dicecup.players import create

MEASURED = {"cpu_seconds", "games_per_cpu_second"}
"""The values that may differ from run to run."""


def play(game: str, *players: str, wanted: int = 24, workers: int = 1, **options: Any) -> dict[str, Any]:
    found = match(game, players, games_wanted=wanted, seed="1", runner=Runner(workers), **options)
    assert found is not None
    return {key: value for key, value in found.items() if key not in MEASURED}


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_workers() -> None:
    """In positions and in kernels, bit for bit."""
    small = [json.dumps(play("yamm(players=3)", "random", "random", "random", wanted=9, workers=workers)) for workers in (1, 2)]
    large = [json.dumps(play("yam-master", "greedy", "random", wanted=600, workers=workers)) for workers in (1, 2)]
    assert len(set(small)) == 1
    assert len(set(large)) == 1


def test_another_seed_is_another_match() -> None:
    one, other = (
        match("yam-master", ("random", "random"), games_wanted=40, seed=seed, runner=Runner(1)) for seed in ("1", "one")
    )
    assert one is not None
    assert other is not None
    assert one["lengths"] != other["lengths"]


@pytest.mark.parametrize("game", ["yam-master", "yam-master(captured=out)", "yam-master(end=full_round)"])
def test_a_player_scores_exactly_one_half_against_itself(game: str) -> None:
    """Seats are exchanged on equal dice, and `greedy` always does the same."""
    found = play(game, "greedy", "greedy", wanted=40)
    assert (found["score"], found["ci95"]) == (0.5, (0.5, 0.5))
    assert found["wins"] == found["losses"]


def test_greedy_beats_random_everywhere() -> None:
    assert play("yam-master", "greedy", "random", wanted=100)["score"] > 0.9
    assert play("yam-master", "random", "greedy", wanted=100)["score"] < 0.1
    assert play("yamm", "greedy", "random", wanted=2)["score"] == 1


def test_the_summary_of_a_match_adds_up() -> None:
    found = play("yam-master", "greedy", "random", wanted=101)
    assert found["games"] == found["wanted"] == 101
    assert found["wins"] + found["draws"] + found["losses"] == 101
    assert [found["seats"][seat]["games"] for seat in ("x", "o")] == [51, 50]
    assert sum(found["seats"][seat]["wins"] for seat in ("x", "o")) == found["wins"]
    assert sum(found["endings"].values()) == 101
    assert found["endings"]["full"] == 0
    assert found["score"] == pytest.approx((found["wins"] + found["draws"] / 2) / 101)
    low, high = found["ci95"]
    assert low <= found["score"] <= high
    assert found["lengths"]["quantiles"]["0"] >= 9


def test_each_seat_of_yamm_has_a_sheet() -> None:
    found = play("yamm(players=3)", "random", "random", "random", wanted=6)
    assert list(found["seats"]) == ["P1", "P2", "P3"]
    assert [seat["games"] for seat in found["seats"].values()] == [2, 2, 2]
    assert (found["endings"]["full"], found["lengths"]["mean"], found["cap"]) == (6, 297, 297)
    assert found["first_seat_score"] is None


def test_partners_share_their_result() -> None:
    """Yamm in pairs: players 1 and 3 against 2 and 4."""
    found = play("yamm(players=4,pairs=yes)", "random", "random", "random", "random", wanted=4)
    assert (found["lengths"]["mean"], found["games"]) == (198, 4)
    assert found["score"] in {0, 0.25, 0.5, 0.75, 1}


def test_a_cap_stops_games_and_is_counted() -> None:
    found = play("yam-master", "random", "random", wanted=30, cap=20)
    assert found["cap"] == 20
    assert found["endings"]["cap"] > 20
    assert found["lengths"]["quantiles"]["100"] == 20
    assert found["draws"] >= found["endings"]["cap"]


def kernels_dice(setup: Series, number: int) -> Any:
    import numpy as np

    from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of, ordered_dice

    (key,) = keys_of(setup.kernel_seed, np.array([number // 2]))

    def dice(position: Position) -> Roll:
        assert position.turn is not None
        return ROLLS[int(ordered_dice(key, position.number, position.turn.throws + 1, position.turn.dice.index))]

    return dice


@pytest.mark.slow
def test_kernels_play_by_the_rules() -> None:
    """With the kernels' dice most games of `greedy` are the same.

    The others differ where two actions are equal up to rounding."""
    setup = Series("yam-master", ("greedy", "greedy"), "rules", 1000, exchanged=True)
    columns = play_block(setup, 0, 16).columns
    greedy = create("greedy")
    same = 0
    for number in range(16):
        played = play_game(games.from_id(setup.game).start(), [greedy, greedy], kernels_dice(setup, number), setup.cap)
        row = match_row(setup, number, played)
        same += all(columns[name][number] == value for name, value in row.items())
    assert same >= 10


def test_kernels_and_positions_give_equal_lengths() -> None:
    """Games of `random` on other dice have the same lengths within four standard errors."""
    setup = Series("yam-master", ("random", "random"), "1", 60, exchanged=True)
    one, other = (
        play(0, 60)["ending"] for play in (by_turns(setup), lambda first, count: play_block(setup, first, count).columns)
    )
    capped = [list(endings).count(ENDINGS.index("cap")) / 60 for endings in (one, other)]
    assert abs(capped[0] - capped[1]) < 4 * (2 * 0.25 / 60) ** 0.5


def test_levels_without_kernels_are_played_by_positions() -> None:
    setup = Series("yamm", ("random", "random"), "1", 1000, exchanged=True)
    assert kernel_simulator(setup) is None
    assert block_size(setup) < block_size(Series("yam-master", ("random", "greedy"), "1", 1000, exchanged=True))


@pytest.mark.parametrize(
    "game, players",
    [("yam-master", ("greedy",)), ("yam-master", ("greedy",) * 3), ("yamm(players=1)", ("greedy",)), ("yamm", ("greedy",) * 4)],
)
def test_every_seat_needs_a_player(game: str, players: tuple[str, ...]) -> None:
    with pytest.raises(ArenaError) as caught:
        play(game, *players)
    assert caught.value.code is ArenaCode.WRONG_PLAYERS


@pytest.mark.parametrize("game, player", [("chess", "greedy"), ("yamm(players=17)", "greedy"), ("yam-master", "grandmaster")])
def test_unknown_games_and_players_are_refused(game: str, player: str) -> None:
    with pytest.raises(GameError):
        play(game, player, "greedy")


@pytest.mark.parametrize("options", [{"wanted": 0}, {"wanted": -5}, {"cap": 0}])
def test_games_and_turns_are_counted_from_one(options: dict[str, int]) -> None:
    with pytest.raises(ArenaError) as caught:
        play("yam-master", "greedy", "greedy", **options)
    assert caught.value.code is ArenaCode.NOT_A_COUNT


def test_a_shared_win_is_shared() -> None:
    """Three sheets, two of them equal and best."""
    game = games.from_id("yamm(players=3)")
    full = game.start()
    setup = Series(game.id, ("a", "b", "c"), "1", 297, exchanged=True)
    row = match_row(setup, 0, PlayedGame(full, None))
    assert row["score"] == pytest.approx(1 / 3)
