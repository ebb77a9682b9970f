"""Computer players: `create("greedy")` gives one, for either game."""

from dicecup.players.levels import LEVELS, create
from dicecup.players.player import Corrects, Player

__all__ = ["LEVELS", "Corrects", "Player", "create"]
