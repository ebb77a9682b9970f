"""One turn of at most three throws, solved exactly.

The input is the value of ending the turn with each of the 252 rolls after throw 1, 2 and 3 (minus
infinity where the turn cannot end). The output is the value of the turn and of every keep. A Défi,
which is declared with the keep after throw 1, has two rows of stop values of its own, after throws
2 and 3. Higher values are better.

- `value`: the readable twin, standard library only, about 0.3 ms a turn. It is exact with integers
  that are multiples of `value.EXACT`.
- `batch`: the same by kernels, some µs for one turn, and many turns at once.
- `value_kernel`: the turn kernels for other kernels to call, in arrays that the caller owns.
- `lanes`: the vector operations that the kernels consist of; one turn in each lane of a row.
- `lattice`: which keep follows from which by adding or removing a die. `arrays`: the same, and the
  dice tables, as NumPy arrays.
- `odds`: the best chance and the best mean for every figure or row, as fractions.
"""
