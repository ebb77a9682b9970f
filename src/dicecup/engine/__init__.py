"""Exact turns, exact odds, solved games and trained evaluations.

The packages are named after what they calculate:

- `turn`: one turn of three throws, solved exactly. Both games and all sheets build on it.
- `sheets`: score sheets (columns of Yamm, Yahtzee, Yatzy) solved from their last cell backwards.
- `yam_master.rules`, `.exact`, `.evaluation`, `.training`: positions as integers, small boards and
  late positions solved, the trained evaluation with search and matches, and its training.
- `yamm.evaluation`, `.training`, `.bound`: the trained evaluation of a sheet with search and
  matches, its training, and the proof of an upper bound.
- `yam_master.stepping`, `yamm.stepping`, `stepping`: many games that an agent plays step by step.

A module `NAME_kernel.py` holds kernels, functions that are compiled, together with the constants
and named tuples that they use. `NAME.py` beside it holds the readable twin of these functions or
the Python code that calls them. Kernels work on arrays that are handed in; random numbers follow
from a seed or a key that is handed in, too.

`kernel` has the decorator of kernels. `native` is the library of kernels that are compiled ahead of
time.

Modules of this package itself: `cache` keeps arrays in the platform's cache folder, `tables_file`
reads and writes the files of trained tables, `progress` shows a progress bar, `sources` tells which
sources compiled code belongs to, `errors` has the error codes, and `python -m dicecup.engine.warm`
compiles all kernels. Importing the package imports neither NumPy nor Numba; `turn.value`,
`turn.lattice` and `turn.odds` need the standard library only.
"""
