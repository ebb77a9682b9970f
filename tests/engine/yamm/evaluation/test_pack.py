"""The packed sheet agrees with the rules: open cells, points and the sheets after."""

import pytest

from dicecup.core.dice import ROLLS
from dicecup.engine.yamm.evaluation.columns import CLASSES, KIND_OF_PLACE, empty_sheet, graph, roll_classes
from dicecup.engine.yamm.evaluation.pack import CELLS, pack, place_of
from dicecup.yamm import SHEET, Sheet
from dicecup.yamm.rows import ROWS
from tests.engine.yamm.evaluation.sheets import some_sheets

CLASS_OF, FIGURE_POINTS = roll_classes()


def test_the_empty_sheet_has_the_first_nodes() -> None:
    assert pack(SHEET.empty).tolist() == empty_sheet().tolist()


@pytest.mark.parametrize("sheet", some_sheets(1, 1), ids=lambda sheet: str(sheet.written))
def test_cells_points_and_sheets_after_agree_with_the_rules(sheet: Sheet) -> None:
    nodes = pack(sheet)
    steps = graph()
    may = {
        CELLS[place][row]
        for place in range(len(KIND_OF_PLACE))
        for row in range(len(ROWS))
        if steps.first[nodes[place], row] >= 0
    }
    assert may == set(sheet.open_cells)
    assert steps.left[nodes].sum() == len(SHEET.cells) - sheet.written
    for cell in sheet.open_cells:
        place, row = place_of(cell)
        assert CELLS[place][row] == cell
        for number, roll in enumerate(ROLLS[::17]):
            step = steps.first[nodes[place], row] + CLASS_OF[17 * number, row]
            after = sheet.write(cell, roll)
            expected = nodes.copy()
            expected[place] = steps.after[step]
            assert pack(after).tolist() == expected.tolist()
            assert steps.gain[step] + FIGURE_POINTS[17 * number, row] == after.total - sheet.total


def test_many_games_stay_within_the_graph() -> None:
    left = graph().left
    assert all(left[pack(sheet)].sum() + sheet.written == len(SHEET.cells) for sheet in some_sheets(2, 20))


def test_every_step_leads_to_a_sheet_with_one_cell_less() -> None:
    steps = graph()
    for node, row in zip(*(steps.first >= 0).nonzero(), strict=True):
        first = steps.first[node, row]
        assert (steps.left[steps.after[first : first + CLASSES[row]]] == steps.left[node] - 1).all()
