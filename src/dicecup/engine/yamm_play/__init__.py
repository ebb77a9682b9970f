"""Players of Yamm that know what a sheet is worth: the evaluation, look-ahead, whole games and training, as compiled kernels.

A sheet is packed into 12 nodes (`nodes`, `pack`). `value` says what is still to come from them: nearly full sheets are `known`, solved
by `backward`, the others were learned. `turn` looks one exact turn ahead, `search` further, `win` turns points into the chance to
win; `play` plays many games side by side, `duel` those of two, `learn` and `train` learn from them; `store` reads and writes
the table.
"""
