"""Players of Yamm that know what a sheet is worth: the evaluation, look-ahead, whole games and training, as compiled kernels.

A sheet is packed into 12 nodes (`nodes`, `pack`); `value` says what is still to come from them; `turn` looks one exact turn
ahead, `search` further; `play` plays many games side by side, `learn` trains on them; `store` reads and writes the table.
"""
