"""The analysis of a game is found by the name of the game."""

from dataclasses import dataclass

import pytest

from dicecup.analysis.errors import AnalysisError
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.game_analysis import GameAnalysis
from dicecup.analysis.questions import trained
from dicecup.analysis.registry import ANALYSED, analysis_of, by_tables
from dicecup.core.game import Rules
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm


@dataclass(frozen=True)
class UnknownGame(Rules):
    """A game without an evaluation."""

    name = "unknown"
    id = "unknown"


@pytest.mark.parametrize("game,unit", [(YamMaster(), Unit.CHANCE), (Yamm(), Unit.POINTS)])
def test_each_game_has_its_own_analysis(game: Rules, unit: Unit) -> None:
    found: GameAnalysis = analysis_of(game)
    assert found is analysis_of(game)
    assert game.name in ANALYSED
    assert found.unit is unit


@pytest.mark.parametrize("ask", [analysis_of, by_tables, trained])
def test_a_game_without_an_evaluation_is_refused(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(AnalysisError) as refused:
        ask(UnknownGame())  # type: ignore[abstract]
    assert refused.value.code == "no-evaluation"
    assert refused.value.details == {"game": "unknown"}
