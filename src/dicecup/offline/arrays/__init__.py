"""Arrays for the page: the part of NumPy that the engine uses outside of its kernels.

There is no NumPy for Python in browsers that Dicecup could load. `install` makes this module the
module `numpy` of the process. The arrays lie in memory of the process, at addresses that kernels
take, and slices are views, as in NumPy. Every element that Python touches costs an operation of the
interpreter, so all work on many elements belongs to kernels.

What is here does the same as in NumPy: tests/offline/test_arrays.py compares both. What is not here
raises an error. Shapes are broadcast for scalars and missing first axes only.
"""

import sys
from math import inf
from types import ModuleType

from dicecup.offline.arrays.array import array, array_of, asarray, empty, ndarray
from dicecup.offline.arrays.functions import (
    arange,
    argsort,
    ascontiguousarray,
    bincount,
    concatenate,
    cumsum,
    full,
    isfinite,
    memmap,
    ones,
    repeat,
    unique,
    zeros,
)
from dicecup.offline.arrays.kinds import (
    bool_,
    dtype,
    float32,
    float64,
    floating,
    int8,
    int16,
    int32,
    int64,
    intp,
    uint8,
    uint16,
    uint32,
    uint64,
)

__all__ = [
    "arange",
    "argsort",
    "array",
    "array_of",
    "asarray",
    "ascontiguousarray",
    "bincount",
    "bool_",
    "concatenate",
    "cumsum",
    "dtype",
    "empty",
    "float32",
    "float64",
    "floating",
    "full",
    "inf",
    "install",
    "int8",
    "int16",
    "int32",
    "int64",
    "intp",
    "isfinite",
    "memmap",
    "ndarray",
    "ones",
    "repeat",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "zeros",
]


def install() -> None:
    """Make this package the module `numpy` of the process."""
    typing = ModuleType("numpy.typing")
    typing.__dict__["NDArray"] = ndarray
    sys.modules["numpy"] = sys.modules[__name__]
    sys.modules["numpy.typing"] = typing
