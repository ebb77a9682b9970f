import pytest

from dicecup.core.dice import roll
from dicecup.core.errors import GameError, TextCode, TextError
from dicecup.yamm import SHEET, ActionCode, Cell, Column, Preview, Result, Row, Sheet, SheetSpec
from dicecup.yamm.score import NextBonus
from dicecup.yamm.sheet import cell

F1 = Column("f1")


def filled(spec: SheetSpec, *results: str) -> Sheet:
    """Return a sheet after these results, each `dice cell`."""
    sheet = spec.empty
    for result in results:
        dice, name = result.split(" ")
        assert sheet.refusal(Cell(name)) is None
        sheet = sheet.write(Cell(name), roll(dice))
    return sheet


def free(*results: str) -> Sheet:
    """Return the printed sheet after these results."""
    return filled(SheetSpec.from_text("f1"), *results)


# --- Which cells there are ------------------------------------------------------------------------


def test_the_printed_sheet_has_99_cells() -> None:
    assert " ".join(SHEET.columns) == "d1 d2 d3 u1 u2 u3 f1 f2 f3"
    assert len(SHEET.cells) == 99
    assert (SHEET.cells[0], SHEET.cells[10], SHEET.cells[98]) == ("d1.1", "d1.Y", "f3.Y")


@pytest.mark.parametrize("text", ["", "d1,d1", "x1", "d0", "d10", "d1,", "d1 ", "d١"])
def test_an_impossible_sheet_is_refused(text: str) -> None:
    with pytest.raises(GameError) as refused:
        SheetSpec.from_text(text)
    assert refused.value.code is TextCode.NOT_A_SHEET


@pytest.mark.parametrize("rows", [(), (Row.LOW, Row.HIGH), (Row.ONE, Row.ONE)])
def test_rows_stand_once_and_in_order(rows: tuple[Row, ...]) -> None:
    with pytest.raises(GameError):
        SheetSpec((F1,), rows)


@pytest.mark.parametrize("text", ["f1.ZT", "g1.1", "f1.7", "f1", "f1.h", " f1.H", "f0.1", "f1.١", ""])
def test_an_impossible_cell_is_refused(text: str) -> None:
    with pytest.raises(TextError) as refused:
        cell(text)
    assert refused.value.code is TextCode.NOT_A_CELL


def test_a_cell_is_its_name() -> None:
    assert cell("f1.FH") == "f1.FH"


# --- In which order -------------------------------------------------------------------------------


def test_an_empty_sheet_has_39_open_cells() -> None:
    first = ["d1.1", "d2.1", "d3.1", "u1.Y", "u2.Y", "u3.Y"]
    assert [*SHEET.empty.open_cells] == first + [name for name in SHEET.cells if name[0] == "f"]


def test_a_downward_column_opens_cell_by_cell() -> None:
    sheet = filled(SheetSpec.from_text("d1"), "11122 d1.1")
    assert [*sheet.open_cells] == ["d1.2"]
    assert sheet.refusal(Cell("d1.1")) is ActionCode.CELL_WRITTEN
    assert sheet.refusal(Cell("d1.3")) is ActionCode.CELL_OUT_OF_ORDER
    assert sheet.refusal(Cell("d2.1")) is ActionCode.NO_SUCH_CELL


def test_an_upward_column_opens_cell_by_cell() -> None:
    sheet = filled(SheetSpec.from_text("u1"), "11122 u1.Y", "11122 u1.ST")
    assert [*sheet.open_cells] == ["u1.FH"]
    assert sheet.refusal(Cell("u1.T")) is ActionCode.CELL_OUT_OF_ORDER


def test_a_full_sheet_has_no_open_cell() -> None:
    spec = SheetSpec((Column("d1"),), (Row.HIGH,))
    assert [*filled(spec, "11122 d1.H").open_cells] == []


# --- H and T --------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["H", "T"])
@pytest.mark.parametrize("dice", ["11111", "66666"])
def test_the_first_of_high_and_low_is_always_valid(first: str, dice: str) -> None:
    assert free(f"{dice} f1.{first}")[Cell(f"f1.{first}")] == roll(dice).total


