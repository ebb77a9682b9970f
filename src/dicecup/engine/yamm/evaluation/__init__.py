"""The trained evaluation of a sheet of Yamm, exact turns on it, search, and whole games.

- `columns`: the states of a column as a graph. `pack`: a sheet as 12 nodes of this graph.
- `value`, `value_kernel`: the points that are still to come from a sheet, by the trained weights.
- `endgame`, `endgame_kernel`: nearly full sheets, whose values are looked up. `endgame_solver`:
  their values, calculated backwards.
- `turn_kernel`: one exact turn on the evaluation. `search_kernel`: several turns ahead.
  `deepening`: deeper and deeper within a limit.
- `win_kernel`: points turned into the probability to win.
- `decisions`: the value of every action of a position, and corrections.
- `dice_kernel`, `play_kernel`, `duel_kernel`: whole games of one sheet, and of two; `simulate`
  calls them. `table`: the file with the trained weights.
"""
