"""The levels of Yam Master as contestants of many games side by side (`dicecup.engine.yam_master.evaluation.match.play_games`)."""

from math import inf
from typing import TYPE_CHECKING, Final

from dicecup.players.yam_master_graded import TEMPERATURES
from dicecup.players.yam_master_values import evaluation
from dicecup.yam_master import YamMaster

if TYPE_CHECKING:
    from dicecup.engine.yam_master.evaluation.match import Contestant

LEVELS: Final = ("random", "greedy", *TEMPERATURES, "expert")
"""Those who can be played so, weakest first."""


def contestant(level: str, game: YamMaster, depth: int = 1) -> "Contestant":
    """One of `LEVELS`; with a `depth` of more than one turn the expert looks further. Raises `TablesError`."""
    from dicecup.engine.yam_master.evaluation.match import Contestant, by_greed
    from dicecup.engine.yam_master.evaluation.search import by_search

    if level in ("random", "greedy"):
        return Contestant(by_greed, inf if level == "random" else 0.0)
    return Contestant(by_search(evaluation(game), depth), TEMPERATURES.get(level, 0.0))
