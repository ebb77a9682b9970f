import random
import statistics
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.arena.statistics import NORMAL_95, estimate, mean, quantiles


def test_an_estimate_equals_a_calculation_by_hand() -> None:
    found = estimate([2, 4, 4, 6])
    assert found.mean == 4
    assert found.sd == pytest.approx(sqrt(8 / 3))
    assert found.ci95 == pytest.approx((4 - 1.959964 * sqrt(8 / 12), 4 + 1.959964 * sqrt(8 / 12)))


def test_a_single_game_has_no_interval() -> None:
    assert estimate([7]) == (7, None, None)
    pair = estimate([1, 0], together=2)
    assert pair.mean == 0.5
    assert pair.sd == pytest.approx(sqrt(0.5))
    assert pair.ci95 is None


def test_games_on_equal_dice_count_as_one() -> None:
    """The interval of pairs is that of the means of the pairs."""
    pairs = [(1, 0), (1, 1), (0.5, 1), (0, 0), (1, 0.5)]
    means = [sum(pair) / 2 for pair in pairs]
    found = estimate([score for pair in pairs for score in pair], together=2)
    error = statistics.stdev(means) / sqrt(len(means))
    assert found.mean == pytest.approx(statistics.fmean(means))
    assert found.ci95 == pytest.approx((found.mean - NORMAL_95 * error, found.mean + NORMAL_95 * error))


def test_an_incomplete_group_counts_by_its_games() -> None:
    found = estimate([1, 0, 1, 1, 0], together=2)
    assert found.mean == 0.6
    assert found.ci95 is not None
    errors = (1 - 1.2, 2 - 1.2, 0 - 0.6)
    assert found.ci95[1] - 0.6 == pytest.approx(NORMAL_95 * sqrt(3 / 2 * sum(error**2 for error in errors)) / 5)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.randoms())
def test_the_mean_does_not_depend_on_the_order(values: list[float], draw: random.Random) -> None:
    shuffled = draw.sample(values, len(values))
    assert mean(values) == mean(shuffled)
    assert estimate(values) == estimate(shuffled)


def test_intervals_cover_the_mean_nineteen_times_of_twenty() -> None:
    draw = random.Random(1)
    covered = 0
    for _ in range(1000):
        interval = estimate([draw.gauss(3, 2) for _ in range(100)]).ci95
        assert interval is not None
        covered += interval[0] <= 3 <= interval[1]
    assert 925 <= covered <= 970


@given(st.lists(st.integers(), min_size=1))
def test_quantiles_are_values_of_the_sample(values: list[int]) -> None:
    found = quantiles(values)
    assert set(found.values()) <= set(values)
    assert (found["0"], found["100"]) == (min(values), max(values))
    assert list(found.values()) == sorted(found.values())
    below = sum(value <= found["25"] for value in values)
    assert below >= len(values) / 4
