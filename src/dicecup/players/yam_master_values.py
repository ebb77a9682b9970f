"""What every action of a position of Yam Master is worth, by the tables that were trained for it.

Worth is the chance to win, a draw counting half. What an action loses is the best worth less its own.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dicecup.engine.tables_file import TablesCode, TablesError, load
from dicecup.yam_master import BOARD, Action, KeepDice, Options, YamMaster

if TYPE_CHECKING:
    from dicecup.engine.yam_master.evaluation.match import Evaluate

TABLES: Final = Path(__file__).parent / "tables"


def trained_for(game: YamMaster) -> YamMaster:
    """The game whose tables are played with: of all options only `end` changes how one should play."""
    return YamMaster(Options(end=game.options.end), game.board)


@lru_cache
def evaluation(game: YamMaster) -> "Evaluate":
    """One exact turn ahead of the tables for `trained_for(game)`. Raises `TablesError`, also for a board without tables."""
    from dicecup.engine.yam_master.evaluation.match import by_model
    from dicecup.engine.yam_master.evaluation.model import model_from
    from dicecup.engine.yam_master.training.train import FILES, KIND

    trained = trained_for(game)
    if game.board != BOARD:
        raise TablesError(TablesCode.TABLES_MISSING, file=game.id)
    return by_model(model_from(game.board, load(TABLES / FILES[trained], KIND).arrays))


def losses(values: Mapping[Action, float]) -> dict[Action, float]:
    """What each action loses."""
    best = max(values.values())
    return {action: best - value for action, value in values.items()}


def best_action(values: Mapping[Action, float]) -> Action:
    """The best action; the first of those that are equally good, ending the turn before throwing again."""
    return max(values, key=lambda action: (values[action], not isinstance(action, KeepDice)))
