"""Solved score sheets: published optima, the rules of Yamm without merged states, and games."""

from functools import cache
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.dice import FIRST_ROLL, ROLLS, keep, roll
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.sheets.plan import plan_of
from dicecup.engine.sheets.published import SHEETS, published_sheet
from dicecup.engine.sheets.solver import SolvedSheet, solve
from dicecup.engine.turn.value import turn_values
from dicecup.yamm.rows import VALUES, YAMMS, Row
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import Cell, Column, Sheet, SheetSpec
from tests.sweep import sweep

PUBLISHED: Final = {
    "yahtzee": 254.589609481963,
    "yahtzee-forced-joker": 254.587728734496,
    "kniffel": 245.870774514111,
    "yatzy": 248.439989377855,
    "yatzy-forced-order": 122.558527396424,
}
"""FIGURES, 2."""
COLUMNS: Final = {"d1": (123.540138538, 143), "u1": (119.469673931, 190), "f1": (255.989886426, 859_248)}
"""FIGURES, 5: optimum and states, the end included."""


@cache
def solved(name: str) -> SolvedSheet:
    return solve(published_sheet(name) if name in SHEETS else yamm_sheet(name))


@pytest.mark.parametrize("name", PUBLISHED)
def test_sheets_have_their_published_optima(name: str) -> None:
    assert solved(name).value == pytest.approx(PUBLISHED[name], abs=5e-13 * 1e3)
    assert np.isfinite(solved(name).values).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_has_its_recorded_optimum(name: str) -> None:
    assert (round(solved(name).value, 9), solved(name).states) == COLUMNS[name]


def test_two_columns_have_a_higher_value_than_their_sum() -> None:
    """Two columns have a higher value than their sum. Their names and their order do not matter."""
    both = solved("d1,d2")
    assert both.value == pytest.approx(339.6, abs=0.05)
    assert both.states == 143 * 144 // 2
    assert solve(yamm_sheet("d3,d2")).value == both.value
    assert solve(yamm_sheet("u2,d1")).value == pytest.approx(solved("d1,u1").value, abs=1e-10)
    assert solved("d1,u1").states == 143 * 190


def test_a_published_decision_is_found() -> None:
    """Verhoeff: 15 short of the bonus, 103 points, dice 1-2-3-4-4 with two throws left."""
    yahtzee = solved("yahtzee")
    place = yahtzee.after([("1", 3), ("3", 9), ("4", 12), ("6", 24), ("FH", 25), ("SS", 30)])
    assert place.points == 103
    turn = yahtzee.turn(place)
    assert turn.keep_value(1, keep("1234")) == pytest.approx(243.098243, abs=5e-7)
    assert turn.keep_value(1, keep("234")) == pytest.approx(243.408816, abs=5e-7)
    assert turn.best(1, roll("12344")).keep == keep("234")
    assert turn.value == pytest.approx(yahtzee.expected(place), abs=1e-10)


def test_a_second_yahtzee_is_a_joker() -> None:
    """Once Y and the sixes are written, a Yahtzee of sixes scores 40 as a straight plus 100."""
    yahtzee = solved("yahtzee")
    lower = [("3K", 20), ("4K", 0), ("FH", 25), ("SS", 30), ("C", 20)]
    upper = [("1", 3), ("2", 6), ("3", 9), ("4", 12), ("5", 15)]
    for box_y, bonus in ((50, 100), (0, 0)):
        place = yahtzee.after([*upper, ("6", 18), *lower, ("Y", box_y)])
        ends = yahtzee.turn(place).stops[2]
        assert ends[roll("66666").index - FIRST_ROLL] == place.points + 40 + bonus
        assert ends[roll("56666").index - FIRST_ROLL] == place.points
        open_six = yahtzee.after([*upper, *lower, ("Y", box_y)])
        assert yahtzee.cell(open_six, roll("66666")) == "6"
    without = yahtzee.after([*upper, ("6", 18), *lower])
    assert yahtzee.cell(without, roll("66666")) == "Y"


def test_a_forced_joker_takes_the_upper_box_first() -> None:
    """An open upper box of the face must be taken; otherwise lower boxes come before upper ones."""
    forced, free = solved("yahtzee-forced-joker"), solved("yahtzee")
    written = [("Y", 50), ("2", 8), ("3", 12), ("4", 16), ("5", 20), ("6", 24)]
    ones = roll("11111")
    for game, cell in ((forced, "1"), (free, "1")):
        assert game.cell(game.after(written), ones) == cell
    only_ones_left = forced.after([*written, ("1", 0), ("3K", 0), ("4K", 0), ("SS", 0), ("C", 20), ("LS", 0)])
    assert forced.cell(only_ones_left, ones) == "FH"
    upper_left = forced.after([("Y", 50), ("1", 5), ("3K", 0), ("4K", 0), ("SS", 0), ("C", 20), ("LS", 0), ("FH", 0)])
    ends = forced.turn(upper_left).stops[2]
    assert forced.cell(upper_left, ones) in "23456"
    assert ends[ones.index - FIRST_ROLL] > upper_left.points + 100


# --- The rules without merged states, sections and kernels ---


