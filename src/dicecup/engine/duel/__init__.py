"""Yam Master solved exactly: positions between turns as integers, what follows from them, and the value of each.

- `rules`: the rules of one game as arrays, read off the game itself; `pack` and `unpack`, the only way in and out.
- `follow`: what a square, a removal and a pass lead to, as in `dicecup.yam_master.position`.
- `nodes`: sets of packed positions, found again by hashing, and the positions that follow from them.
- `values`: the value of every node of a set, given the values of those that follow.
- `space`: all nodes of a board, or of a position's closure, in the order in which they are solved.
- `decide`, `play`: what a solved space says about one decision, and games played with it.
"""
