"""Yam Master solved exactly: small boards from their start, and late positions of the full board.

- `solve`: `solve_board` and `solve_position`, and their solutions.
- `nodes`, `nodes_kernel`: sets of packed positions, found again by hashing.
- `value_kernel`: the value of every node of a set, given the values of the nodes that follow.
- `space`: all nodes of a board, or of the closure of a position, in the order of solving.
- `size`: an upper limit of the number of nodes, known before anything is solved.
- `decision`: the values of all actions of one position. `play`, `play_kernel`: games played with a
  solution.
"""
