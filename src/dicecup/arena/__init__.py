"""Many games between computer players, and what they say about strength: `simulate` and `match`, on
all cores or a cluster.

- `simulate.sheets(player, …)`: Yamm alone; `simulate.self_play(game, player, …)`: a player against
  itself.
- `match.match(game, players, …)`: players against each other on equal dice, seats exchanged.

Both take a `runner.Runner` that says where the games are played. The result depends on the game,
the players, the seed and the number of games only, never on where or by how many processes they are
played.
"""
