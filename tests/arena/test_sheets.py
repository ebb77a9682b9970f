"""Sheets of Yamm by the levels with a table.

The table holds random values, so that no two actions are equally good.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from dicecup import games, yamm
from dicecup.arena.block import Series
from dicecup.arena.game_arena import Evaluate
from dicecup.arena.games import by_turns, kernel_simulator, play_block, simulator_of, solo_row
from dicecup.arena.play import play_game, seeded
from dicecup.arena.registry import arena_of
from dicecup.arena.runner import Runner
from dicecup.arena.simulate import simulate
from dicecup.arena.statistics import estimate
from dicecup.core.dice import KEEPS, Roll
from dicecup.core.errors import DicecupError
from dicecup.core.game import Action, Position
from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.yamm.evaluation.endgame import endgame, endgame_size
from dicecup.engine.yamm.evaluation.table import Table, save_table
from dicecup.engine.yamm.evaluation.value import Evaluation, Weights, fresh
from dicecup.players import Corrects, Player
from dicecup.players import yamm as yamm_players
from dicecup.players.random import RandomPlayer
from dicecup.players.yamm import YammExpert
from dicecup.yamm.sheet import SHEET

EXPERT = Series("yamm(players=1)", ("expert",), "1", 99)


def evaluator(game_id: str, *levels: str) -> Evaluate | None:
    game = games.from_id(game_id)
    return arena_of(game).evaluator(game, levels)


@pytest.fixture(autouse=True)
def table_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write a table of random points for every sheet, without variances, and return its path."""
    zero = Weights(*(part * 0 for part in fresh(0)))
    whims = np.random.default_rng(1).normal(0, 5, zero.points.shape).astype(np.float32)
    whim = zero._replace(points=whims)
    evaluation = Evaluation(whim, whim, endgame(np.zeros(endgame_size(), np.float32)))
    path = tmp_path / "yamm.tables"
    save_table(path, Table(evaluation, zero, {}))
    monkeypatch.setattr(yamm_players, "TABLE", path)
    yield path
    simulator_of.cache_clear()


def test_a_game_is_the_same_in_any_block() -> None:
    play = kernel_simulator(EXPERT)
    assert play is not None
    whole, part = play(0, 40), play(17, 9)
    assert {name: values[17:26] for name, values in whole.items()} == part


def test_columns_add_up() -> None:
    columns = play_block(EXPERT, 0, 64).columns
    for game in range(64):
        points = sum(columns[column][game] for column in SHEET.columns)
        assert columns["total"][game] == points + 100 * columns["first_throw_yamms"][game]
        assert all(columns[f"{column} bonus"][game] in {0, 60, 100, 150, 300, 600, 1000} for column in SHEET.columns)


def kernels_dice(number: int) -> Any:
    from dicecup.engine.yamm.evaluation.dice_kernel import bits_of, throw

    def dice(position: Position) -> Roll:
        assert position.turn is not None
        bits = bits_of(EXPERT.kernel_seed, number, position.number - 1, position.turn.throws)
        return Roll(KEEPS[throw(np.uint64(bits), position.turn.dice.index, position.turn.dice.count)])

    return dice


def test_kernels_play_by_the_rules() -> None:
    """With the kernels' dice the positions lead the expert to the same sheet with the same luck."""
    columns = play_block(EXPERT, 0, 16).columns
    evaluate = evaluator(EXPERT.game, *EXPERT.players)
    for number in range(3):
        played = play_game(games.from_id(EXPERT.game).start(), [cast(Player, YammExpert())], kernels_dice(number), 99, evaluate)
        row = solo_row(EXPERT, number, played)
        assert row == {name: pytest.approx(values[number], abs=0.01) for name, values in columns.items()}


