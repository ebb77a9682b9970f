"""Observations and masks as NumPy arrays, and what all environments pickle."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dicecup import __version__
from dicecup.core.errors import GameError, TextCode
from dicecup.envs.encoding import LAYOUT_VERSION, Encoding
from dicecup.envs.errors import EnvsCode, EnvsError

DTYPES: Final = ("float32", "uint8")
"""The types of observations: each byte divided by its highest value, or the bytes themselves."""
VERSION: Final = f"{__version__} (layout {LAYOUT_VERSION})"
"""What a pickled environment must have been written by."""


class Arrays:
    """The arrays of one encoding in one type. Raises `GameError` (`option-value`) for another
    type."""

    def __init__(self, encoding: Encoding, dtype: str) -> None:
        if dtype not in DTYPES:
            raise GameError(TextCode.OPTION_VALUE, option="dtype", value=dtype)
        self.dtype = dtype
        self.actions = encoding.actions
        self.highs = np.frombuffer(encoding.layout.highs, np.uint8)

    @property
    def high(self) -> NDArray[Any]:
        """Return the highest value of each number of an observation."""
        return self.highs.copy() if self.dtype == "uint8" else np.ones(len(self.highs), np.float32)

    def observation(self, observed: bytes) -> NDArray[Any]:
        """Return an observation as a new array."""
        values = np.frombuffer(observed, np.uint8)
        return values.copy() if self.dtype == "uint8" else values.astype(np.float32) / self.highs

    def mask(self, legal: list[int]) -> NDArray[np.int8]:
        """Return a new array with 1 for each allowed action and 0 for the others."""
        mask = np.zeros(self.actions, np.int8)
        mask[legal] = 1
        return mask


def pickled(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of an environment with its version."""
    return {"version": VERSION, "state": dict(state)}


def unpickled(pickle: Any) -> dict[str, Any]:
    """Return the state of a pickled environment. Raises `EnvsError` (`pickle-version`)."""
    version = pickle.get("version") if isinstance(pickle, dict) else None
    if version != VERSION:
        raise EnvsError(EnvsCode.PICKLE_VERSION, version=version or "?", expected=VERSION)
    state: dict[str, Any] = pickle["state"]
    return state
