"""The grades of players and the decisions that count for them."""

from math import sqrt

import pytest

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import FEWEST, MEASURED, SENSIBLE, MeanLoss, counts, grade, grades, mean_loss
from dicecup.analysis.registry import analysis_of
from dicecup.players import LEVELS
from dicecup.yam_master import YamMaster
from dicecup.yamm import SheetSpec, Yamm
from tests.strategies import BOARD_3


@pytest.mark.parametrize("unit", Unit)
def test_a_level_is_graded_as_itself(unit: Unit) -> None:
    for level, loss in MEASURED[unit].items():
        assert grade(MeanLoss(FEWEST, loss, 0.0), unit) == level
        assert grades(MeanLoss(FEWEST, loss, 0.0), unit) == (level,)
    assert set(MEASURED[unit]) == set(LEVELS) - {"master"}


@pytest.mark.parametrize("unit", Unit)
def test_the_bound_between_two_levels_is_the_geometric_mean(unit: Unit) -> None:
    losses = MEASURED[unit]
    bound = sqrt(losses["club"] * min(loss for loss in losses.values() if loss > losses["club"]))
    assert grade(MeanLoss(99, bound * 0.999, None), unit) == "club"
    assert grade(MeanLoss(99, bound * 1.001, None), unit) != "club"


@pytest.mark.parametrize("unit", Unit)
def test_grades_are_all_levels_within_the_interval(unit: Unit) -> None:
    ranked = tuple(sorted(MEASURED[unit], key=MEASURED[unit].__getitem__))
    assert grades(MeanLoss(99, 50.0, 50.0), unit)[0] == "expert"
    assert grades(MeanLoss(99, 50.0, 60.0), unit) == ranked
    assert grades(MeanLoss(99, MEASURED[unit]["casual"], 1e-9), unit) == ("casual",)


def test_few_decisions_give_no_grade() -> None:
    few = mean_loss([0.1] * (FEWEST - 1))
    assert (grade(few, Unit.CHANCE), grades(few, Unit.CHANCE)) == (None, ())
    assert mean_loss([]) == MeanLoss(0, None, None)
    assert mean_loss([1.0]) == MeanLoss(1, 1.0, None)
    assert mean_loss([1.0, 3.0]) == pytest.approx((2, 2.0, 1.96))


@pytest.mark.parametrize("unit", Unit)
def test_a_decision_counts_with_two_sensible_actions_or_a_loss(unit: Unit) -> None:
    bound = SENSIBLE[unit]
    assert counts([bound, bound / 2], 0.0, unit)
    assert not counts([3 * bound, bound, 3 * bound], 0.0, unit)
    assert counts([3 * bound, bound], 2 * bound, unit)
    assert not counts([bound], 0.0, unit)


def test_small_boards_and_sheets_are_not_graded() -> None:
    for real, small in (
        (YamMaster(), YamMaster(board=BOARD_3)),
        (Yamm(), Yamm(sheet=SheetSpec.from_text("d1,u1"))),
    ):
        analysis = analysis_of(real)
        assert analysis.is_graded(real)
        assert not analysis.is_graded(small)