@pytest.mark.slow
def test_the_mean_luck_is_zero_and_the_interval_smaller() -> None:
    """The mean luck is within four standard errors of 0, and the interval is a third smaller."""
    columns = play_block(EXPERT, 0, 2048).columns
    luck, total = columns["luck"], columns["total"]
    assert abs(sum(luck) / 2048) < 4 * (estimate(luck).sd or 0) / 2048**0.5
    freed = estimate([points - gift for points, gift in zip(total, luck, strict=True)])
    assert (freed.sd or 0) < 0.7 * (estimate(total).sd or 0)


def test_the_mean_luck_of_another_player_is_zero() -> None:
    """The luck of a random player, measured by the table."""
    evaluate = evaluator(EXPERT.game, *EXPERT.players)
    start = games.from_id(EXPERT.game).start()
    luck = [
        float((play_game(start, [RandomPlayer(str(seed))], seeded(str(seed)), 25, evaluate).luck or [0])[0])
        for seed in range(60)
    ]
    assert abs(sum(luck) / len(luck)) < 4 * (estimate(luck).sd or 0) / len(luck) ** 0.5


def test_levels_without_a_table_have_no_luck() -> None:
    assert evaluator("yamm(players=1)", "random") is None
    assert evaluator("yamm", "expert", "greedy") is None
    assert "luck" not in by_turns(Series("yamm(players=1)", ("random",), "1", 99))(0, 1)


def test_locked_dice_are_played_by_positions() -> None:
    assert kernel_simulator(Series("yamm(players=1,kept_dice=locked)", ("expert",), "1", 99)) is None


@pytest.mark.parametrize("damage", [b"", b"something else", b"dicecup-tables 1 0\n{}"])
def test_the_error_of_a_damaged_table_is_raised(table_file: Path, damage: bytes) -> None:
    table_file.write_bytes(damage)
    with pytest.raises(DicecupError) as caught:
        play_block(EXPERT, 0, 1)
    assert isinstance(caught.value, TablesError)


def test_the_error_of_a_missing_table_is_raised(table_file: Path) -> None:
    table_file.unlink()
    with pytest.raises(TablesError) as caught:
        play_block(EXPERT, 0, 1)
    assert caught.value.code is TablesCode.TABLES_MISSING


# --- Corrections ----------------------------------------------------------------------------------


class Mover:
    """Writes into the first open cell, and when it is asked again moves the result to the last
    one."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def choose(self, position: Position) -> Action:
        return next(action for action in position.actions if isinstance(action, yamm.Write))

    def correct(self, position: Position, side: int) -> Action | None:
        self.asked.append((position.number, side))
        *_, last = (action for action in position.corrections if action.corrects is not None and action.corrects % 2 == 1)
        return last


def test_players_correct_after_the_others_have_played() -> None:
    mover = Mover()
    assert isinstance(mover, Corrects)
    played = play_game(games.from_id("yamm").start(), [mover, RandomPlayer()], seeded("1"), 5)
    assert mover.asked == [(3, 0), (5, 0)]
    assert isinstance(played.position, yamm.Position)
    sheet = played.position.sheets[0]
    assert [cell for cell in SHEET.cells if sheet[cell] is not None] == ["f3.ST", "f3.Y"]


def test_a_player_alone_is_not_asked_to_correct() -> None:
    mover = Mover()
    play_game(games.from_id("yamm(players=1)").start(), [mover], seeded("1"), 5)
    assert mover.asked == []


def test_partners_correct_their_own_results() -> None:
    movers = [Mover() for _ in range(4)]
    play_game(games.from_id("yamm(players=4,pairs=yes)").start(), movers, seeded("1"), 3)
    assert [mover.asked for mover in movers] == [[(3, 0)], [], [], []]


def test_simulate_frees_the_mean_of_the_expert_from_luck() -> None:
    found = simulate("yamm", "expert", games_wanted=300, seed="1", runner=Runner(1))
    assert found is not None
    assert found["adjusted_sd"] < found["sd"]
    low, high = found["adjusted_ci95"]
    assert low < found["adjusted_mean"] < high
