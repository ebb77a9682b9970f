"""Computer players, weakest first: `create("greedy")` gives one, for either game."""

from dicecup.players.levels import LEVELS, LOOKS_BACK, create
from dicecup.players.player import Player

__all__ = ["LEVELS", "LOOKS_BACK", "Player", "create"]
