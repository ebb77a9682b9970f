"""Yam Master by the levels with tables.

The tables are untrained, so that no two actions are equally good.
"""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from dicecup import games
from dicecup.arena.block import Series, columns_of
from dicecup.arena.games import kernel_simulator, match_row, play_block
from dicecup.arena.match import match_summary
from dicecup.arena.play import play_game, seeded
from dicecup.arena.registry import arena_of
from dicecup.arena.statistics import estimate
from dicecup.core.dice import ROLLS, Roll
from dicecup.core.game import Position
from dicecup.engine.tables_file import TablesError
from dicecup.engine.yam_master.evaluation.tables import FILES
from dicecup.players import Player, create
from dicecup.players.random import RandomPlayer
from dicecup.players.yam_master import YamMasterExpert
from dicecup.yam_master import YamMaster

SETUP = Series("yam-master", ("expert", "greedy"), "1", 300, exchanged=True)
GAME = cast(YamMaster, games.from_id("yam-master"))


pytestmark = pytest.mark.usefixtures("tables")


def kernels_dice(number: int) -> Any:
    from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of, ordered_dice

    (key,) = keys_of(SETUP.kernel_seed, np.array([number // 2]))

    def dice(position: Position) -> Roll:
        assert position.turn is not None
        return ROLLS[int(ordered_dice(key, position.number, position.turn.throws + 1, position.turn.dice.index))]

    return dice


@pytest.mark.slow
def test_kernels_play_by_the_rules() -> None:
    """With the kernels' dice the positions lead to the same games, but for ties of `greedy`."""
    columns = play_block(SETUP, 0, 12).columns
    players = [cast(Player, YamMasterExpert()), create("greedy")]
    same = 0
    for number in range(12):
        seated = [players[player] for player in SETUP.seated(number)]
        row = match_row(SETUP, number, play_game(GAME.start(), seated, kernels_dice(number), SETUP.cap))
        same += all(columns[name][number] == value for name, value in row.items())
    assert same >= 8


@pytest.mark.slow
def test_the_mean_luck_of_another_player_is_zero() -> None:
    evaluate = arena_of(GAME).evaluator(GAME, ("expert", "random"))
    players = [RandomPlayer("x"), RandomPlayer("o")]
    luck = [(play_game(GAME.start(), players, seeded(str(seed)), 12, evaluate).luck or (0, 0))[0] for seed in range(300)]
    assert abs(sum(luck) / len(luck)) < 4 * (estimate(luck).sd or 0) / len(luck) ** 0.5
    assert (estimate(luck).sd or 0) > 0


def test_the_adjusted_score_is_without_the_luck_of_both() -> None:
    rows = [
        {"luck": luck, "seat": number % 2, "score": 0.5 + luck, "turns": 30, "ending": 0, "points": 1, "points_against": 1}
        for number, luck in enumerate((0.5, -0.5, 0.5, 0.5))
    ]
    found = match_summary(GAME, columns_of(rows), 1000)
    assert (found["score"], found["adjusted_score"]) == (0.75, 0.5)
    assert found["adjusted_ci95"] == (0.5, 0.5)


def test_the_luck_of_two_players_adds_up_to_zero() -> None:
    evaluate = arena_of(GAME).evaluator(GAME, ("expert", "random"))
    players = [RandomPlayer("a"), RandomPlayer("b")]
    played = play_game(GAME.start(), players, seeded("3"), 20, evaluate)
    assert played.luck is not None
    assert match_row(SETUP, 0, played)["luck"] == pytest.approx((played.luck[0] - played.luck[1]) / 2)
    assert match_row(SETUP, 1, played)["luck"] == pytest.approx((played.luck[1] - played.luck[0]) / 2)


def test_a_level_that_searches_is_played_by_positions() -> None:
    assert kernel_simulator(Series("yam-master", ("master", "expert"), "1", 300, exchanged=True)) is None


@pytest.mark.parametrize("damage", [b"", b"something else"])
def test_the_error_of_damaged_tables_is_raised(tables: Path, damage: bytes) -> None:
    for file in FILES.values():
        (tables / file).write_bytes(damage)
    with pytest.raises(TablesError):
        play_block(SETUP, 0, 2)
