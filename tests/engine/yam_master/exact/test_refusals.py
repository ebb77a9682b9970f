"""What the solver of Yam Master refuses, and what it reports while it works."""

import pytest

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.exact.solve import solve_board, solve_position
from dicecup.yam_master import (
    Captured,
    Options,
    YamMaster,
    small_board,
)
from tests.engine.yam_master.exact.solved_boards import LAYOUT, board, late


@pytest.mark.slow
def test_too_many_states_are_refused_with_their_number() -> None:
    with pytest.raises(EngineError) as refused:
        solve_board(YamMaster())
    assert refused.value.code is EngineCode.TOO_MANY_STATES
    assert int(str(refused.value.details["states"])) > 10**11
    with pytest.raises(EngineError) as refused:
        solve_position(YamMaster().start())
    assert refused.value.code is EngineCode.TOO_MANY_STATES
    with pytest.raises(EngineError) as refused:
        solve_board(YamMaster(Options(), small_board(LAYOUT, 3)), limit=2000)
    assert refused.value.details["limit"] == 2000
    position = late(Options(), 22, seed=1)
    assert solve_position(position, change=0, limit=10_000).captures == 2
    assert solve_position(position, change=1).captures == 3
    with pytest.raises(EngineError):
        solve_position(position, limit=100)


def test_a_board_too_large_for_a_node_is_refused() -> None:
    row = " ".join(["Yam"] * 6)
    for layout, tokens in ("/".join([row] * 6), 2), ("Yam Yam/Yam Yam", 16):
        with pytest.raises(EngineError) as refused:
            solve_board(YamMaster(Options(), small_board(layout, tokens)))
        assert refused.value.code is EngineCode.NOT_SOLVABLE


def test_a_game_that_is_over_is_not_solved() -> None:
    game = YamMaster(Options(), small_board(LAYOUT, 3))
    over = game.position("xxx/oo1/3 o - 0-1 6")
    with pytest.raises(EngineError) as refused:
        solve_position(over)
    assert refused.value.code is EngineCode.NOT_SOLVABLE
    assert board(LAYOUT, 3, Options()).value_of(over) == -1


@pytest.mark.slow
def test_positions_outside_of_the_closure_are_refused() -> None:
    solution = board(LAYOUT, 3, Options())
    outside = (YamMaster().start(), YamMaster(Options(captured=Captured.OUT), small_board(LAYOUT, 3)).start())
    closure = solve_position(late(Options(), 22, seed=1), change=1)
    for solved, position in [*((solution, position) for position in outside), (closure, late(Options(), 22, seed=2))]:
        with pytest.raises(EngineError) as refused:
            solved.value_of(position)
        assert refused.value.code is EngineCode.NOT_SOLVABLE


def test_an_exception_of_the_progress_stops_solving() -> None:
    """Ctrl-C arrives between two steps; nothing is left running."""
    reports: list[tuple[int, int]] = []

    def stop(done: int, of: int) -> None:
        reports.append((done, of))
        raise KeyboardInterrupt

    position = late(Options(captured=Captured.OUT), 20, seed=3)
    with pytest.raises(KeyboardInterrupt):
        solve_position(position, progress=stop)
    assert len(reports) == 1


def test_progress_ends_with_all_nodes() -> None:
    reports: list[tuple[int, int]] = []
    solution = solve_board(YamMaster(Options(), small_board(LAYOUT, 3)), progress=lambda done, of: reports.append((done, of)))
    assert reports[-1] == (solution.space.nodes, solution.space.nodes)
