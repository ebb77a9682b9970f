"""Exact turns, exact odds, exact small games. Nothing is imported here: NumPy and Numba come only with what needs them.

The exact turn. What ending the turn with each of the 252 rolls after throw 1, 2 and 3 is worth goes in (minus infinity where the
turn cannot end), the value of the turn and of every keep comes out; a Défi, declared with the keep after throw 1, has two such
rows of its own, after throw 2 and 3. Higher is better; `kept_dice` is `KeptDice.FREE` or `LOCKED`.

- `turn.turn_values(ends, defi=None, kept_dice=…)` → `TurnValues` with `.value`, `.keep_value(…)`, `.choices(…)`, `.best(…)`:
  the readable twin, standard library only, 0.3 ms; exact with integers that are multiples of `turn.EXACT`.
- `fast.turn_values(ends, defi=None, kept_dice=…)`: the same by a kernel, a few µs.
- `fast.expectations(stages, kept_dice=…)`: many turns, `stages` of shape (3 or 5, 252, turns), `float32` or `float64`.
  `fast.expectations_and_keeps`: with the values of all keeps.
- For other kernels: `kernels.turn.solve_turn` and `solve_turn_defi`, one row of lanes each, in arrays that the caller owns
  (`kernels.turn.rows_of_lanes`).

Tables. `lattice` (standard library) says how keeps hang together, `tables` holds the same and the rolls as NumPy arrays.

`python -m dicecup.engine.warm` compiles all kernels; at set-up, so that nothing is slow at first use.
"""
