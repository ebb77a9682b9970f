"""A growing set of nodes in the order in which they were found.

A node is a position between two turns without the side to move. Passing is always allowed, so
wherever one side can be to move the other one can too. A node is stored as the state
(`rules.state`) with x to move.
"""

from typing import Final

import numpy as np

from dicecup.engine.arrays import Integers
from dicecup.engine.yam_master.exact.nodes_kernel import MISSING, Slots, add_following, fill_slots, find, insert
from dicecup.engine.yam_master.rules.arrays import Rules

CHUNK: Final = 20_000
"""The most nodes that one call of a kernel handles, so that Ctrl-C works between calls."""


class Nodes:
    """A growing set of nodes.

    `keys[:count]`: the nodes. `slots`: a hash table with open addressing; each slot holds the index
    of a node in `keys`, or `MISSING`.
    """

    def __init__(self) -> None:
        self.count = 0
        self.keys: Integers = np.empty(16, np.int64)
        self.slots: Slots = np.full(32, MISSING, np.int32)

    def __len__(self) -> int:
        return self.count

    def add(self, key: int) -> None:
        """Add one node."""
        self._make_room(1)
        self.count = insert(self.keys, self.slots, self.count, key)

    def add_placed(self, rules: Rules, source: "Nodes", part: slice) -> None:
        """Add all nodes that follow from a part of `source` by placing one token."""
        self._add(rules, source, part, True)

    def add_removed(self, rules: Rules, source: "Nodes", part: slice) -> None:
        """Add all nodes that follow from a part of `source` by removing one token."""
        self._add(rules, source, part, False)

    def find(self, key: int) -> int:
        """Return the index of a node, or `MISSING`."""
        return int(find(self.keys, self.slots, key))

    def _add(self, rules: Rules, source: "Nodes", part: slice, placed: bool) -> None:
        """Add the nodes that follow from a part of `source` by placing or by removing a token."""
        done = part.start
        while done < part.stop:
            self._make_room(2 * rules.squares)
            stop = min(done + CHUNK, part.stop)
            done, self.count = add_following(rules, source.keys, done, stop, placed, self.keys, self.slots, self.count)

    def _make_room(self, more: int) -> None:
        """Make room for `more` nodes. The hash table is at most half full."""
        size = len(self.keys)
        while self.count + more > size:
            size *= 2
        if size > len(self.keys):
            keys = np.empty(size, np.int64)
            keys[: self.count] = self.keys[: self.count]
            self.keys, self.slots = keys, np.full(2 * size, MISSING, np.int32)
            fill_slots(keys, self.slots, self.count)
