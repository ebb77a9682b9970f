"""The dice of a game that is played inside a kernel: a pure function of the seed, the game, the turn and the throw.

So every player gets the same dice in the same game, whatever it does and whoever else plays. A throw shows five faces; dice that are not
kept take the first of them. The mixing is SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators",
2014).
"""

from typing import Any

import numpy as np
from numba import njit

from dicecup.core.dice import DICE, FACES
from dicecup.engine.turn.lattice import PLUS

MORE = np.array(PLUS, dtype=np.int64)
"""The keep with one die more: shape (210, 6)."""
ORDERED = len(FACES) ** DICE


@njit(nogil=True, cache=True)
def mixed(number: Any) -> Any:
    """64 well-mixed bits of a 64-bit number."""
    bits = np.uint64(number) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@njit(nogil=True, cache=True)
def bits_of(seed: int, game: int, turn: int, throw: int) -> Any:
    """64 bits for one throw of one turn of one game; `throw` 0 to 2 are throws, others serve other draws."""
    number = mixed(np.uint64(seed)) ^ np.uint64(game)
    return mixed(mixed(number) ^ np.uint64(turn * 64 + throw))


@njit(nogil=True, cache=True)
def throw(bits: Any, keep: int, kept: int) -> int:
    """The roll, as an index among the 462 keeps, that follows when all dice but the `kept` ones of `keep` are thrown."""
    faces = np.int64((bits >> np.uint64(11)) % np.uint64(ORDERED))
    for _ in range(DICE - kept):
        keep = MORE[keep, faces % len(FACES)]
        faces //= len(FACES)
    return keep
