"""The analyses of games, found by the name of the game, and their evaluations.

>>> from dicecup import games
>>> from dicecup.analysis.registry import by_tables
>>> position = games.position("yam-master", "5/5/5/5/5 x 1:12345 12-12 1")
>>> values = by_tables(position.game).values(position)
>>> str(max(values, key=values.get)) in position.actions
True
"""

from functools import cache
from typing import Final

from dicecup.analysis.errors import AnalysisCode, AnalysisError
from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.game_analysis import GameAnalysis
from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Position, Rules
from dicecup.engine.progress import Progress, unwatched

PLAYERS: Final = ("expert", "master")
"""The players that have an evaluation."""
EXACT: Final = "exact"
"""The name of the evaluation of perfect play."""
ANALYSED: Final = ("yam-master", "yamm")
"""The names of the games that have an analysis."""


def analysis_of(game: Rules) -> GameAnalysis:
    """Return the analysis of a game. Raises `AnalysisError` (`no-evaluation`) for a game without
    one."""
    found = _by_name(game.name)
    if found is None:
        raise AnalysisError(AnalysisCode.NO_EVALUATION, game=game.id)
    return found


@cache
def _by_name(name: str) -> GameAnalysis | None:
    """Return the analysis of the game with this name. Only the modules of this game are
    imported."""
    if name == "yam-master":
        from dicecup.analysis.yam_master.game import YamMasterAnalysis

        return YamMasterAnalysis()
    if name == "yamm":
        from dicecup.analysis.yamm.game import YammAnalysis

        return YammAnalysis()
    return None


def by_tables(
    game: Rules, player: str = "expert", *, alone: bool = False, work: int | None = None, seconds: float | None = None
) -> Evaluation:
    """Return the evaluation by which `expert` or `master` plays: its decisions have the best of
    these values.

    `alone`: in Yamm the expected total of each sheet, also where there are opponents. `work`,
    `seconds`: the limits of the master's search in a turn (`dicecup.players`).

    Raises `GameError` (`option-value`) for another player, `AnalysisError` (`no-evaluation`) for a
    game without an evaluation, and `TablesError` for a board or a sheet without tables."""
    if player not in PLAYERS:
        raise GameError(TextCode.OPTION_VALUE, option="player", value=player)
    return analysis_of(game).by_tables(game, player, alone=alone, work=work, seconds=seconds)


def solve(position: Position, progress: Progress = unwatched) -> Evaluation:
    """Return the evaluation of perfect play from a late position, or from any position of a small
    board.

    Raises `EngineError` (`not-solvable` for Yamm and for a game that is over, `too-many-states`
    where solving takes minutes) and `AnalysisError` (`no-evaluation`)."""
    return analysis_of(position.game).solve(position, progress)
