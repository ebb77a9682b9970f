"""The values of decisions: points alone, win probabilities with opponents."""

from math import erf, sqrt

import numpy as np
import pytest

from dicecup.core.dice import ROLLS
from dicecup.engine.yamm.evaluation.decisions import LEAST_GAIN, correction, evaluate, forecast, opponents
from dicecup.engine.yamm.evaluation.deepening import DEPTHS, evaluate_deeper
from dicecup.engine.yamm.evaluation.table import load_table
from dicecup.engine.yamm.evaluation.win_kernel import LEAST_VARIANCE, POINT, win_probability
from dicecup.players.player import losses
from dicecup.players.yamm import TABLE as TABLE_FILE
from dicecup.players.yamm import action_values
from dicecup.yamm import KeepDice, Position, Sheet, Write, Yamm
from dicecup.yamm.text import sheet_text
from tests.engine.yamm.evaluation.sheets import best_play, readable_turn, sheet_with_left, some_table, table_value
from tests.sweep import sweep

TABLE = some_table()


def alone(sheet: Sheet, turn: str, game: str = "yamm(players=1)") -> Position:
    """Return a position in the middle of a turn on this sheet."""
    return Yamm.from_id(game).position(f"{sheet_text(sheet)} {turn} {sheet.written + 1}")


def between_two(own: Sheet, other: Sheet, turn: str = "1:12345") -> Position:
    """The first of two players is on turn; the other's last result is wet."""
    cell = next(other.open_cells)
    wet = f"~{cell}=3:11234" if own.written else ""
    return Yamm.from_id("yamm").position(f"{sheet_text(own)}|{sheet_text(other)}{wet} {turn} {2 * own.written + 1}")


@sweep("turn", ["1:13466", "2:33355", "3:12345", "1:55555"])
@sweep("left", [99, 30, 3])
def test_alone_values_are_the_points_to_come(turn: str, left: int) -> None:
    sheet = sheet_with_left(left, seed=12)
    position = alone(sheet, turn)
    values = action_values(evaluate(TABLE, position), position)
    assert list(values) == list(position.actions)
    expected = readable_turn(sheet, table_value)
    shown = ROLLS[[roll.text for roll in ROLLS].index(turn[2:])]
    for action, found_value in values.items():
        if isinstance(action, Write):
            after = sheet.write(action.cell, shown)
            yamm = 100 if turn == "1:55555" else 0
            assert found_value == pytest.approx(after.total - sheet.total + table_value(after) + yamm, abs=0.02)
        elif isinstance(action, KeepDice):
            assert found_value == pytest.approx(expected.keep_value(int(turn[0]), action.kept), abs=0.02)
    assert min(losses(values).values()) == 0


def test_locked_dice_stay_locked() -> None:
    position = alone(sheet_with_left(30, 1), "2:33|456", "yamm(players=1,kept_dice=locked)")
    assert list(action_values(evaluate(TABLE, position), position)) == list(position.actions)


@pytest.mark.slow
def test_before_the_first_throw_the_wet_result_counts() -> None:
    game = Yamm.from_id("yamm(players=1)")
    position = game.start().roll("66666").play("f1.6")
    written = position.written[0]
    assert evaluate(TABLE, position).turn.value == pytest.approx(float(readable_turn(written, table_value).value), abs=0.02)
    assert evaluate(TABLE, position).cells == {}


def test_with_an_opponent_values_are_win_probabilities() -> None:
    own, other = sheet_with_left(20, 1), sheet_with_left(21, 2)
    position = between_two(own, other, "3:12345")
    against = forecast(TABLE, position.written[1])
    chances = evaluate(TABLE, position).cells
    for cell, found_value in chances.items():
        after = own.write(cell, ROLLS[[roll.text for roll in ROLLS].index("12345")])
        ahead = forecast(TABLE, after)
        spread = sqrt(max(forecast(TABLE, own).variance * 19 / 20 + against.variance, LEAST_VARIANCE))
        lead = after.total + ahead.mean - position.written[1].total - against.mean
        chance = 0.5 + 0.5 * erf(lead / spread / sqrt(2))
        assert found_value == pytest.approx(chance + POINT * (after.total + ahead.mean), abs=1e-4)
    assert evaluate(TABLE, position, alone=True).cells != chances


def test_two_others_are_harder_to_beat_than_one() -> None:
    game = Yamm.from_id("yamm(players=3)").start().roll("12345")
    two = Yamm.from_id("yamm").start().roll("12345")
    assert 0 < evaluate(TABLE, game).turn.value < evaluate(TABLE, two).turn.value < 1
    assert len(opponents(TABLE, game, 0).means) == 2


def test_spread_is_preferred_behind_and_avoided_in_the_lead() -> None:
    wide = win_probability(1000.0, 200.0**2, np.array([1100.0]), np.array([100.0**2]))
    narrow = win_probability(1010.0, 20.0**2, np.array([1100.0]), np.array([100.0**2]))
    assert wide > narrow
    wide, narrow = (
        win_probability(mean, spread**2, np.array([900.0]), np.array([100.0**2]))
        for mean, spread in ((1000.0, 200.0), (990.0, 20.0))
    )
    assert wide < narrow


def test_a_correction_moves_a_result_to_a_better_cell_or_leaves_it() -> None:
    game = Yamm.from_id("yamm")
    position = game.start().roll("12346").play("f1.Y").roll("11111")
    correct = correction(TABLE, position, 0)
    assert correct is not None
    better = position.play(correct)
    assert correction(TABLE, better, 0) is None
    assert correction(TABLE, position, 1) is None


def test_a_correction_is_valued_by_the_next_turn() -> None:
    position = Yamm.from_id("yamm").start().roll("12346").play("f1.Y").roll("11111").play("d1.1")
    correct = correction(TABLE, position, 0)
    assert correct is not None
    better = position.play(correct)
    assert evaluate(TABLE, better).turn.value > evaluate(TABLE, position).turn.value + LEAST_GAIN / 2


def test_alone_no_result_is_corrected() -> None:
    position = Yamm.from_id("yamm(players=1)").start().roll("12346").play("f1.Y")
    assert correction(TABLE, position, 0) is None


@pytest.mark.slow
def test_the_endgame_table_makes_the_last_cells_exact() -> None:
    sheet = sheet_with_left(2, seed=5)
    judged = evaluate_deeper(load_table(TABLE_FILE), alone(sheet, "1:12346"), None, None, lambda: 0.0)
    assert judged.turn.value == pytest.approx(best_play(sheet), abs=0.02)


@pytest.mark.parametrize("work, more", [(0, False), (1, False), (10_000, True)])
def test_work_limits_the_depth_of_the_master(work: int, more: bool) -> None:
    position = alone(sheet_with_left(50, 1), "1:13466")
    judged = evaluate_deeper(TABLE, position, work, None, lambda: 0.0)
    assert (judged.work > 1) is more
    assert judged.work <= max(work, 1)
    assert judged.turn.value == evaluate_deeper(TABLE, position, work, None, lambda: 0.0).turn.value


def test_without_time_the_first_depth_is_the_answer() -> None:
    position = alone(sheet_with_left(50, 1), "1:13466")
    judged = evaluate_deeper(TABLE, position, None, 0.0, iter(range(100)).__next__)
    assert judged.work == 1
    assert judged.turn.value == evaluate(TABLE, position, DEPTHS[0]).turn.value
