"""Late positions of Yam Master, solved without the rest of the board."""

import pytest

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.exact.solve import solve_position
from dicecup.yam_master import (
    Captured,
    Options,
    YamMaster,
)
from tests.engine.yam_master.exact.solved_boards import CLOSE, LAYOUT, VARIED, board, late, reached
from tests.sweep import sweep


@sweep("options", VARIED, ids=lambda options: YamMaster(options).id)
def test_a_closure_agrees_with_the_whole_board(options: Options) -> None:
    solution = board(LAYOUT, 3, options)
    for position in reached(solution.position.game, 4, seed=4):
        if position.turn is not None:
            closure = solve_position(position, change=1e-8)
            assert closure.last_change < 1e-8
            assert closure.value == pytest.approx(solution.value_of(position), abs=1e-8), position


@sweep("captured, placed", [(Captured.OUT, 20), (Captured.OUT, 22), (Captured.RETURNED, 22)])
def test_a_late_position_of_the_full_board_converges(captured: Captured, placed: int) -> None:
    position = late(Options(captured=captured), placed, seed=3)
    late_value = solve_position(position, change=1e-3)
    assert late_value.captures == 3
    assert late_value.last_change < 1e-3
    assert late_value.states == late_value.space.states
    further = solve_position(position, change=0, limit=200_000)
    assert further.captures >= 3
    assert further.value == pytest.approx(late_value.value, abs=late_value.last_change)
    played = late_value.play(4000, seed=1)
    assert abs(played.mean - late_value.value) < 4 * played.error


def test_a_closure_can_hold_all_captures() -> None:
    """Captured tokens that leave the game run out."""
    position = late(Options(captured=Captured.OUT), 22, seed=2)
    solution = board(LAYOUT, 3, Options(captured=Captured.OUT))
    complete = solve_position(solution.position, change=0)
    assert complete.last_change == 0
    assert complete.states == solution.states
    assert complete.value == pytest.approx(solution.value, abs=CLOSE)
    assert solve_position(position).captures >= 2


def test_any_moment_of_a_turn_can_be_solved() -> None:
    begun = late(Options(captured=Captured.OUT), 22, seed=5)
    solved = solve_position(begun, change=1e-3)
    shown = begun.roll("11346")
    waiting = shown.play("!k11")
    for position in (shown, waiting, waiting.roll("11256"), waiting.roll("11256").play("k112")):
        there = solve_position(position, change=1e-3)
        assert there.value == pytest.approx(solved.value_of(position), abs=1e-3)
        played = there.play(4000, seed=8)
        assert abs(played.mean - there.value) < 4 * played.error + 1e-12
    with pytest.raises(EngineError) as refused:
        solved.decision(begun)
    assert refused.value.code is EngineCode.NOT_A_DECISION
