"""Sets of nodes: in the order in which they were found, and found again by hashing.

A node is a position between two turns without the side to move: passing is always allowed, so wherever one side can be to move
the other one can too. It is a state of `yam_master_play.rules` with x to move.
"""

from typing import Final

import numpy as np

from dicecup.engine.yam_master.exact.nodes_kernel import MISSING, Integers, Slots, add_following, fill_slots, find, insert
from dicecup.engine.yam_master.rules.arrays import Rules

CHUNK: Final = 20_000
"""Nodes that one call of a kernel handles at most, so that Ctrl-C is heard."""


class Nodes:
    """A growing set of nodes. `keys[:count]`: the nodes; `slots`: for each hash value the place of a node, or `MISSING`."""

    def __init__(self) -> None:
        self.count = 0
        self.keys: Integers = np.empty(16, np.int64)
        self.slots: Slots = np.full(32, MISSING, np.int32)

    def __len__(self) -> int:
        return self.count

    def add(self, key: int) -> None:
        """One node."""
        self._make_room(1)
        self.count = insert(self.keys, self.slots, self.count, key)

    def add_placed(self, rules: Rules, source: "Nodes", part: slice) -> None:
        """All nodes that follow from a part of `source` by placing one token."""
        self._add(rules, source, part, True)

    def add_removed(self, rules: Rules, source: "Nodes", part: slice) -> None:
        """All nodes that follow from a part of `source` by removing one."""
        self._add(rules, source, part, False)

    def find(self, key: int) -> int:
        """The place of a node, or `MISSING`."""
        return int(find(self.keys, self.slots, key))

    def _add(self, rules: Rules, source: "Nodes", part: slice, placed: bool) -> None:
        done = part.start
        while done < part.stop:
            self._make_room(2 * rules.squares)
            stop = min(done + CHUNK, part.stop)
            done, self.count = add_following(rules, source.keys, done, stop, placed, self.keys, self.slots, self.count)

    def _make_room(self, more: int) -> None:
        """Room for `more` nodes: slots are at most half full."""
        size = len(self.keys)
        while self.count + more > size:
            size *= 2
        if size > len(self.keys):
            keys = np.empty(size, np.int64)
            keys[: self.count] = self.keys[: self.count]
            self.keys, self.slots = keys, np.full(2 * size, MISSING, np.int32)
            fill_slots(keys, self.slots, self.count)
