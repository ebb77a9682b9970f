"""`python -m dicecup.arena.warm`: compile all kernels: those of `dicecup.analysis.warm`, and those
of solved sheets, simulations, matches, trainings, bounds and batches for learning agents.
"""

import sys
from functools import partial
from typing import Final

from dicecup.analysis import warm as analysis
from dicecup.arena.block import Series
from dicecup.arena.games import simulator_of
from dicecup.engine import compiled
from dicecup.engine import warm as engine
from dicecup.engine.compiled import Step, Steps

SERIES = (("yam-master", ("expert", "greedy")), ("yamm(players=1)", ("expert",)))
"""Game ids, each with levels that play in kernels."""


def warm_arenas() -> None:
    """Play a game of each series in kernels, and some games of Yamm for two."""
    from dicecup.engine.yamm.evaluation.simulate import FOR_POINTS, Side, duel
    from dicecup.players.yamm import table

    for game, levels in SERIES:
        simulator_of(Series(game, levels, "1", cap=2))
    duel(table(), 1, 0, (Side(moving=FOR_POINTS), Side(moving=FOR_POINTS)))


def warm_trainings() -> None:
    """Train each game for one step."""
    from dicecup.engine.yam_master.evaluation.model import new_model
    from dicecup.engine.yam_master.training.self_play import SelfPlay
    from dicecup.engine.yamm.evaluation.endgame_solver import solve_endgame
    from dicecup.engine.yamm.training.train import Training
    from dicecup.yam_master import BOARD, YamMaster

    SelfPlay(YamMaster(), new_model(BOARD, 1), 1).step(0.0)
    Training.fresh(1, solve_endgame(1)).round(0.0)


def warm_bounds() -> None:
    """Take one step of the search for prices of one column of Yamm, and verify its bound."""
    from dicecup.core.dice import FIRST_ROLL
    from dicecup.engine.yamm.bound.certificate import flat
    from dicecup.engine.yamm.bound.search import tighten
    from dicecup.engine.yamm.bound.verify import bound

    prices = flat({"d": 1}, {"d": 1}, [0, 10], [0] * FIRST_ROLL)
    bound(tighten(prices, 0.0, 1, lambda _done, _best: None))


def warm_batches() -> None:
    """Play a step in batches for learning agents."""
    from dicecup.players.yamm import table

    engine.warm_batches(table().evaluation)


OTHERS: Final = (
    Step("arena", warm_arenas),
    Step("turns", engine.warm_turns),
    Step("training", warm_trainings),
    Step("sheets", engine.warm_sheets),
    Step("bound", warm_bounds),
    Step("games", partial(engine.warm_boards, games=1)),
    Step("batches", warm_batches),
)
STEPS: Final[Steps] = (*analysis.STEPS, OTHERS)


def warm() -> None:
    """Compile or load in this process the kernels of all packages."""
    for group in STEPS:
        for step in group:
            step.run()


if __name__ == "__main__":
    compiled.take_missing(STEPS)
    sys.exit(0)
