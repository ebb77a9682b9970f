"""Statistics of dice against published values, exact sums and counted rolls."""

from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.dice import NO_DICE, keep, roll
from dicecup.hosting.dice_statistics import chi_square_tail, dice_statistics, thrown_counts, wilson


@pytest.mark.parametrize(
    "value, freedom, tail",
    [(11.0705, 5, 0.05), (15.0863, 5, 0.01), (1.6103, 5, 0.9), (14.0671, 7, 0.05), (18.4753, 7, 0.01), (3.8415, 1, 0.05)],
)
def test_chi_square_equals_published_tables(value: float, freedom: int, tail: float) -> None:
    assert isclose(chi_square_tail(value, freedom), tail, abs_tol=2e-5)


def test_chi_square_is_1_at_0_and_0_far_out() -> None:
    assert chi_square_tail(0, 5) == 1
    assert chi_square_tail(1e4, 7) == 0


def test_the_interval_equals_a_published_example() -> None:
    """Compare with Newcombe 1998, table I: 81 of 263 → 0.2553 to 0.3662; 0 of 20 → 0 to 0.1611."""
    assert tuple(round(end, 4) for end in wilson(81, 263)) == (0.2553, 0.3662)
    assert tuple(round(end, 4) for end in wilson(0, 20)) == (0.0, 0.1611)
    assert wilson(0, 0) == (0, 1)


def test_the_interval_covers_the_true_share_in_95_percent() -> None:
    """Sum exactly over the binomial distribution of 600 fair dice."""
    bands = [wilson(count, 600) for count in range(601)]
    held = sum(comb(600, count) * 5 ** (600 - count) for count, (low, high) in enumerate(bands) if low <= 1 / 6 <= high)
    assert 0.94 < held / 6**600 < 0.96


@given(st.lists(st.integers(0, 10**9), min_size=6, max_size=6))
def test_any_counts_have_valid_statistics(counts: list[int]) -> None:
    found = dice_statistics(counts)
    assert found.total == sum(counts)
    assert [share.count for share in found.shares] == counts
    assert 0 <= found.p_value <= 1
    for share in found.shares:
        assert share.share is None if not found.total else share.low <= (share.share or 0.0) + 1e-12 <= share.high + 2e-12


def test_statistics_without_dice_have_no_shares() -> None:
    found = dice_statistics([0] * 6)
    assert (found.total, found.chi_square, found.p_value) == (0, 0, 1)
    assert {(share.share, share.low, share.high) for share in found.shares} == {(None, 0, 1)}


def test_loaded_dice_are_noticed() -> None:
    assert dice_statistics([1000, 1000, 1000, 1000, 1000, 1300]).p_value < 1e-6
    assert dice_statistics([1000, 1010, 990, 1020, 980, 1000]).p_value > 0.9


def test_kept_dice_are_not_counted_again() -> None:
    assert thrown_counts(roll("11346"), NO_DICE) == (2, 0, 1, 1, 0, 1)
    assert thrown_counts(roll("11346"), keep("11")) == (0, 0, 1, 1, 0, 1)
