"""`python -m dicecup.analysis.warm`: compile what players and analysis need, and the engine with it, once, at set-up."""

import sys

from dicecup import games
from dicecup.analysis.decisions import analyse, outlook
from dicecup.analysis.evaluation import by_tables
from dicecup.players import warm as players


def warm() -> None:
    """The first throw of each game and what it leaves to decide are analysed, with a game that is played on."""
    players.warm()
    for game, shown in players.POSITIONS:
        start = games.from_id(game).start()
        evaluation = by_tables(start.game)
        outlook(start, evaluation)
        analyse(start.roll(shown), evaluation, games=1)


if __name__ == "__main__":
    warm()
    sys.exit(0)
