"""Sheets of which so little is left that what is to come is known: with one free column open and no other, or with one or two
ordered ones. `backward` solves them; the evaluation looks them up."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yamm.evaluation.columns import ORDERED, THREE, ends, graph, starts
from dicecup.yamm.rows import ROWS

MOST_KNOWN: Final = 2 * len(ROWS)
"""Cells that such a sheet has left, at most."""


class Known(NamedTuple):
    """`values`: the points to come by `known_at`, single precision; none where nothing is known; `full`: the 12 nodes of the full
    sheet; `upper`, `lower`, `end`: where the nodes of upper halves and of lower halves begin and where the latter end."""

    values: NDArray[np.float32]
    full: NDArray[np.int16]
    upper: int
    lower: int
    end: int


def known(values: NDArray[np.float32] | None = None) -> Known:
    """With these values; without them nothing is known."""
    upper, lower, end = int(starts()[ORDERED]), int(starts()[ORDERED + THREE]), len(graph().left)
    if values is None:
        return Known(np.zeros(0, np.float32), ends(), upper, lower, end)
    return Known(values, ends(), upper, lower, end)


def size() -> int:
    """How many values there are."""
    nothing = known()
    return nothing.upper**2 + (nothing.lower - nothing.upper) * (nothing.end - nothing.lower)
