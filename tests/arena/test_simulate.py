import json
from typing import Any

import pytest

from dicecup import games
from dicecup.arena.block import Series, columns_of
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.games import by_turns
from dicecup.arena.runner import Runner
from dicecup.arena.simulate import simulate, solo_summary
from dicecup.arena.statistics import estimate
from dicecup.core.errors import GameError
from dicecup.yamm.sheet import SHEET
from tests.sweep import sweep

MEASURED = {"cpu_seconds", "games_per_cpu_second"}
"""The values that may differ from run to run."""


def play(game: str, player: str, wanted: int = 12, workers: int = 1, **options: Any) -> dict[str, Any]:
    found = simulate(game, player, games_wanted=wanted, seed="1", runner=Runner(workers), **options)
    assert found is not None
    assert found["cpu_seconds"] > 0
    assert found["games_per_cpu_second"] == pytest.approx(found["games"] / found["cpu_seconds"])
    return {key: value for key, value in found.items() if key not in MEASURED}


@pytest.mark.slow
@sweep("game, wanted", [("yamm", 600), ("yam-master", 600)])
def test_the_result_does_not_depend_on_the_number_of_workers(game: str, wanted: int) -> None:
    assert len({json.dumps(play(game, "random", wanted, workers)) for workers in (1, 2)}) == 1


@pytest.mark.slow
def test_kernels_and_positions_give_equal_totals_of_random() -> None:
    """On other dice the means agree within four standard errors."""
    found = play("yamm", "random", 600)
    turns = estimate(by_turns(Series("yamm(players=1)", ("random",), "2", 99))(0, 100)["total"])
    assert found["game"] == "yamm(players=1)"
    assert abs(found["mean"] - turns.mean) < 4 * found["sd"] * (1 / 600 + 1 / 100) ** 0.5
    assert found["adjusted_mean"] is None
    low, high = found["ci95"]
    assert low < found["mean"] < high
    assert list(found["columns"]) == list(found["bonuses"]) == list(SHEET.columns)
    assert sum(found["columns"].values()) + 100 * found["first_throw_yamms"] == pytest.approx(found["mean"])


def test_adjusted_totals_are_without_luck() -> None:
    columns = columns_of(
        {"total": 100 + luck, "luck": float(luck), "first_throw_yamms": 0}
        | dict.fromkeys(SHEET.columns, 5)
        | {f"{column} bonus": 0 for column in SHEET.columns}
        for luck in (-20, 5, 30)
    )
    found = solo_summary(games.from_id("yamm(players=1)"), columns)
    assert (found["mean"], found["adjusted_mean"], found["adjusted_sd"]) == (105, 100, 0)
    assert found["adjusted_ci95"] == (100, 100)


def test_totals_without_luck_have_no_adjusted_mean() -> None:
    columns = columns_of(
        [{"total": 100, "first_throw_yamms": 0, **{name: 1 for c in SHEET.columns for name in (c, f"{c} bonus")}}]
    )
    found = solo_summary(games.from_id("yamm(players=1)"), columns)
    assert (found["adjusted_mean"], found["adjusted_sd"], found["adjusted_ci95"]) == (None, None, None)


def test_the_summary_of_a_level_against_itself_adds_up() -> None:
    found = play("yam-master", "greedy", 500)
    assert found["wins"] + found["draws"] + found["losses"] == 500 == sum(found["endings"].values())
    low, high = found["ci95"]
    assert low < found["first_player_score"] < high
    assert high > 0.5
    assert found["first_player_score"] == pytest.approx((found["wins"] + found["draws"] / 2) / 500)


def test_a_single_game_has_a_mean_and_no_interval() -> None:
    found = play("yamm", "random", 1)
    assert found["mean"] == found["quantiles"]["50"]
    assert (found["sd"], found["ci95"]) == (None, None)


@pytest.mark.parametrize("game, player", [("chess", "greedy"), ("yamm(players=0)", "greedy"), ("yamm", "grandmaster")])
def test_unknown_games_and_players_are_refused(game: str, player: str) -> None:
    with pytest.raises(GameError):
        play(game, player)


@pytest.mark.parametrize(
    "game, options, code",
    [
        ("yamm(players=3)", {}, ArenaCode.WRONG_PLAYERS),
        ("yamm", {"wanted": 0}, ArenaCode.NOT_A_COUNT),
        ("yam-master", {"cap": 0}, ArenaCode.NOT_A_COUNT),
    ],
)
def test_impossible_simulations_are_refused(game: str, options: dict[str, int], code: ArenaCode) -> None:
    with pytest.raises(ArenaError) as caught:
        play(game, "random", **options)
    assert caught.value.code is code
