"""The kernels of the verification, written plainly and apart from those of the search: one turn of
a block in double precision.

Every array is `LANES` states wide, so that the compiler vectorises the innermost loops. Sums are
taken in a fixed order.
"""

from typing import Final, NamedTuple

import numpy as np

from dicecup.core.dice import DICE, FACES, FIRST_ROLL, KEEPS, ROLLS, from_faces
from dicecup.engine.arrays import Floats, Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy
from dicecup.engine.workspaces import one_a_thread

LANES: Final = 64
KEEP_COUNT: Final = FIRST_ROLL
ROLL_COUNT: Final = len(ROLLS)
_FOLLOWING: Final = [(kept, rolled, weight) for kept in KEEPS[:KEEP_COUNT] for rolled, weight in kept.outcomes]
FOLLOWING_ROLL: Final = np.array([rolled.index - FIRST_ROLL for _, rolled, _ in _FOLLOWING])
"""The roll of each pair of a keep and a roll that can follow it, in the order of the
certificate.
"""
FOLLOWING_CHANCE: Final = np.array([weight / 6 ** (DICE - kept.count) for kept, _, weight in _FOLLOWING])
"""The probability of the roll after the keep."""
FOLLOWING_AT: Final = np.searchsorted([kept.index for kept, _, _ in _FOLLOWING], np.arange(KEEP_COUNT + 1))
"""Where each keep's pairs begin."""
ONE_MORE: Final = np.array([[from_faces((*kept.faces, face)).index for face in FACES] for kept in KEEPS[:KEEP_COUNT]])
"""Each keep with one more die."""
CHANCE: Final = np.array([rolled.weight / 6**DICE for rolled in ROLLS])
"""The probability of each roll when five dice are thrown."""
_PARTS: Final = [sorted({part.index for part in value.parts if part.count == value.count - 1}) for value in KEEPS]
ONE_LESS: Final = np.array([index for parts in _PARTS for index in parts])
"""The sets with one die less, one set of dice after the other."""
ONE_LESS_AT: Final = np.cumsum([0, *map(len, _PARTS)])
"""Where each set's part of `ONE_LESS` begins."""


class Workspace(NamedTuple):
    """The arrays in which `LANES` states are valued."""

    dice: Floats
    """(462, lanes) each set of dice."""
    keeps: Floats
    """(462, lanes) the keeps after throw 1."""
    gains: Floats
    """(252, lanes) of each roll."""
    written: Floats
    """(results, lanes) the gain of each result in a cell."""
    mean: Floats
    """(lanes,) the value of the turn."""


@one_a_thread
def workspace(results: int) -> Workspace:
    """Return the workspace of a thread, for cells with at most so many results."""
    sets = KEEP_COUNT + ROLL_COUNT
    dice, keeps, gains, written = (np.zeros((rows, LANES)) for rows in (sets, sets, ROLL_COUNT, results))
    return Workspace(dice, keeps, gains, written, np.zeros(LANES))


@kernel
def raise_to(value: Floats, other: Floats) -> None:
    """Set each lane to the larger of the two."""
    for lane in range(len(value)):
        value[lane] = max(other[lane], value[lane])


@kernel
def raise_to_excess(value: Floats, gain: Floats, price: float) -> None:
    """Set each lane to the larger of itself and of the gain less the price."""
    for lane in range(len(value)):
        left = gain[lane] - price
        value[lane] = max(left, value[lane])


@kernel
def add_excess(total: Floats, gain: Floats, price: float, chance: float) -> None:
    """Add the positive part of the gain less the price, times its probability."""
    for lane in range(len(total)):
        left = gain[lane] - price
        total[lane] += chance * (max(0.0, left))


@kernel
def add_weighted(total: Floats, value: Floats, chance: float) -> None:
    """Add the values, times their probability."""
    for lane in range(len(total)):
        total[lane] += chance * value[lane]


@kernel
def best_keeps(dice: Floats, gains: Floats, prices: Floats) -> None:
    """Set the rolls' rows of `dice` (462, lanes) to the best of passing (0), of ending at these
    prices, and of the keeps.

    The keeps are in the other rows, which become the best of their parts.
    """
    for index in range(1, KEEP_COUNT + ROLL_COUNT):
        if index >= KEEP_COUNT:
            dice[index, :] = 0.0
            raise_to_excess(dice[index], gains[index - KEEP_COUNT], prices[index - KEEP_COUNT])
        for at in range(ONE_LESS_AT[index], ONE_LESS_AT[index + 1]):
            raise_to(dice[index], dice[ONE_LESS[at]])


@kernel
def mean_keeps(dice: Floats) -> None:
    """Set the keeps' rows to the means over one more die."""
    for index in range(KEEP_COUNT - 1, -1, -1):
        dice[index, :] = 0.0
        for face in range(6):
            add_weighted(dice[index], dice[ONE_MORE[index, face]], 1 / 6)


@kernel
def one_turn(
    gains: Floats, kinds: Integers, first: Floats, second: Floats, third: Floats, dice: Floats, keeps: Floats, mean: Floats
) -> None:
    """Set `mean` (lanes) to the value of a turn for a block that may pass, given the gain of each
    roll (252, lanes).

    `dice` and `keeps`: 462 rows.
    """
    for kind in range(len(second)):
        for keep in range(KEEP_COUNT):
            dice[keep, :] = 0.0
            for at in range(FOLLOWING_AT[keep], FOLLOWING_AT[keep + 1]):
                add_excess(dice[keep], gains[FOLLOWING_ROLL[at]], third[kind, at], FOLLOWING_CHANCE[at])
        best_keeps(dice, gains, second[kind])
        mean_keeps(dice)
        for keep in range(KEEP_COUNT):
            if kinds[keep] == kind:
                copy(keeps[keep], dice[keep])
    best_keeps(keeps, gains, first)
    mean[:] = 0.0
    for roll in range(ROLL_COUNT):
        add_weighted(mean, keeps[KEEP_COUNT + roll], CHANCE[roll])


@kernel
def turn_of_states(
    states: Integers,
    begins: Integers,
    strides: Integers,
    classes: Integers,
    counts: Integers,
    steps: Integers,
    gains: Floats,
    later: Floats,
    now: Floats,
    kinds: Integers,
    first: Floats,
    second: Floats,
    third: Floats,
    slack: float,
    arrays: Workspace,
) -> None:
    """Write the values before one more turn for all states with the same open cells.

    `states` (n): their indices. `begins` (cells, n): where the moves of each state begin in `steps`
    and `gains`. `classes` (cells, 252): which of its `counts` results a roll gives in a cell. `now`
    becomes `later` plus the value of the turn plus `slack`.
    """
    dice, keeps, roll_gains, written, mean = arrays
    for at in range(0, len(states), LANES):
        roll_gains[:] = 0.0
        for cell in range(len(counts)):
            for lane in range(LANES):
                which = min(at + lane, len(states) - 1)
                state = states[which]
                for result in range(counts[cell]):
                    move = begins[cell, which] + result
                    written[result, lane] = gains[move] + (later[state + steps[move] * strides[cell]] - later[state])
            for roll in range(ROLL_COUNT):
                if cell == 0:
                    copy(roll_gains[roll], written[classes[cell, roll]])
                else:
                    raise_to(roll_gains[roll], written[classes[cell, roll]])
        one_turn(roll_gains, kinds, first, second, third, dice, keeps, mean)
        for lane in range(min(LANES, len(states) - at)):
            now[states[at + lane]] = later[states[at + lane]] + mean[lane] + slack
