"""`python -m dicecup.analysis.warm`: compile the kernels of players and analyses."""

import sys
from functools import partial
from typing import Final

from dicecup import games
from dicecup.engine import compiled
from dicecup.engine.compiled import Step, Steps
from dicecup.players import warm as players


def analyse_starts(game: str) -> None:
    """Analyse the first throw and the first decision of a game."""
    from dicecup.analysis.decisions import analyse, analyse_throw
    from dicecup.analysis.registry import by_tables

    for name, shown in players.POSITIONS:
        start = games.from_id(name).start()
        if start.game.name == game:
            evaluation = by_tables(start.game)
            analyse_throw(start, evaluation)
            analyse(start.roll(shown), evaluation, games=1)


ANALYSES: Final = tuple(Step(f"{game}-analysis", partial(analyse_starts, game)) for game in players.NEEDED)
STEPS: Final[Steps] = (players.STEPS[0], (*ANALYSES, *players.STEPS[1]))


def warm() -> None:
    """Compile or load in this process the kernels of players and analyses."""
    for group in STEPS:
        for step in group:
            step.run()


if __name__ == "__main__":
    compiled.take_missing(STEPS)
    sys.exit(0)
