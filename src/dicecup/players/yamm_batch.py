"""The levels of Yamm on whole sheets, many games side by side in compiled kernels."""

from typing import Any

from dicecup.players.yamm_graded import TEMPERATURES
from dicecup.players.yamm_values import table


def simulates(level: str) -> bool:
    """Whether `simulate` knows this level."""
    return level in ("expert", "master", *TEMPERATURES)


def simulate(level: str, seed: int, first: int, games: int) -> dict[str, Any]:
    """Games `first` to `first + games - 1` of one sheet, dice free: NumPy arrays by name, as `engine.yamm.evaluation.simulate.simulate`
    notes them. The dice of a game follow from `seed` (64 bits) and its number, so levels can be compared on equal dice.
    Raises `TablesError`."""
    from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
    from dicecup.engine.yamm.evaluation.deepening import MASTER
    from dicecup.engine.yamm.evaluation.simulate import simulate

    margins = (MASTER if level == "master" else ONE_TURN).margins
    return simulate(table().evaluation, seed, first, games, margins, TEMPERATURES.get(level, 0.0))
