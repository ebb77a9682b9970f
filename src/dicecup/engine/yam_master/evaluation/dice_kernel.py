"""Kernels: dice that follow from a key, and what is done with them.

A key stands for a game's dice and choices. The same key, turn and throw give the same dice, so games can be repeated, split over
threads, or played again with seats exchanged, and nothing depends on what else runs.
"""

import math
from typing import Any, Final

import numpy as np
from numba import njit

from dicecup.core.dice import DICE, FIRST_ROLL, KEEPS, ROLLS, from_faces
from dicecup.engine.turn.value_kernel import KEEPS as KEEP_ROWS
from dicecup.engine.yam_master.evaluation.values_kernel import best_slot
from dicecup.engine.yam_master.rules.arrays import Rules

KEEP_FIRST: Final = np.cumsum([0, *(len(roll.keeps) for roll in ROLLS)], dtype=np.int64)
"""Where each roll's part of `ROLL_KEEPS` begins: shape (253,)."""
ROLL_KEEPS: Final = np.array([kept.index for roll in ROLLS for kept in roll.keeps], np.int64)
"""What may be kept of each roll, in the pinned order."""
FACE_COUNTS: Final = np.array([kept.counts for kept in KEEPS], np.int64)
"""How many dice of each keep show 1, 2, … 6: shape (462, 6)."""
COUNTS: Final = np.array([kept.count for kept in KEEPS], np.int64)
"""How many dice each keep holds."""
ADDED: Final = np.array(
    [[from_faces((*kept.faces, face)).index if kept.count < DICE else 0 for face in range(1, 7)] for kept in KEEPS], np.int64
)
"""Each keep with one die more: shape (462, 6)."""

MOST_OPTIONS: Final = 1 << 10
"""Codes below end the turn with that slot; from here on a keep; from twice this on a keep with a Défi."""
CHOICE: Final = 7
"""Instead of a throw's number: the chance by which an erring player chooses."""


@njit(nogil=True, cache=True)
def mixed(word: Any) -> Any:
    """Sixty-four bits, thoroughly mixed (the finaliser of SplitMix64)."""
    word = np.uint64(word) + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(nogil=True, cache=True)
def keys_of(seed: int, games: Any) -> Any:
    """The keys of these games of a series."""
    keys = np.empty(len(games), np.int64)
    for at in range(len(games)):
        keys[at] = np.int64(mixed(mixed(np.uint64(seed)) + np.uint64(games[at])) >> np.uint64(1))
    return keys


@njit(nogil=True, cache=True)
def bits(key: Any, number: int, use: int) -> Any:
    """Thirty-two bits for one use in one turn."""
    return np.int64(mixed(mixed(np.uint64(key)) ^ np.uint64(number * 16 + use)) >> np.uint64(32))


@njit(nogil=True, cache=True)
def ordered_dice(key: int, number: int, throw: int, kept: int) -> Any:
    """The roll (0 to 251) after this throw of the dice that are not in `kept` (an index of the 462)."""
    order = bits(key, number, throw) * 7776 >> 32
    for _ in range(DICE - COUNTS[kept]):
        kept = ADDED[kept, order % 6]
        order //= 6
    return kept - FIRST_ROLL


@njit(nogil=True, cache=True)
def _part(locked: int, kept: int) -> bool:
    """Whether all locked dice are among those kept."""
    part = True
    for face in range(6):
        part &= FACE_COUNTS[locked, face] <= FACE_COUNTS[kept, face]
    return part


@njit(nogil=True, cache=True)
def decide(
    rules: Rules,
    values: Any,
    keeps: Any,
    lane: int,
    throws: int,
    roll: int,
    stage: int,
    locked: int,
    temperature: float,
    key: int,
    number: int,
    options: Any,
    worth: Any,
) -> Any:
    """What is done with a roll: the code of a slot or of a keep. With a temperature the choice is by chance, each action as likely as
    exp(-loss / temperature), its loss in win probability; otherwise the best, ending first, then keeps in their order."""
    squares = rules.squares
    held = rules.roll_class[stage, roll]
    count = 0
    if temperature == 0:
        options[0] = best_slot(rules, values, held)
        worth[0] = values[options[0]]
        count = 1
    else:
        options[0], worth[0] = 2 * squares, values[2 * squares]
        count = 1
        for at in range(rules.class_first[held], rules.class_first[held + 1]):
            options[count], worth[count] = rules.class_squares[at], values[rules.class_squares[at]]
            count += worth[count] > -np.inf
        if rules.class_yam[held]:
            for slot in range(squares, 2 * squares):
                options[count], worth[count] = slot, values[slot]
                count += worth[count] > -np.inf
    if throws < 3:
        row = (throws - 1 + (2 if stage == 2 else 0)) * KEEP_ROWS
        for at in range(KEEP_FIRST[roll], KEEP_FIRST[roll + 1]):
            kept = ROLL_KEEPS[at]
            if locked == 0 or _part(locked, kept):
                options[count], worth[count] = MOST_OPTIONS + kept, keeps[row + kept, lane]
                count += 1
        if throws == 1:
            for at in range(KEEP_FIRST[roll], KEEP_FIRST[roll + 1]):
                kept = ROLL_KEEPS[at]
                options[count], worth[count] = 2 * MOST_OPTIONS + kept, keeps[2 * KEEP_ROWS + kept, lane]
                count += 1
    best = 0
    for at in range(1, count):
        if worth[at] > worth[best]:
            best = at
    if temperature == 0:
        return options[best]
    total = 0.0
    for at in range(count):
        total += math.exp((worth[at] - worth[best]) / (2 * temperature))
    drawn = bits(key, number, CHOICE + throws) / 2.0**32 * total
    for at in range(count):
        drawn -= math.exp((worth[at] - worth[best]) / (2 * temperature))
        if drawn < 0:
            return options[at]
    return options[count - 1]
