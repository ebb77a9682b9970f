"""Lookups in the endgame table."""

import numpy as np

from dicecup.engine.arrays import Shorts
from dicecup.engine.kernel import kernel
from dicecup.engine.yamm.evaluation.columns import COLUMNS_PER_ORDER, ORDERED, PLACES
from dicecup.engine.yamm.evaluation.endgame import Endgame


@kernel
def open_columns(endgame: Endgame, nodes: Shorts) -> int:
    """Return the number of columns with open cells."""
    count = 0
    for place in range(ORDERED + COLUMNS_PER_ORDER):
        lower = place + COLUMNS_PER_ORDER if place >= ORDERED else place
        count += nodes[place] != endgame.full[place] or nodes[lower] != endgame.full[lower]
    return count


@kernel
def endgame_index(endgame: Endgame, nodes: Shorts) -> int:
    """Return the index of a sheet's value, -1 where the table does not have it."""
    if len(endgame.values) == 0:
        return -1
    full = endgame.full
    free, one, other = -1, full[0], full[0]
    for place in range(ORDERED, PLACES):
        if nodes[place] != full[place]:
            upper = ORDERED + place % COLUMNS_PER_ORDER
            if free >= 0 and free != upper:
                return -1
            free = upper
    for place in range(ORDERED):
        if nodes[place] != full[place]:
            if free >= 0 or one != full[0]:
                return -1
            one, other = other, nodes[place]
    return ordered_at(endgame, one, other) if free < 0 else free_at(endgame, nodes[free], nodes[free + COLUMNS_PER_ORDER])


@kernel
def ordered_at(endgame: Endgame, one: int, other: int) -> int:
    """Return the index of the sheet with at most two ordered columns open."""
    return min(one, other) * endgame.upper + max(one, other)


@kernel
def free_at(endgame: Endgame, upper: int, lower: int) -> int:
    """Return the index of the sheet with these halves of one free column."""
    return endgame.upper**2 + (upper - endgame.upper) * (endgame.end - endgame.lower) + lower - endgame.lower


@kernel
def column_value(endgame: Endgame, nodes: Shorts, place: int) -> np.float32:
    """Return the value of the column of this place alone; 0 where the table is empty."""
    if len(endgame.values) == 0:
        return np.float32(0)
    if place < ORDERED:
        return endgame.values[ordered_at(endgame, endgame.full[0], nodes[place])]
    upper = ORDERED + place % COLUMNS_PER_ORDER
    return endgame.values[free_at(endgame, nodes[upper], nodes[upper + COLUMNS_PER_ORDER])]


@kernel
def column_values(endgame: Endgame, nodes: Shorts) -> np.float32:
    """Return the sum of `column_value` over all columns."""
    total = np.float32(0)
    for place in range(ORDERED + COLUMNS_PER_ORDER):
        total += column_value(endgame, nodes, place)
    return total
