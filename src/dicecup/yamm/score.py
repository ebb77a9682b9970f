"""Column bonuses, the distance to the next bonus, and the bounds of a score
(docs/rules.md, Yamm)."""

from typing import Final, NamedTuple

BONUSES: Final = ((60, 60), (70, 100), (80, 150), (90, 300), (100, 600), (105, 1000))
"""Pairs of the smallest sum of rows 1 to 6 and its bonus, ascending."""
MOST_UPPER: Final = 105
"""The largest sum of rows 1 to 6: five dice of each face."""
FIRST_THROW_YAMM: Final = 100
"""Points for a turn that ends after its first throw with five equal dice."""

MOST_IN_COLUMN: Final = MOST_UPPER + 1000 + 30 + 29 + 50 + 50 + 80
"""The largest total of a column: rows 1 to 6, bonus, H, T, FH, ST and Y, 1344 points."""
MOST_ON_SHEET: Final = 9 * MOST_IN_COLUMN
"""The largest total of a sheet without first-throw Yamms: 12 096 points."""
MOST_IN_TOTAL: Final = 9 * (MOST_UPPER + 1000 + 30 + 25 + 50 + 0 + 80) + 99 * FIRST_THROW_YAMM
"""The largest grand total, with a first-throw Yamm in every turn: 21 510 points."""

_BONUS: Final = tuple(
    max((bonus for needed, bonus in BONUSES if upper >= needed), default=0) for upper in range(MOST_UPPER + 1)
)


class NextBonus(NamedTuple):
    """The next bonus of a column. `needed`: the sum of rows 1 to 6 for it; `missing`: the points
    from the present sum to `needed`.
    """

    needed: int
    bonus: int
    missing: int


def bonus(upper: int) -> int:
    """Return the bonus for a sum of rows 1 to 6 (0 to 105)."""
    return _BONUS[upper]


def next_bonus(upper: int, reach: int) -> NextBonus | None:
    """Return the next bonus above the bonus of the sum `upper`.

    Returns `None` if it needs more than `reach`, the largest sum that is still possible.
    """
    for needed, points in BONUSES:
        if needed > upper:
            return NextBonus(needed, points, needed - upper) if needed <= reach else None
    return None
