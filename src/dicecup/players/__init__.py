"""Computer players, weakest first: `create("greedy")` gives one."""

from typing import Final

from dicecup.core.errors import GameError, TextCode
from dicecup.players.player import Player

LEVELS: Final = ("random", "greedy")
"""The names of the players, weakest first."""

__all__ = ["LEVELS", "Player", "create"]


def create(level: str, seed: str = "") -> Player:
    """The player of this level. `seed` feeds those that choose by chance. Raises `GameError` (`option-value`)."""
    if level == "random":
        from dicecup.players.random import RandomPlayer

        return RandomPlayer(seed)
    if level == "greedy":
        from dicecup.players.greedy import GreedyPlayer

        return GreedyPlayer()
    raise GameError(TextCode.OPTION_VALUE, option="player", value=level)
