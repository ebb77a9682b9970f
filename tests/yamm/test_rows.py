from fractions import Fraction

import pytest

from dicecup.core.dice import ROLLS, roll
from dicecup.yamm.rows import POSSIBLE, ROWS, UPPER, VALUES, YAMM_VALUES, YAMMS, Row, value


@pytest.mark.parametrize(
    "row, dice, points",
    [
        ("1", "11235", 2),
        ("1", "23456", 0),
        ("3", "13335", 9),
        ("6", "66666", 30),
        ("H", "11234", 11),
        ("T", "11234", 11),
        ("H", "66666", 30),
        ("FH", "22233", 32),
        ("FH", "22333", 33),
        ("FH", "11166", 50),
        ("FH", "11666", 40),
        ("FH", "11111", 50),
        ("FH", "22222", 30),
        ("FH", "66666", 50),
        ("FH", "22223", 0),
        ("FH", "11223", 0),
        ("ST", "12345", 45),
        ("ST", "23456", 50),
        ("ST", "12346", 0),
        ("ST", "11111", 0),
        ("Y", "11111", 80),
        ("Y", "22222", 50),
        ("Y", "66666", 70),
        ("Y", "66665", 0),
    ],
)
def test_a_roll_has_its_points_in_a_row(row: str, dice: str, points: int) -> None:
    assert value(Row(row), roll("".join(sorted(dice)))) == points


def test_rows_are_listed_from_the_top() -> None:
    assert " ".join(ROWS) == "1 2 3 4 5 6 H T FH ST Y"
    assert " ".join(UPPER) == "1 2 3 4 5 6"


@pytest.mark.parametrize("row, chance", [("FH", (17, 432)), ("ST", (5, 162)), ("Y", (1, 1296))])
def test_a_result_holds_in_its_share_of_throws(row: str, chance: tuple[int, int]) -> None:
    held = sum(shown.weight for shown in ROLLS if value(Row(row), shown))
    assert Fraction(held, 6**5) == Fraction(*chance)


def test_tables_agree_with_each_other() -> None:
    assert len(YAMMS) == 6
    for row in ROWS:
        assert POSSIBLE[row] == {value(row, shown) for shown in ROLLS} == set(VALUES[row])
        assert YAMM_VALUES[row] == {value(row, shown) for shown in YAMMS}
    assert YAMM_VALUES[Row.FULL_HOUSE] == {50, 30, 35, 40, 45}
