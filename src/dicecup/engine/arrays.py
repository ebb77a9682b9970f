"""Array types of the kernels by their element type."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.floating[Any]]
"""Arrays of kernels that work in single and in double precision."""
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = NDArray[np.uint16]
"""Indices of rows, one for each roll and choice."""
Shorts: TypeAlias = NDArray[np.int16]
"""Nodes of packed sheets, and the rows and classes that are stored with them."""
