"""Exact turns, exact odds, exact small games. Nothing is imported here: NumPy and Numba come only with what needs them.

**The exact turn.** What ending the turn with each of the 252 rolls after throw 1, 2 and 3 is worth goes in (minus infinity where
the turn cannot end), the value of the turn and of every keep comes out; a Défi, declared with the keep after throw 1, has two
such rows of its own, after throw 2 and 3. Higher is better; `kept_dice` is `KeptDice.FREE` or `LOCKED`.

- `turn.turn_values(ends, defi=None, kept_dice=…)` → `TurnValues` with `.value`, `.keep_value(…)`, `.choices(…)`, `.best(…)`:
  the readable twin, standard library only, 0.3 ms; exact with integers that are multiples of `turn.EXACT`.
- `fast.turn_values(ends, defi=None, kept_dice=…)`: the same by a kernel, some µs.
- `fast.expectations(stages, kept_dice=…)`: many turns, `stages` of shape (3 or 5, 252, turns), `float32` or `float64`.
  `fast.expectations_and_keeps`: with the values of all keeps.
- For other kernels: `kernels.turn.solve_turn` and `solve_turn_defi`, one row of lanes each, in arrays that the caller owns
  (`kernels.turn.rows_of_lanes`); `spread`, `choose` and the row operations of `kernels.lanes` where a turn has other stages.

**Odds** (standard library only). `odds.moment(game, dice=…, …)` is a point of a turn, `odds.probabilities(game, moment)` and
`odds.means(game, moment)` the best chance and the best mean for every figure or row, as fractions.

**Score sheets.** `sheets.sheet(name)` (the names in `sheets.SHEETS`) and `sheets.yamm("d1,u1")` are sheets as data;
`solver.solve(sheet)` solves one, `solver.solve_once(sheet)` keeps the table on disk. A `SolvedSheet` has `.value`, `.states`,
`.after(written)`, `.expected(place)`, `.turn(place)` (a `TurnValues`), `.cell(place, roll)` and `.play(games, seed)`.
`sections` says what a sheet is to the solver, `columns` makes sections of Yamm's columns, `plan` lays them out for the kernels.

**Around it.** `lattice` (standard library) says how keeps hang together, `tables` holds the same and the rolls as NumPy arrays.
`cache` keeps arrays in the platform's cache folder, `progress` shows a bar with the remaining time. `errors` has the codes.
`python -m dicecup.engine.warm` compiles all kernels.
"""
