"""The tables of `core.dice` and of the lattice as NumPy arrays."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import ROLLS
from dicecup.engine.lattice import UNIONS, WEIGHTS

ROLL_COUNTS: Final[NDArray[np.int64]] = np.array([roll.counts for roll in ROLLS], dtype=np.int64)
"""How many dice of each roll show 1, 2, … 6: shape (252, 6)."""
ROLL_TOTALS: Final[NDArray[np.int64]] = np.array([roll.total for roll in ROLLS], dtype=np.int64)
"""The sum of each roll's faces: shape (252,)."""
ROLL_WEIGHTS: Final[NDArray[np.int64]] = np.array(WEIGHTS, dtype=np.int64)
"""In how many of 7776 orders each roll falls: shape (252,)."""
UNION_ROWS: Final[NDArray[np.uint16]] = np.concatenate([np.array(row, dtype=np.uint16) for row in UNIONS])
"""`lattice.UNIONS`, one keep after the other."""
UNION_OFFSETS: Final[NDArray[np.int64]] = np.cumsum([0, *map(len, UNIONS)], dtype=np.int64)
"""Where each keep's part of `UNION_ROWS` begins: shape (211,)."""
