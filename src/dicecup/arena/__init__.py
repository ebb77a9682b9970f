"""Many games between computer players, to measure their strength.

- `simulate.simulate(game, player, …)`: games of one player, or games of a level against itself.
- `match.match(game, players, …)`: players against each other, on equal dice with seats exchanged.

Both take a `runner.Runner`, which plays the games in processes or on a cluster. The result depends
on the game, the players, the seed and the number of games only.
"""
