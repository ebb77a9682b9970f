"""Yam Master played well: an evaluation learned by self-play, an exact turn on it, search, and many games side by side.

- `rules`: a game's rules as arrays, positions as 64-bit states, ways to end a turn as slots.
- `model`, `layers`, `values`: the evaluation, and with it (or by greed) the value of every slot of a state.
- `turns`, `dice`: the exact turns of many states, dice that follow from a key, whole turns played.
- `match`: games between two players, `search`: looking several turns ahead, `decisions`: every action of a position and its loss,
  `regret`: what a turn gives away.
- `learning`, `training`, `train`: how the evaluation comes about.

Nothing is imported here. After a change of `model.HIDDEN` or `SECOND` remove Numba's caches: they don't see constants of other modules.
"""
