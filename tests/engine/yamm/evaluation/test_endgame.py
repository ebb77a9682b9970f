"""The endgame table, against the solver of whole sheets."""

import numpy as np
import pytest
from numpy.typing import NDArray

from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, PLACES, empty_sheet, full_sheet, graph
from dicecup.engine.yamm.evaluation.endgame import endgame, endgame_size
from dicecup.engine.yamm.evaluation.endgame_kernel import column_value, column_values, endgame_index, open_columns
from dicecup.engine.yamm.evaluation.endgame_solver import OPEN, sheets_with, solve_endgame
from dicecup.engine.yamm.evaluation.endgame_solver_kernel import solve_sheets
from dicecup.engine.yamm.evaluation.pack import pack
from dicecup.engine.yamm.evaluation.play_kernel import workspace
from dicecup.engine.yamm.evaluation.table import load_table
from dicecup.engine.yamm.evaluation.turn_kernel import MOST_WRITES, list_writes
from dicecup.engine.yamm.evaluation.value import FEW, Evaluation, fresh
from dicecup.engine.yamm.evaluation.value_kernel import late_sheets, learned, value
from dicecup.players.yamm import TABLE
from dicecup.yamm.sheet import SHEET
from tests.engine.yamm.evaluation.sheets import best_play, sheet_with_left, some_evaluation

KNOWN = load_table(TABLE).evaluation.endgame


def with_open(*columns: str) -> NDArray[np.int16]:
    """Return the sheet on which these columns are empty and the others full."""
    return np.where(np.isin(np.array(SHEET.columns)[list(COLUMN_OF_PLACE)], columns), empty_sheet(), full_sheet())


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["d1", "d3", "u2", "f1", "f3", "d1,d2", "d3,u1", "u2,u3"])
def test_endgame_values_equal_the_solver(columns: str) -> None:
    sheet = with_open(*columns.split(","))
    expected = solver.solve(yamm_sheet(columns)).value
    assert KNOWN.values[endgame_index(KNOWN, sheet)] == pytest.approx(expected, abs=0.002)


@pytest.mark.parametrize("columns", ["f1,f2", "d1,f1", "d1,d2,d3", "d1,u1,f3"])
def test_other_sheets_are_not_in_the_table(columns: str) -> None:
    assert endgame_index(KNOWN, with_open(*columns.split(","))) == -1


@pytest.mark.slow
def test_the_shipped_table_equals_the_solved_one() -> None:
    assert np.allclose(solve_endgame(), KNOWN.values, atol=0.01)


@pytest.mark.slow
def test_solving_goes_backwards_from_full_sheets() -> None:
    values = np.zeros(endgame_size(), np.float32)
    evaluation = Evaluation(fresh(0), fresh(0), endgame(values))
    every = np.concatenate([sheets_with(*places) for places in OPEN])
    left = graph().left[every].sum(axis=1)
    for cells in (1, 2):
        solve_sheets(graph(), evaluation, every[left == cells], cells, workspace(1))
    sheet = next(found for seed in range(1000) if endgame_index(KNOWN, pack(found := sheet_with_left(2, seed))) >= 0)
    assert values[endgame_index(KNOWN, pack(sheet))] == pytest.approx(best_play(sheet), abs=0.01)


def test_column_values_add_up() -> None:
    sheet = pack(sheet_with_left(40, 3))
    single = 0.0
    for column in SHEET.columns:
        alone = np.where(np.array(SHEET.columns)[list(COLUMN_OF_PLACE)] == column, sheet, full_sheet())
        single += float(KNOWN.values[endgame_index(KNOWN, alone)])
    assert column_values(KNOWN, sheet) == pytest.approx(single, abs=0.01)
    assert column_values(endgame(), sheet) == 0
    assert {column_value(KNOWN, sheet, place) for place in range(PLACES)} == {
        column_value(KNOWN, sheet, place) for place in range(PLACES - 3)
    }


@pytest.mark.parametrize("columns", ["d1,u1,f1", "d1,d2,u2,f3"])
def test_late_sheets_add_a_learned_part_to_their_columns(columns: str) -> None:
    early, late, claimed = some_evaluation()
    sheet = with_open(*columns.split(","))
    open_here = len(columns.split(","))
    left = 11 * open_here
    assert open_columns(claimed, sheet) == open_here
    assert late_sheets(claimed, sheet.reshape(1, -1)).tolist() == [open_here <= FEW]
    expected = learned(late, sheet, left) + column_values(claimed, sheet) if open_here <= FEW else learned(early, sheet, left)
    assert value(some_evaluation(), sheet, left) == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["d1,d2,d3,f1", "d1,u1,f1,f2", "d1,u3,f1,f2,f3"])
def test_writes_that_lead_to_late_sheets_have_their_value(columns: str) -> None:
    """A turn on a sheet with one open cell in a column leads to late sheets and to others."""
    sheet = with_open(*columns.split(","))
    down = KNOWN.full[0]
    last = next(node for node in range(down) if graph().left[node] == 1)
    sheet[0] = last
    left = int(graph().left[sheet].sum())
    writes, write_values = np.empty((MOST_WRITES, 4), np.int16), np.empty(MOST_WRITES, np.float32)
    count = list_writes(graph(), some_evaluation(), sheet, left, writes, write_values)
    for (place, row, kind, after), found_value in zip(writes[:count].tolist(), write_values[:count], strict=True):
        following = sheet.copy()
        following[place] = after
        gain = graph().gain[graph().first[sheet[place], row] + kind]
        assert found_value == pytest.approx(gain + value(some_evaluation(), following, left - 1), abs=0.02)
