"""Yam Master solved exactly: positions between turns as integers, and the value of each.

Positions are packed, and what follows from them is found, by `yam_master_play.rules`.

- `nodes`: sets of packed positions, found again by hashing, and the positions that follow from them.
- `values`: the value of every node of a set, given the values of those that follow.
- `space`: all nodes of a board, or of a position's closure, in the order in which they are solved.
- `size`: how many there will be.
- `decide`, `play`: what a solved space says about one decision, and games played with it.
"""
