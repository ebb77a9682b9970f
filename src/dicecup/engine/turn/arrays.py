"""The tables of `dicecup.core.dice` and of the lattice as NumPy arrays.

A roll is an index from 0 to 251, a keep one from 0 to 209, and a set of dice one from 0 to 461:
keeps first, then rolls.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import KEEPS, ROLLS
from dicecup.engine.turn.lattice import PLUS, UNIONS, WEIGHTS

FACE_COUNTS: Final[NDArray[np.int64]] = np.array([dice.counts for dice in KEEPS], dtype=np.int64)
"""How many dice of each set show 1, 2, … 6: shape (462, 6)."""
ROLL_COUNTS: Final[NDArray[np.int64]] = np.array([roll.counts for roll in ROLLS], dtype=np.int64)
"""How many dice of each roll show 1, 2, … 6: shape (252, 6)."""
ROLL_TOTALS: Final[NDArray[np.int64]] = np.array([roll.total for roll in ROLLS], dtype=np.int64)
"""The sum of each roll's faces: shape (252,)."""
ROLL_WEIGHTS: Final[NDArray[np.int64]] = np.array(WEIGHTS, dtype=np.int64)
"""The number of orders, of 7776, in which each roll falls: shape (252,)."""
UNION_ROWS: Final[NDArray[np.uint16]] = np.concatenate([np.array(row, dtype=np.uint16) for row in UNIONS])
"""`lattice.UNIONS`, one keep after the other."""
UNION_OFFSETS: Final[NDArray[np.int64]] = np.cumsum([0, *map(len, UNIONS)], dtype=np.int64)
"""Where each keep's part of `UNION_ROWS` begins: shape (211,)."""
MORE: Final[NDArray[np.int64]] = np.array(PLUS, dtype=np.int64)
"""For each keep the sets with one more die that shows 1, 2, … 6: shape (210, 6)."""
ROLL_KEEPS: Final[NDArray[np.int64]] = np.concatenate([[kept.index for kept in roll.keeps] for roll in ROLLS])
"""The keeps of each roll in the pinned order, one roll after the other: shape (4116,)."""
ROLL_KEEPS_AT: Final[NDArray[np.int64]] = np.cumsum([0, *(len(roll.keeps) for roll in ROLLS)], dtype=np.int64)
"""Where each roll's part of `ROLL_KEEPS` begins: shape (253,)."""
KEPT: Final[NDArray[np.int64]] = np.array([kept.count for kept in KEEPS], dtype=np.int64)
"""The number of dice in each set: shape (462,)."""
