"""`python -m dicecup.players.warm`: compile the kernels of the engine and of the players."""

import sys

from dicecup import games
from dicecup.engine import warm as engine
from dicecup.players.levels import create, levels_for

POSITIONS = (("yam-master", "11235"), ("yamm", "11235"), ("yamm(players=1)", "11235"))
"""Game ids, each with a first throw."""


def warm() -> None:
    """Compile and cache all kernels: every level chooses once in each game."""
    engine.warm()
    for game, shown in POSITIONS:
        position = games.from_id(game).start().roll(shown)
        for level in levels_for(position.game):
            create(level).choose(position)


if __name__ == "__main__":
    warm()
    sys.exit(0)
