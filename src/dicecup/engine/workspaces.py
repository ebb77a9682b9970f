"""The workspaces of kernels: arrays that Python makes and hands in.

A kernel that needs more than a few numbers to work in takes a named tuple of arrays. The function
beside the tuple makes it. The arrays begin as zeros, so that lanes without a turn hold finite
numbers. Calls that run at the same time need a workspace each; where making one takes long compared
with the call, `one_a_thread` keeps it for the next call of the thread.
"""

import functools
import threading
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

CACHE_LINE: Final = 64
"""Bytes."""
_Make = TypeVar("_Make", bound=Callable[..., Any])


def rows_of_lanes(rows: int, lanes: int, dtype: Any) -> NDArray[Any]:
    """Return an array (rows, lanes) of zeros that begins at a cache line, so that no row of 64
    bytes lies in two lines.
    """
    flat = np.zeros(rows * lanes + CACHE_LINE, dtype)
    skipped = (-flat.ctypes.data % CACHE_LINE) // flat.itemsize
    return flat[skipped : skipped + rows * lanes].reshape((rows, lanes))


def one_a_thread(make: _Make) -> _Make:
    """Return a function that calls `make` once in each thread for the same arguments.

    Its results belong to the thread. They hold nothing from one call of a kernel to the next.
    """
    kept = threading.local()

    @functools.wraps(make)
    def found(*arguments: Hashable) -> Any:
        try:
            return kept.made[arguments]
        except AttributeError:
            kept.made = {}
        except KeyError:
            pass
        made = kept.made[arguments] = make(*arguments)
        return made

    return cast(_Make, found)
