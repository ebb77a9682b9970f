"""What kernels write for an agent at each decision of a turn: the legal keeps and the dice."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL
from dicecup.core.turn import THROWS
from dicecup.engine.arrays import Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.splitmix_kernel import mix
from dicecup.engine.turn.arrays import FACE_COUNTS, ROLL_KEEPS, ROLL_KEEPS_AT

FACES: int = FACE_COUNTS.shape[1]
TURN_BYTES = THROWS + 1 + 2 * FACES
"""The bytes that describe a turn: the number of throws (one bit for each of 0 to 3), the dice on
the table by face, and the locked dice by face."""
Bytes = NDArray[np.uint8]


@kernel
def contains(kept: int, locked: int) -> bool:
    """Return whether the dice of the set `locked` are among those of `kept` (indexes of the 462
    sets)."""
    part = True
    for face in range(FACES):
        part &= FACE_COUNTS[locked, face] <= FACE_COUNTS[kept, face]
    return part


@kernel
def write_keeps(mask: Any, throws: int, roll: int, locked: int) -> None:
    """Set the legal keeps in a mask of 210 bytes and clear the others.

    `roll`: 0 to 251. `locked`: the dice that must stay, 0 for none.
    """
    mask[:] = 0
    if throws < THROWS:
        for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
            keep = ROLL_KEEPS[at]
            if locked == 0 or contains(keep, locked):
                mask[keep] = 1


@kernel
def write_turn(observation: Any, throws: int, roll: int, locked: int) -> None:
    """Write the TURN_BYTES of a decision."""
    observation[: THROWS + 1] = 0
    observation[throws] = 1
    for face in range(FACES):
        observation[THROWS + 1 + face] = FACE_COUNTS[FIRST_ROLL + roll, face]
        observation[THROWS + 1 + FACES + face] = FACE_COUNTS[locked, face]


@kernel
def draw(masks: Any, seed: int, number: int, actions: Integers) -> None:
    """Draw a legal action in each game, all equally likely. Where there is none, write 0.

    `masks` (games, actions). `number`: a new one for each draw of a series.
    """
    for at in range(len(masks)):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[at, action]
        actions[at] = 0
        if legal == 0:
            continue
        bits = mix(mix(np.uint64(seed) + np.uint64(number)) ^ np.uint64(at)) >> np.uint64(32)
        left = np.int64((bits * np.uint64(legal)) >> np.uint64(32))
        for action in range(masks.shape[1]):
            if masks[at, action]:
                if left == 0:
                    actions[at] = action
                    break
                left -= 1
