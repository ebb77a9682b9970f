"""The dice of games that kernels play: a function of the seed, the game, the turn and the throw.

So every player gets the same dice in the same game, whatever it does and whichever games are played
beside it. A throw shows five faces, and the dice that are not kept take the first of them.
"""

import numpy as np

from dicecup.core.dice import DICE, FACES
from dicecup.engine.kernel import kernel
from dicecup.engine.splitmix_kernel import mix
from dicecup.engine.turn.arrays import MORE

ORDERS = len(FACES) ** DICE
"""The number of orders of five dice."""


@kernel
def bits_of(seed: int, game: int, turn: int, throw: int) -> np.uint64:
    """Return 64 random bits for one throw of one turn of one game. `throw` 0 to 2 are throws,
    others serve other draws.
    """
    number = mix(np.uint64(seed)) ^ np.uint64(game)
    return mix(mix(number) ^ np.uint64(turn * 64 + throw))


@kernel
def throw(bits: np.uint64, keep: int, kept: int) -> int:
    """Return the set of dice (an index of the 462) after throwing all dice but the `kept` ones of
    `keep`.
    """
    faces = np.int64((bits >> np.uint64(11)) % np.uint64(ORDERS))
    for _ in range(DICE - kept):
        keep = MORE[keep, faces % len(FACES)]
        faces //= len(FACES)
    return keep
