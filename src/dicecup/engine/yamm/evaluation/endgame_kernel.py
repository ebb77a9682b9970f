"""Sheets of which so little is left that what is to come is known: with one free column open and no other, or with one or two
ordered ones. `backward` solves them; the evaluation looks them up."""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.yamm.evaluation.columns import ORDERED, PLACES, THREE


@njit(nogil=True, cache=True)
def open_columns(known: Any, nodes: Any) -> int:
    """How many columns have cells left."""
    count = 0
    for place in range(ORDERED + THREE):
        lower = place + THREE if place >= ORDERED else place
        count += nodes[place] != known.full[place] or nodes[lower] != known.full[lower]
    return count


@njit(nogil=True, cache=True)
def known_at(known: Any, nodes: Any) -> Any:
    """The number of a sheet; -1 where it is not known."""
    if len(known.values) == 0:
        return -1
    full = known.full
    free, one, other = -1, full[0], full[0]
    for place in range(ORDERED, PLACES):
        if nodes[place] != full[place]:
            upper = ORDERED + place % THREE
            if free >= 0 and free != upper:
                return -1
            free = upper
    for place in range(ORDERED):
        if nodes[place] != full[place]:
            if free >= 0 or one != full[0]:
                return -1
            one, other = other, nodes[place]
    return ordered_at(known, one, other) if free < 0 else free_at(known, nodes[free], nodes[free + THREE])


@njit(nogil=True, cache=True)
def ordered_at(known: Any, one: int, other: int) -> Any:
    """The number of the sheet with two ordered columns open, or fewer."""
    return min(one, other) * known.upper + max(one, other)


@njit(nogil=True, cache=True)
def free_at(known: Any, upper: int, lower: int) -> Any:
    """The number of the sheet with these halves of one free column."""
    return known.upper**2 + (upper - known.upper) * (known.end - known.lower) + lower - known.lower


@njit(nogil=True, cache=True)
def column_value(known: Any, nodes: Any, place: int) -> Any:
    """What the column that this place belongs to would bring by itself; 0 where nothing is known."""
    if len(known.values) == 0:
        return np.float32(0)
    if place < ORDERED:
        return known.values[ordered_at(known, known.full[0], nodes[place])]
    upper = ORDERED + place % THREE
    return known.values[free_at(known, nodes[upper], nodes[upper + THREE])]


@njit(nogil=True, cache=True)
def column_values(known: Any, nodes: Any) -> Any:
    """The sum over all columns."""
    total = np.float32(0)
    for place in range(ORDERED + THREE):
        total += column_value(known, nodes, place)
    return total
