"""`python -m dicecup.analysis.warm`: compile the kernels of players, analysis and engine."""

import sys

from dicecup import games
from dicecup.analysis.decisions import analyse, analyse_throw
from dicecup.analysis.registry import by_tables
from dicecup.players import warm as players


def warm() -> None:
    """Analyse the first throw and the first decision of each game, so that all kernels are
    compiled."""
    players.warm()
    for game, shown in players.POSITIONS:
        start = games.from_id(game).start()
        evaluation = by_tables(start.game)
        analyse_throw(start, evaluation)
        analyse(start.roll(shown), evaluation, games=1)


if __name__ == "__main__":
    warm()
    sys.exit(0)
