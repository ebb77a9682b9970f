import pytest

from dicecup.yamm.score import MOST_IN_COLUMN, MOST_IN_TOTAL, MOST_ON_SHEET, NextBonus, bonus, next_bonus


@pytest.mark.parametrize(
    "upper, points",
    [
        (0, 0), (59, 0), (60, 60), (69, 60), (70, 100), (79, 100), (80, 150), (89, 150),
        (90, 300), (99, 300), (100, 600), (104, 600), (105, 1000),
    ],
)  # fmt: skip
def test_the_bonus_follows_from_the_upper_sum(upper: int, points: int) -> None:
    assert bonus(upper) == points


@pytest.mark.parametrize(
    "upper, reach, expected",
    [
        (0, 105, NextBonus(60, 60, 60)),
        (59, 60, NextBonus(60, 60, 1)),
        (59, 59, None),
        (60, 70, NextBonus(70, 100, 10)),
        (104, 105, NextBonus(105, 1000, 1)),
        (105, 105, None),
    ],
)
def test_the_next_bonus_is_the_first_in_reach(upper: int, reach: int, expected: NextBonus | None) -> None:
    assert next_bonus(upper, reach) == expected


def test_bounds_are_the_documented_ones() -> None:
    assert (MOST_IN_COLUMN, MOST_ON_SHEET, MOST_IN_TOTAL) == (1344, 12_096, 21_510)
