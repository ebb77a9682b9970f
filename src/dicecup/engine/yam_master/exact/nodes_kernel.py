"""The hash table of nodes (see `nodes`), and the nodes that follow from others."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.arrays import Integers
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import scratch
from dicecup.engine.yam_master.rules.arrays import Rules
from dicecup.engine.yam_master.rules.state import MOST_LINES, SIDE
from dicecup.engine.yam_master.rules.state_kernel import (
    after_state,
    ends_by_supply,
    line_change,
    line_contents,
    opposing_of,
    own_of,
    own_supply,
)

Slots = NDArray[np.int32]

MISSING: Final = -1
_SPREAD: Final = -7046029254386353131
"""The golden ratio times 2**64, as a signed number: an odd multiplier that spreads neighbouring
nodes.
"""


@kernel
def node_of(state: int) -> int:
    """Return the state with x to move."""
    return state & ~(1 << SIDE)


@kernel
def first_slot(slots: Slots, key: int) -> int:
    """Return the slot at which the search for a node begins."""
    spread = key * _SPREAD
    return (spread ^ spread >> 32) & (len(slots) - 1)


@kernel
def find(keys: Integers, slots: Slots, key: int) -> int:
    """Return the index of a node among `keys`, or `MISSING`."""
    slot = first_slot(slots, key)
    while True:
        at = slots[slot]
        if at == MISSING or keys[at] == key:
            return int(at)
        slot = (slot + 1) & (len(slots) - 1)


@kernel
def insert(keys: Integers, slots: Slots, count: int, key: int) -> int:
    """Add a node to `keys` unless it is present. Return the new number of nodes."""
    slot = first_slot(slots, key)
    while slots[slot] != MISSING:
        if keys[slots[slot]] == key:
            return count
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = count
    keys[count] = key
    return count + 1


@kernel
def fill_slots(keys: Integers, slots: Slots, count: int) -> None:
    """Enter all nodes into an empty hash table."""
    for at in range(count):
        slot = first_slot(slots, keys[at])
        while slots[slot] != MISSING:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = at


@kernel
def add_following(
    rules: Rules, source: Integers, start: int, stop: int, placed: bool, keys: Integers, slots: Slots, count: int
) -> tuple[int, int]:
    """Add the nodes that follow from `source[start:stop]` by placing or by removing a token.

    Only nodes with which the game goes on are added.

    The kernel stops early when the next node might not find room. Return where it stopped, and the
    new count.
    """
    lines = scratch(MOST_LINES, np.int64)
    for at in range(start, stop):
        if count + 2 * rules.squares > len(keys):
            return at, count
        for side in range(2):
            state = source[at] | side << SIDE
            own, opposing, supply = own_of(state), opposing_of(state), own_supply(state)
            if supply == 0 or ends_by_supply(rules, state, supply - 1 if placed else supply):
                continue
            if placed:
                line_contents(rules, own, lines)
            for square in range(rules.squares):
                if placed:
                    if (own | opposing) >> square & 1 or line_change(rules, lines, square)[1]:
                        continue
                    count = insert(keys, slots, count, node_of(after_state(rules, state, square)))
                elif opposing >> square & 1:
                    count = insert(keys, slots, count, node_of(after_state(rules, state, square + rules.squares)))
    return stop, count
