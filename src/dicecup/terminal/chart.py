"""A curve as bars of block characters: eight steps a line, as many lines as there is room for."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Final

BLOCKS: Final = " ▁▂▃▄▅▆▇█"
STEPS: Final = len(BLOCKS) - 1


def bars(values: Sequence[float], low: float, high: float, width: int, height: int) -> list[str]:
    """The lines from the top, each `width` long: `low` is the bottom of the last one, `high` the top of the first. Values that
    are too many for the width are averaged, few ones are widened."""
    heights = [round((value - low) / (high - low) * height * STEPS) for value in spread(values, width)]
    return ["".join(BLOCKS[min(max(each - line * STEPS, 0), STEPS)] for each in heights) for line in range(height - 1, -1, -1)]


def spread(values: Sequence[float], width: int) -> list[float]:
    """As many values as there are columns."""
    found = []
    for column in range(width):
        first = floor(column * len(values) / width)
        part = values[first : max(first + 1, ceil((column + 1) * len(values) / width))]
        found.append(sum(part) / len(part))
    return found


def column_of(place: float, count: int, width: int) -> int:
    """The column in which the value at `place` of `count` stands."""
    return min(width - 1, floor((place + 0.5) * width / count))


def bounds(values: Sequence[float], step: float) -> tuple[float, float]:
    """The multiples of `step` between which all values lie; never the same."""
    low, high = floor(min(values) / step) * step, ceil(max(values) / step) * step
    return low, high if high > low else low + step
