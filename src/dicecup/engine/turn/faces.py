"""Random faces for kernels, which draw no random numbers themselves."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FACES
from dicecup.engine.arrays import Integers

THROWS: Final = 3
MOST_THROWN: Final = THROWS * DICE
"""The most dice that are thrown in a turn."""


class Faces:
    """Faces from 0 to 5 that follow from a seed, one after the other, however many are asked for at
    a time.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._faces: NDArray[np.int64] = np.empty(0, np.int64)
        self._used: NDArray[np.int64] = np.zeros(1, np.int64)

    def ready(self, most: int) -> tuple[Integers, Integers]:
        """Return at least `most` faces that have not fallen, and the number of used ones, (1,).

        A kernel raises that number by each face that falls.
        """
        left = self._faces[self._used[0] :]
        drawn = self._generator.integers(0, len(FACES), max(0, most - len(left)))
        self._faces = np.concatenate((left, drawn))
        self._used[0] = 0
        return self._faces, self._used
