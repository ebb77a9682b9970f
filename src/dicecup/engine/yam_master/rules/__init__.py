"""The rules of Yam Master for kernels.

- `arrays`: the board and the options of a game as arrays (`Rules`).
- `state`: a position between two turns packed into 64 bits, and moves, the ways to end a turn, as
  numbers. `state_kernel`: the same state read and changed inside kernels.
"""