@pytest.mark.parametrize(
    "results, high, low",
    [
        (("11234 f1.T", "11235 f1.H"), 12, 11),
        (("11235 f1.H", "11234 f1.T"), 12, 11),
        (("11234 f1.T", "11234 f1.H"), 0, 0),
        (("11234 f1.H", "11234 f1.T"), 0, 0),
        (("11235 f1.T", "11234 f1.H"), 0, 0),
        (("11234 f1.H", "11235 f1.T"), 0, 0),
    ],
)
def test_high_stays_above_low_or_both_are_struck(results: tuple[str, ...], high: int, low: int) -> None:
    sheet = free(*results)
    assert (sheet[Cell("f1.H")], sheet[Cell("f1.T")], sheet.written) == (high, low, 2)


def test_high_and_low_of_different_columns_are_apart() -> None:
    sheet = filled(SheetSpec.from_text("f1,f2"), "66666 f1.T", "11111 f2.H")
    assert (sheet[Cell("f1.T")], sheet[Cell("f2.H")]) == (30, 5)


def test_high_alone_on_a_sheet_is_always_valid() -> None:
    assert filled(SheetSpec((F1,), (Row.HIGH, Row.YAMM)), "11111 f1.H").total == 5


def test_a_preview_says_what_writing_does() -> None:
    sheet = free("22222 f1.T", "66666 f1.6")
    assert sheet.preview(Cell("f1.H"), roll("11233")) == Preview(0, strikes_both=True)
    assert sheet.preview(Cell("f1.H"), roll("11234")) == Preview(11, strikes_both=False)
    assert sheet.preview(Cell("f1.5"), roll("11233")) == Preview(0, strikes_both=False)
    assert sheet.preview(Cell("f1.1"), roll("11233")) == Preview(2, strikes_both=False)


# --- Scores ---------------------------------------------------------------------------------------

UPPER = ("11123 f1.1", "22234 f1.2", "13335 f1.3", "14445 f1.4", "15556 f1.5")


def test_the_bonus_is_known_when_rows_1_to_6_are_written() -> None:
    sheet = free(*UPPER)
    assert (sheet.upper(F1), sheet.bonus(F1), sheet.total) == (45, None, 45)
    sheet = sheet.write(Cell("f1.6"), roll("16666"))
    assert (sheet.upper(F1), sheet.bonus(F1), sheet.total) == (69, 60, 129)


def test_a_column_has_a_next_bonus_until_it_is_settled() -> None:
    assert free().next_bonus(F1) == NextBonus(60, 60, 60)
    sheet = free(*UPPER)
    assert sheet.next_bonus(F1) == NextBonus(60, 60, 15)
    assert sheet.write(Cell("f1.6"), roll("16666")).next_bonus(F1) is None
    struck = free(*(f"11111 f1.{row}" for row in "23456"))
    assert struck.next_bonus(F1) is None


def test_a_column_total_is_known_when_the_column_is_written() -> None:
    sheet = free(*UPPER, "16666 f1.6", "23456 f1.H", "11111 f1.T", "22255 f1.FH", "12345 f1.ST")
    assert sheet.column_total(F1) is None
    assert sheet.write(Cell("f1.Y"), roll("11111")).column_total(F1) == 69 + 60 + 20 + 5 + 36 + 45 + 80


def test_a_first_throw_yamm_counts_wherever_it_is_written() -> None:
    struck = free().with_result(Result(Cell("f1.ST"), 1, roll("33333")))
    assert (struck[Cell("f1.ST")], struck.first_throw_yamms, struck.total) == (0, 1, 100)


@pytest.mark.parametrize("throws, dice", [(2, "33333"), (3, "33333"), (1, "33334")])
def test_no_other_result_is_a_first_throw_yamm(throws: int, dice: str) -> None:
    assert not Result(Cell("f1.H"), throws, roll(dice)).first_throw_yamm


def test_a_sheet_may_have_few_rows() -> None:
    sheet = filled(SheetSpec((F1,), (Row.SIX, Row.HIGH)), "66666 f1.6", "66666 f1.H")
    assert (sheet.upper(F1), sheet.bonus(F1), sheet.column_total(F1), sheet.total) == (30, 0, 60, 60)
