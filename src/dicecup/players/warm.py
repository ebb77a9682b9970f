"""`python -m dicecup.players.warm`: compile what the computer players need, and the engine with it, once, at set-up."""

import sys

from dicecup import games
from dicecup.engine import warm as engine
from dicecup.players.levels import LEVELS, create

POSITIONS = (("yam-master", "11235"), ("yamm", "11235"), ("yamm(players=1)", "11235"))
"""A game and its first throw."""


def warm() -> None:
    """Every level chooses once in each game."""
    engine.warm()
    for game, shown in POSITIONS:
        position = games.from_id(game).start().roll(shown)
        for level in LEVELS:
            create(level).choose(position)


if __name__ == "__main__":
    warm()
    sys.exit(0)
