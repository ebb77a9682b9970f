"""Column bonuses, what is still missing to the next one, and the bounds of a score (RULES, Yamm, "A turn" and "Players and
order")."""

from typing import Final, NamedTuple

BONUSES: Final = ((60, 60), (70, 100), (80, 150), (90, 300), (100, 600), (105, 1000))
"""(sum of rows 1 to 6 that is needed, bonus)."""
MOST_UPPER: Final = 105
"""Five dice of every face in rows 1 to 6."""
FIRST_THROW_YAMM: Final = 100
"""Added to the grand total for a turn that ends after its first throw with five equal dice."""

MOST_IN_COLUMN: Final = MOST_UPPER + 1000 + 30 + 29 + 50 + 50 + 80
"""Rows 1 to 6, their bonus, H, T, FH, ST, Y: 1344."""
MOST_ON_SHEET: Final = 9 * MOST_IN_COLUMN
"""Nine columns without first-throw Yamms: 12 096."""
MOST_IN_TOTAL: Final = 9 * (MOST_UPPER + 1000 + 30 + 25 + 50 + 0 + 80) + 99 * FIRST_THROW_YAMM
"""The highest grand total, every turn a first-throw Yamm: 21 510."""

_BONUS: Final = tuple(
    max((bonus for needed, bonus in BONUSES if upper >= needed), default=0) for upper in range(MOST_UPPER + 1)
)


class NextBonus(NamedTuple):
    """`needed`: the sum of rows 1 to 6 that earns `bonus`; `missing`: points from the present sum to it."""

    needed: int
    bonus: int
    missing: int


def bonus(upper: int) -> int:
    """The bonus for this sum of rows 1 to 6 (0 to 105)."""
    return _BONUS[upper]


def next_bonus(upper: int, reach: int) -> NextBonus | None:
    """The lowest bonus above what the sum `upper` earns; None beyond `reach`, the highest sum still to be had."""
    for needed, points in BONUSES:
        if needed > upper:
            return NextBonus(needed, points, needed - upper) if needed <= reach else None
    return None
