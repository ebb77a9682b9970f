"""A curve as bars of block characters. A line has eight steps."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Final

BLOCKS: Final = " ▁▂▃▄▅▆▇█"
STEPS: Final = len(BLOCKS) - 1


def bars(values: Sequence[float], low: float, high: float, width: int, height: int) -> list[str]:
    """Return the lines of a chart from the top, each `width` characters long.

    `low` is the bottom of the last line and `high` the top of the first. Values are averaged if
    they are more than `width`, and repeated if they are fewer.
    """
    heights = [round((value - low) / (high - low) * height * STEPS) for value in spread(values, width)]
    return ["".join(BLOCKS[min(max(each - line * STEPS, 0), STEPS)] for each in heights) for line in range(height - 1, -1, -1)]


def spread(values: Sequence[float], width: int) -> list[float]:
    """Return `width` values: each is the mean of the values that fall into its column."""
    found = []
    for column in range(width):
        first = floor(column * len(values) / width)
        part = values[first : max(first + 1, ceil((column + 1) * len(values) / width))]
        found.append(sum(part) / len(part))
    return found


def column_of(place: float, count: int, width: int) -> int:
    """Return the column of the value at index `place` of `count` values."""
    return min(width - 1, floor((place + 0.5) * width / count))


def bounds(values: Sequence[float], step: float) -> tuple[float, float]:
    """Return the multiples of `step` between which all values lie. The two differ."""
    low, high = floor(min(values) / step) * step, ceil(max(values) / step) * step
    return low, high if high > low else low + step
