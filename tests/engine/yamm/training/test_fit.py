"""Targets, gradients and training."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.yamm.evaluation.columns import PLACES, empty_sheet, full_sheet, graph
from dicecup.engine.yamm.evaluation.endgame import endgame
from dicecup.engine.yamm.evaluation.endgame_kernel import column_values, open_columns
from dicecup.engine.yamm.evaluation.pack import pack
from dicecup.engine.yamm.evaluation.simulate import play
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.engine.yamm.evaluation.value import FEW, HIDDEN, TURNS, Evaluation, Weights
from dicecup.engine.yamm.evaluation.value_kernel import learned, value
from dicecup.engine.yamm.training import checkpoint
from dicecup.engine.yamm.training.fit_kernel import add_gradient, fit, fresh_moments, targets
from dicecup.engine.yamm.training.openings_kernel import open_sheets
from dicecup.engine.yamm.training.train import ROUND, Training, learn_variance
from tests.engine.yamm.evaluation.sheets import sheet_with_left, some_evaluation, some_weights


def copied(weights: Weights) -> Weights:
    return Weights(*(array.copy() for array in weights))


def same(one: Weights, other: Weights) -> bool:
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


def test_a_target_adds_up_the_errors_that_follow() -> None:
    nodes = np.tile(empty_sheet(), (LANES, 1))
    played = play(some_evaluation(), 1, 0, nodes, TURNS)
    values, wanted = np.empty_like(played.expected), np.empty_like(played.expected)
    targets(some_evaluation(), played.seen, played.expected, TURNS, 0.5, values, wanted)
    errors = played.expected - values
    for turn in (0, 50, 70, 98):
        lane = turn % LANES
        sheet, left, claimed = played.seen[turn, lane], TURNS - turn, some_evaluation().endgame
        assert values[turn, lane] == value(some_evaluation(), sheet, left)
        following = sum(0.5**ahead * errors[turn + ahead, lane] for ahead in range(left))
        columns = column_values(claimed, sheet) if open_columns(claimed, sheet) <= FEW else 0
        assert wanted[turn, lane] == pytest.approx(values[turn, lane] + following - columns, abs=0.02)


def test_the_gradient_is_that_of_half_the_squared_error() -> None:
    weights, nodes, left = copied(some_weights()), pack(sheet_with_left(40, 3)), 40
    gradient = fresh_moments(weights).gradient
    target = learned(weights, nodes, left) - 3.0
    add_gradient(weights, gradient, nodes, left, target, 1.0, np.empty(HIDDEN, np.float32))
    for array, slope in zip(weights, gradient, strict=True):
        for at in np.argsort(-abs(slope.ravel()))[:3]:
            step, kept = np.float32(0.02), array.flat[at]
            ends_of_step = []
            for sign in (1, -1):
                array.flat[at] = kept + sign * step
                ends_of_step.append(float(learned(weights, nodes, left) - target) ** 2 / 2)
            array.flat[at] = kept
            assert (ends_of_step[0] - ends_of_step[1]) / (2 * step) == pytest.approx(slope.flat[at], rel=0.05, abs=0.5)


def test_passes_bring_the_values_to_the_targets() -> None:
    training = Training.fresh(1)
    nodes = np.array([pack(sheet_with_left(left, 8)) for left in range(1, 99)])
    left, wanted = np.arange(1, 99), np.linspace(10, 100, 98, dtype=np.float32)
    rates, order = np.array((1.0, 1e-3, 1e-2)), np.arange(98)
    touched = np.zeros(len(training.weights.points), np.bool_)
    errors = [
        fit(training.weights, training.moments, nodes, left, wanted, order, 14, 7 * number, rates, touched)
        for number in range(60)
    ]
    assert not touched.any()
    assert errors[-1] < errors[0] / 50


@pytest.mark.parametrize("full, writes", [(0, 0), (0, 97), (3, 0), (8, 10), (9, 0)])
def test_openings_have_as_many_cells_written_as_asked(full: int, writes: int) -> None:
    nodes = np.empty((LANES, PLACES), np.int16)
    open_sheets(graph(), empty_sheet(), full_sheet(), full, writes, 1, 0, nodes)
    assert (graph().left[nodes].sum(axis=1) == TURNS - 11 * full - writes).all()
    assert full + writes in (0, 9) or len({tuple(sheet) for sheet in nodes.tolist()}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("stopped", [2, 4])
def test_an_interrupted_training_is_the_same_bit_for_bit(stopped: int, tmp_path: Path) -> None:
    fresh, through, first = Training.fresh(2), Training.fresh(2), Training.fresh(2)
    for number in range(5):
        through.round(number / 5)
    for number in range(stopped):
        first.round(number / 5)
    checkpoint.save(tmp_path / "saved", first, "five rounds")
    resumed = checkpoint.load(tmp_path / "saved", "five rounds", fresh)
    assert resumed.games == stopped * ROUND
    for number in range(stopped, 5):
        resumed.round(number / 5)
    assert same(resumed.evaluation.early, through.evaluation.early)
    assert same(resumed.evaluation.late, through.evaluation.late)
    assert not same(through.evaluation.early, through.evaluation.late)
    assert resumed.error == through.error
    other = Training.fresh(3)
    assert checkpoint.load(tmp_path / "saved", "six rounds", fresh) is fresh
    assert checkpoint.load(tmp_path / "saved", "five rounds", other) is other
    assert checkpoint.load(tmp_path / "none", "five rounds", fresh) is fresh


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "saved"
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(TablesError) as refused:
        checkpoint.load(path, "", Training.fresh(1))
    assert refused.value.code is TablesCode.TABLES_DAMAGED


def test_training_stops_at_not_a_number() -> None:
    training = replace(Training.fresh(1), games=5 * ROUND)
    training.weights.points[:] = np.nan
    with pytest.raises(EngineError) as stopped:
        training.round(0.5)
    assert stopped.value.code is EngineCode.NOT_FINITE
    assert stopped.value.details["games"] == 5 * ROUND


@pytest.mark.slow
def test_the_variance_grows_with_the_open_cells() -> None:
    variance = learn_variance(Evaluation(some_weights(), some_weights(), endgame()), 1, 8 * ROUND)
    sheets = [pack(sheet_with_left(left, 1)) for left in (90, 10)]
    assert learned(variance, sheets[0], 90) > learned(variance, sheets[1], 10) > 0
