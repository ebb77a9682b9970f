"""Dice that follow from a key, and the decision about a roll.

A key stands for the dice and choices of one game. The same key, turn and throw give the same dice.
So games can be repeated, split over threads, or played again with seats exchanged, and a game does
not depend on the others.
"""

import math
from typing import Final

import numpy as np

from dicecup.core.dice import DICE, FIRST_ROLL, ROLLS
from dicecup.engine.arrays import Integers, Reals
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.splitmix_kernel import mix
from dicecup.engine.turn.arrays import FACE_COUNTS, KEPT, MORE, ROLL_KEEPS, ROLL_KEEPS_AT
from dicecup.engine.turn.value_kernel import KEEPS as KEEP_ROWS
from dicecup.engine.yam_master.evaluation.values_kernel import best_move
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_MOVES

MOST_OPTIONS: Final = 1 << 10
"""Codes below this end the turn with that move. From here on a code means a keep, and from twice
this on a keep with a Défi.
"""
MOST_CHOICES: Final = MOST_MOVES + 2 * max(len(roll.keeps) for roll in ROLLS)
"""The most moves and keeps to choose from, each keep also with a Défi."""
CHOICE: Final = 7
"""The number in place of a throw's number for the random number of a choice."""


def keys_of(seed: int, games: Integers) -> Integers:
    """Return the keys of these games of a series."""
    keys = np.empty(len(games), np.int64)
    write_keys(seed, games, keys)
    return keys


@kernel
def write_keys(seed: int, games: Integers, keys: Integers) -> None:
    """Write the keys of these games of a series."""
    for at in range(len(games)):
        keys[at] = np.int64(mix(mix(np.uint64(seed)) + np.uint64(games[at])) >> np.uint64(1))


@kernel
def bits(key: int, number: int, use: int) -> np.int64:
    """Return 32 bits for one use in one turn."""
    return np.int64(mix(mix(np.uint64(key)) ^ np.uint64(number * 16 + use)) >> np.uint64(32))


@kernel
def ordered_dice(key: int, number: int, throw: int, kept: int) -> int:
    """Return the roll (0 to 251) after this throw of the dice that are not in `kept` (an index of
    the 462 sets).
    """
    order = bits(key, number, throw) * 7776 >> 32
    for _ in range(DICE - KEPT[kept]):
        kept = MORE[kept, order % 6]
        order //= 6
    return kept - FIRST_ROLL


@kernel
def _contains(locked: int, kept: int) -> bool:
    """Return whether all locked dice are among the kept ones."""
    part = True
    for face in range(6):
        part &= FACE_COUNTS[locked, face] <= FACE_COUNTS[kept, face]
    return part


@kernel
def decide(
    rules: Rules,
    values: Reals,
    keeps: Reals,
    lane: int,
    throws: int,
    roll: int,
    stage: int,
    locked: int,
    temperature: float,
    key: int,
    number: int,
) -> int:
    """Return the code of the move or keep that is chosen with a roll.

    With temperature 0 it is the best: ending the turn first, then keeps in their order. Otherwise
    the probability of an action is proportional to exp(-loss / temperature), with its loss in win
    probability.
    """
    options, option_values = scratch(MOST_CHOICES, np.int64), scratch(MOST_CHOICES, values.dtype)
    squares = rules.squares
    held = rules.roll_class[stage, roll]
    count = 0
    if temperature == 0:
        options[0] = best_move(rules, values, held)
        option_values[0] = values[options[0]]
        count = 1
    else:
        options[0], option_values[0] = 2 * squares, values[2 * squares]
        count = 1
        for at in range(rules.class_first[held], rules.class_first[held + 1]):
            options[count], option_values[count] = rules.class_squares[at], values[rules.class_squares[at]]
            count += option_values[count] > -np.inf
        if rules.class_yam[held]:
            for move in range(squares, 2 * squares):
                options[count], option_values[count] = move, values[move]
                count += option_values[count] > -np.inf
    if throws < 3:
        row = (throws - 1 + (2 if stage == 2 else 0)) * KEEP_ROWS
        for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
            kept = ROLL_KEEPS[at]
            if locked == 0 or _contains(locked, kept):
                options[count], option_values[count] = MOST_OPTIONS + kept, keeps[row + kept, lane]
                count += 1
        if throws == 1:
            for at in range(ROLL_KEEPS_AT[roll], ROLL_KEEPS_AT[roll + 1]):
                kept = ROLL_KEEPS[at]
                options[count], option_values[count] = 2 * MOST_OPTIONS + kept, keeps[2 * KEEP_ROWS + kept, lane]
                count += 1
    best = 0
    for at in range(1, count):
        if option_values[at] > option_values[best]:
            best = at
    if temperature == 0:
        return int(options[best])
    total = 0.0
    for at in range(count):
        total += math.exp((option_values[at] - option_values[best]) / (2 * temperature))
    drawn = bits(key, number, CHOICE + throws) / 2.0**32 * total
    for at in range(count):
        drawn -= math.exp((option_values[at] - option_values[best]) / (2 * temperature))
        if drawn < 0:
            return int(options[at])
    return int(options[count - 1])
