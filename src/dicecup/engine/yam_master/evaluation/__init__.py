"""The trained evaluation of Yam Master, exact turns on it, search, and many games side by side.

- `model`: the weights of the network. `network_kernel`: its last layers as vector code.
- `values_kernel`: the value of every move of a state, by the network or by greed.
- `turns_kernel`: the exact turns of many states, solved and played. `dice_kernel`: dice that follow
  from a key.
- `search`, `search_kernel`: looking several turns ahead.
- `decisions`: the value of every action of a position. `regret`: the loss of a player in a turn.
- `match`: games between two players. `outlook`: games played on from many positions.

After a change of `model.HIDDEN` or `model.SECOND` remove the caches of Numba, which does not see
that constants of other modules have changed.
"""
