"""Array types of the kernels by their element type."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Shorts: TypeAlias = NDArray[np.int16]
"""Nodes of packed sheets, and what is stored beside them."""
