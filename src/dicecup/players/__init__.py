"""Computer players: `create("greedy")` returns one, and `levels_for(game)` the levels of a game.

A player sees a position and nothing else. `player` says what a player is, `levels` creates players
by the name of their level, `random` and `greedy` play without trained tables, and `yam_master` and
`yamm` hold the players that use the tables in `tables/`.
"""

from dicecup.core.game import LEVELS
from dicecup.players.levels import create, levels_for
from dicecup.players.player import Corrects, Evaluates, Player

__all__ = ["LEVELS", "Corrects", "Evaluates", "Player", "create", "levels_for"]
