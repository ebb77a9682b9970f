"""Score sheets solved exactly: every state of a sheet played alone, from the last cell backwards.

- `section`: a part of a sheet as an automaton whose states are merged. `sheet`: a whole sheet.
- `columns`: the columns of Yamm. `published`: the sheets of Yahtzee, Kniffel and Yatzy whose
  optimum is published.
- `plan`: a sheet as arrays. `solver_kernel`: the kernels that solve and play it.
- `solver`: `solve(sheet)`, `solve_once(sheet)` with a table kept on disk, and the solution.
"""
