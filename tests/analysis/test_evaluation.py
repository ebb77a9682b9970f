"""The evaluations of the players and of perfect play."""

from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dicecup import games, players
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.registry import PLAYERS, by_tables
from dicecup.analysis.yam_master.evaluation import by_solution
from dicecup.analysis.yamm.evaluation import SolvedSheetEvaluation
from dicecup.core.errors import GameError
from dicecup.core.game import Position, Rules
from dicecup.engine.errors import EngineError
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.tables_file import TablesError
from dicecup.engine.yam_master.exact.solve import Solution, solve_board
from dicecup.yam_master import Position as BoardPosition
from dicecup.yam_master import YamMaster
from dicecup.yamm import Column, Options, SheetSpec, Yamm
from tests import strategies
from tests.analysis.draws import draw_decision
from tests.strategies import BOARD_3, NAMED, SMALL_BOARDS, SMALL_SHEETS

COLUMNS = ("d1", "u1", "d1,u1")
CLOSE = 1e-9
"""The rounding error in double precision."""


@cache
def expert(game: Rules, *, alone: bool = False) -> Evaluation:
    return by_tables(game, alone=alone)


@cache
def board_solution() -> Solution:
    return solve_board(YamMaster(board=BOARD_3))


@cache
def solved_sheet(columns: str) -> solver.SolvedSheet:
    return solver.solve(yamm_sheet(columns))


def sheet_game(columns: str) -> Yamm:
    return Yamm(Options(players=1), SheetSpec(tuple(map(Column, columns.split(",")))))


def agree(evaluation: Evaluation, position: Position, close: float) -> None:
    """Assert that a throw has the mean of the values after it, and a keep the value of its
    throw."""
    if position.turn is None:
        return
    if not position.waiting:
        values = evaluation.values(position)
        assert list(values) == list(position.actions)
        for action in list(values)[:3]:
            after = position.play(action)
            if after.turn is not None and after.number == position.number:
                assert evaluation.before_throw(after) == pytest.approx(values[action], abs=close)
        return
    rolls = evaluation.after_throw(position)
    mean = sum(weight * rolls[shown] for shown, weight in position.chances) / sum(weight for _, weight in position.chances)
    assert evaluation.before_throw(position) == pytest.approx(mean, abs=close)
    for shown, _ in position.chances[:: max(1, len(position.chances) // 3)]:
        assert max(evaluation.values(position.roll(shown)).values()) == pytest.approx(rolls[shown], abs=close)


@settings(max_examples=30)
@given(data=st.data(), game=st.sampled_from(NAMED), alone=st.booleans())
def test_the_values_of_a_turn_are_consistent(data: st.DataObject, game: Rules, alone: bool) -> None:
    position = data.draw(strategies.positions(game))
    evaluation = expert(game, alone=alone and isinstance(game, Yamm))
    agree(evaluation, position, 1e-3 if evaluation.unit is Unit.POINTS else 1e-6)


@settings(max_examples=30)
@given(data=st.data(), game=st.sampled_from(NAMED), level=st.sampled_from(PLAYERS))
def test_the_player_chooses_the_action_with_the_best_value(data: st.DataObject, game: Rules, level: str) -> None:
    position = draw_decision(data, game)
    work = 100 if level == "master" else None
    values = by_tables(game, level, work=work).values(position)
    player = players.create("expert")
    if level == "expert":
        assert values[player.choose(position)] == max(values.values())
    assert set(values) == set(position.actions)


def test_the_value_of_a_sheet_alone_ignores_opponents() -> None:
    begun = games.from_id("yamm").start().roll("11112").play("f1.1").roll("22333")
    alone = games.from_id("yamm(players=1)").start().roll("22333")
    assert dict(expert(begun.game, alone=True).values(begun)) == dict(expert(alone.game).values(alone))
    assert expert(begun.game).unit is Unit.CHANCE
    assert expert(begun.game, alone=True).unit is expert(alone.game).unit is Unit.POINTS


def test_written_points_are_part_of_the_value() -> None:
    start = games.from_id("yamm(players=1)").start().roll("66666")
    written = start.play("f1.Y")  # 70 and a first-throw Yamm
    evaluation = expert(start.game)
    assert evaluation.before_throw(written) == pytest.approx(evaluation.values(start)[start.game.action("f1.Y")], abs=30)
    assert evaluation.before_throw(written) > evaluation.before_throw(start.game.start())


# --- Perfect play ---------------------------------------------------------------------------------


@given(data=st.data())
def test_values_of_a_solved_board_equal_the_solution(data: st.DataObject) -> None:
    solution = board_solution()
    evaluation = by_solution(solution)
    position = data.draw(strategies.positions(solution.position.game, 60))
    assert isinstance(position, BoardPosition)
    assume(position.turn is not None)
    agree(evaluation, position, CLOSE)
    if position.waiting:
        assert evaluation.before_throw(position) == pytest.approx((1 + solution.value_of(position)) / 2, abs=CLOSE)
    else:
        decided = solution.decision(position)
        assert dict(evaluation.values(position)) == {action: (1 + value) / 2 for action, value in decided.values.items()}


@given(data=st.data(), columns=st.sampled_from(COLUMNS))
def test_values_of_a_solved_sheet_equal_the_solution(data: st.DataObject, columns: str) -> None:
    solved = solved_sheet(columns)
    evaluation, game = SolvedSheetEvaluation(solved), sheet_game(columns)
    assert evaluation.before_throw(game.start()) == pytest.approx(solved.value, abs=CLOSE)
    position = data.draw(strategies.positions(game, 80))
    agree(evaluation, position, 1e-8)


def test_a_solved_sheet_refuses_other_games() -> None:
    evaluation = SolvedSheetEvaluation(solved_sheet("d1"))
    for game in (sheet_game("u1"), Yamm(Options(players=1)), YamMaster()):
        with pytest.raises(EngineError) as refused:
            evaluation.before_throw(game.start())
        assert refused.value.code == "not-solvable"


# --- What cannot be asked -------------------------------------------------------------------------


@pytest.mark.parametrize("game", [YamMaster(), Yamm(), Yamm(Options(players=1))], ids=lambda game: game.id)
def test_methods_refuse_positions_of_the_wrong_kind(game: Rules) -> None:
    evaluation, start = expert(game), game.start()
    with pytest.raises(EngineError) as refused:
        evaluation.values(start)
    assert refused.value.code == "not-a-decision"
    for ask in (evaluation.before_throw, evaluation.after_throw):
        with pytest.raises(EngineError) as refused:
            ask(start.roll("11111"))
        assert refused.value.code == "no-dice-in-the-air"


@pytest.mark.parametrize("game", [SMALL_BOARDS[0], SMALL_SHEETS[0]], ids=["board", "sheet"])
def test_small_boards_and_sheets_have_no_tables(game: Rules) -> None:
    with pytest.raises(TablesError) as refused:
        by_tables(game)
    assert refused.value.code == "tables-missing"


def test_only_two_players_have_evaluations() -> None:
    with pytest.raises(GameError) as refused:
        by_tables(YamMaster(), "greedy")
    assert refused.value.code == "option-value"


@pytest.mark.parametrize("game", [YamMaster(), Yamm(), Yamm(Options(players=1))], ids=lambda game: game.id)
def test_the_master_without_time_has_the_values_of_the_expert(game: Rules) -> None:
    position = game.start().roll("11235")
    assert dict(by_tables(game, "master", seconds=0.0).values(position)) == dict(expert(game).values(position))
