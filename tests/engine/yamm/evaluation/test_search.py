"""Search one turn ahead and further, against the readable turn."""

from math import inf

import numpy as np
import pytest

from dicecup.core.turn import KeptDice
from dicecup.engine.workspaces import rows_of_lanes
from dicecup.engine.yamm.evaluation.columns import TOTALS, graph
from dicecup.engine.yamm.evaluation.pack import CELLS, pack
from dicecup.engine.yamm.evaluation.search_kernel import ahead, search
from dicecup.engine.yamm.evaluation.turn_kernel import COUNT, HEIGHT, LANES, MOST_WRITES, best_cell, best_keep, solve
from dicecup.engine.yamm.evaluation.value import TURNS
from dicecup.yamm import SHEET, Sheet
from tests.engine.yamm.evaluation.sheets import best_play, readable_turn, sheet_with_left, some_evaluation, table_value
from tests.sweep import sweep

LANE = 3


class Looked:
    """A search of one sheet, with all its arrays."""

    def __init__(self, sheet: Sheet, margins: tuple[float, ...] = (0.0,), *, locked: bool = False) -> None:
        writes = np.empty((MOST_WRITES, 4), np.int16)
        write_values = np.empty(MOST_WRITES, np.float32)
        self.best, self.column = np.empty((HEIGHT, TOTALS), np.float32), np.empty((HEIGHT, TOTALS), np.int8)
        self.stops = rows_of_lanes(2 * COUNT, LANES, np.float32)
        self.stops[:] = 0
        left = TURNS - sheet.written
        turns = len(margins)
        self.count, self.solved = search(
            graph(), some_evaluation(), pack(sheet), left, turns, np.array(margins, np.float32), locked,
            writes, write_values, self.best, self.column, self.stops, LANE, ahead(turns),
        )  # fmt: skip
        self.keeps = rows_of_lanes(420, LANES, np.float32)
        out = np.empty(LANES, np.float32)
        work, spare = rows_of_lanes(462, LANES, np.float32), rows_of_lanes(672, LANES, np.float32)
        assert solve(work, spare, self.stops, self.keeps, out, locked)
        self.value = out[LANE]


@pytest.mark.parametrize("left", [99, 40, 4, 1])
@pytest.mark.parametrize("kept_dice", KeptDice)
def test_one_turn_ahead_is_the_readable_turn(left: int, kept_dice: KeptDice) -> None:
    sheet = sheet_with_left(left, seed=left)
    expected = readable_turn(sheet, table_value, kept_dice)
    looked = Looked(sheet, locked=kept_dice is KeptDice.LOCKED)
    assert looked.stops[:COUNT, LANE] == pytest.approx(expected.stops[2], abs=0.01)
    assert looked.stops[COUNT:, LANE] == pytest.approx(expected.stops[0], abs=0.01)
    assert looked.keeps[:210, LANE] == pytest.approx(expected.keeps[0], abs=0.01)
    assert looked.keeps[210:, LANE] == pytest.approx(expected.keeps[1], abs=0.01)
    assert looked.value == pytest.approx(expected.value, abs=0.01)
    assert looked.solved == 0


def test_the_best_cell_has_the_stop_value() -> None:
    sheet = sheet_with_left(60, seed=5)
    looked = Looked(sheet)
    from dicecup.core.dice import ROLLS

    for number, roll in enumerate(ROLLS):
        place, row = best_cell(looked.best, looked.column, number)
        after = sheet.write(CELLS[place][row], roll)
        assert after.total - sheet.total + table_value(after) == pytest.approx(looked.stops[number, LANE], abs=0.01)


def test_the_best_keep_is_the_best_of_all_keeps() -> None:
    from dicecup.core.dice import ROLLS

    looked = Looked(sheet_with_left(60, seed=5))
    for number in range(0, COUNT, 11):
        for throws in (1, 2):
            keep, found_value = best_keep(looked.keeps, LANE, throws, number)
            rows = [(throws - 1) * 210 + kept.index for kept in ROLLS[number].keeps]
            assert found_value == looked.keeps[rows, LANE].max() == looked.keeps[(throws - 1) * 210 + keep, LANE]


@pytest.mark.slow
@sweep("left", [9, 4])
def test_two_turns_ahead_equal_the_readable_recursion(left: int) -> None:
    sheet = sheet_with_left(left, seed=9)
    nearly = {after.columns: after for after in _afters(sheet)}
    ahead = {columns: float(readable_turn(after, table_value).value) for columns, after in nearly.items()}
    expected = readable_turn(sheet, lambda after: ahead[after.columns])
    looked = Looked(sheet, (0.0, inf))
    assert looked.value == pytest.approx(expected.value, abs=0.02)
    assert 0 < looked.solved <= looked.count


def _afters(sheet: Sheet) -> list[Sheet]:
    from dicecup.core.dice import ROLLS

    return [sheet.write(cell, roll) for cell in sheet.open_cells for roll in ROLLS]


@pytest.mark.slow
def test_a_search_to_the_end_is_best_play() -> None:
    sheet = sheet_with_left(2, seed=4)
    assert Looked(sheet, (inf, inf)).value == pytest.approx(best_play(sheet), abs=0.01)


def test_a_narrow_margin_searches_fewer_sheets() -> None:
    sheet = sheet_with_left(50, seed=2)
    narrow, wide = Looked(sheet, (0.0, 1.0)), Looked(sheet, (0.0, inf))
    assert 0 < narrow.solved < wide.solved == wide.count


def test_equal_columns_are_searched_once() -> None:
    assert Looked(SHEET.empty).count == 6 + 1 + 6 * 6 + 2 * 26 + 3