class PlayedOut:
    """The optimum of a small Yamm sheet by recursion over the sheets of `dicecup.yamm`.

    The readable twin solves the turns.
    """

    def __init__(self, columns: str, rows: tuple[Row, ...]) -> None:
        names = tuple(Column(name) for name in columns.split(","))
        self.known: dict[object, float] = {}
        self.value = self.expected(SheetSpec(names, rows).empty)

    def expected(self, sheet: Sheet) -> float:
        """Return the points to come. They do not depend on the contents of full columns."""
        key = tuple(column if None in column else "full" for column in sheet.columns)
        if all(part == "full" for part in key):
            return 0.0
        if key not in self.known:
            after = [self.after(sheet, cell) for cell in sheet.open_cells]
            ends = [max(values[at] for values in after) for at in range(len(ROLLS))]
            first = [end + FIRST_THROW_YAMM * (shown in YAMMS) for end, shown in zip(ends, ROLLS, strict=True)]
            self.known[key] = turn_values([first, ends, ends]).value
        return self.known[key]

    def after(self, sheet: Sheet, cell: Cell) -> list[float]:
        """Return the value of writing each roll into the cell, equal for rolls of equal points."""
        points = VALUES[Row(cell.partition(".")[2])]
        by_points = dict(zip(points, ROLLS, strict=True))
        written = {value: sheet.write(cell, shown) for value, shown in by_points.items()}
        values = {value: after.total - sheet.total + self.expected(after) for value, after in written.items()}
        return [values[value] for value in points]


@sweep(
    "columns, rows",
    [
        ("f1", "1 6"),
        ("d1", "5 6 H T"),
        ("u1", "H T FH"),
        ("f1", "6 H T"),
        ("f1", "FH ST Y"),
        ("d1,u1", "H T"),
        ("d1,d2", "H T"),
        ("u1,u2", "6 Y"),
        ("d1,f1", "H T"),
    ],
)
def test_the_solver_equals_a_recursion_over_the_rules(columns: str, rows: str) -> None:
    chosen = tuple(Row(row) for row in rows.split())
    assert solve(yamm_sheet(columns, chosen)).value == pytest.approx(PlayedOut(columns, chosen).value, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_gains_agree_with_the_rules(data: st.DataObject) -> None:
    """A sheet filled at random: the same cells are open, and the points are the sheet's."""
    sheet = SheetSpec.from_text("d1,u1,f1").empty
    solution = SolvedSheet(ALL_KINDS, np.zeros(0), plan_of(ALL_KINDS))
    written: list[tuple[str, int]] = []
    for _ in range(data.draw(st.integers(0, 33))):
        place = solution.after(written)
        opened = [name for part, node in zip(ALL_KINDS.sections, place.nodes, strict=True) for name in part.open_cells(node)]
        assert sorted(opened) == sorted(sheet.open_cells)
        assert place.points == sheet.total
        cell = data.draw(st.sampled_from(list(sheet.open_cells)))
        shown = data.draw(st.sampled_from(ROLLS))
        section = next(part for part in ALL_KINDS.sections if cell in [table.name for table in part.cells])
        table = next(table for table in section.cells if table.name == cell)
        written.append((cell, table.points[table.classes[shown.index - FIRST_ROLL]]))
        sheet = sheet.write(cell, shown)


ALL_KINDS: Final = yamm_sheet("d1,u1,f1")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["d1", "d1,d2", "f1", "yatzy-forced-order", "yahtzee", "yahtzee-forced-joker"])
def test_played_games_have_the_solved_mean(name: str) -> None:
    """The mean is within five standard errors. The dice are fixed."""
    totals = solved(name).play(4000, 20261120)
    error = totals.std(ddof=1) / len(totals) ** 0.5
    assert abs(totals.mean() - solved(name).value) < 5 * error
    assert len(np.unique(totals)) > 100


def test_the_same_dice_play_the_same_games() -> None:
    first, second = (solved("d1").play(500, 7) for _ in range(2))
    assert (first == second).all()


# --- Refusals ---


@pytest.mark.parametrize("columns", ["", "d4", "d0", "x1", "d1,d1", "d1;d2", "d1, d2", "D1", "d１"])
def test_columns_that_do_not_exist_are_refused(columns: str) -> None:
    with pytest.raises(EngineError) as error:
        yamm_sheet(columns)
    assert error.value.code is EngineCode.NOT_A_COLUMN_SET


@pytest.mark.parametrize("columns, states", [("f1,f2", 859_248**2), ("d1,f1", 143 * 859_248)])
def test_too_many_states_are_refused_before_the_start(columns: str, states: int) -> None:
    with pytest.raises(EngineError) as error:
        solve(yamm_sheet(columns))
    assert error.value.code is EngineCode.TOO_MANY_STATES
    assert error.value.details["states"] == states


def test_an_unknown_sheet_is_refused() -> None:
    with pytest.raises(EngineError) as error:
        published_sheet("yatzee")
    assert error.value.code is EngineCode.NOT_SOLVABLE


@pytest.mark.parametrize("written", [[("d1.2", 4)], [("d1.1", 6)], [("d1.1", 3), ("d1.1", 3)], [("f1.Y", 0)]])
def test_impossible_results_are_refused(written: list[tuple[str, int]]) -> None:
    with pytest.raises(EngineError) as error:
        solved("d1").after(written)
    assert error.value.code is EngineCode.NOT_A_DECISION


def test_a_full_sheet_has_no_turn() -> None:
    order = solved("yatzy-forced-order")
    full = order.after([(table.name, table.points[0]) for table in order.sheet.sections[0].cells])
    assert order.expected(full) == full.points == 5
    for ask in (lambda: order.turn(full), lambda: order.cell(full, roll("11111"))):
        with pytest.raises(EngineError):
            ask()


@pytest.mark.slow
def test_progress_is_reported() -> None:
    reports: list[tuple[int, int]] = []
    solve(yamm_sheet("d1,d2,u1"), progress=lambda done, of: reports.append((done, of)))
    assert len(reports) > 10
    assert reports == sorted(reports)
    assert reports[-1][0] == reports[-1][1]
