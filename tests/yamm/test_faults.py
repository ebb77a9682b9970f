"""Positions that no game can reach. The error holds every fault."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.dice import ROLLS, roll
from dicecup.core.errors import PositionError
from dicecup.core.turn import KeptDice
from dicecup.yamm import Column, Fault, Options, Position, PositionCode, Row, Sheet, SheetSpec, Yamm
from dicecup.yamm.rows import POSSIBLE, YAMMS, value
from dicecup.yamm.text import sheet_text

SHEET = SheetSpec.from_text("d1,u1,f1")
TWO = Yamm(Options(players=2), SHEET)
ONE = Yamm(Options(players=1), SHEET)
FULL = "x,x,x,x,x,x,x,x,x,x,x"
EMPTY = ".11/.11/.11"

FAULTY = [
    (TWO, f"{EMPTY} 0:????? 1", Fault.SHEETS),
    (ONE, f"{EMPTY}|{EMPTY} 0:????? 1", Fault.SHEETS),
    (ONE, f"{FULL}/{FULL}/{FULL} - 35", Fault.TURN_NUMBER),
    (ONE, f"{EMPTY} 1:11346 2", Fault.CELLS_AND_NUMBER),
    (ONE, "x,.10/.11/.11 1:11346 1", Fault.CELLS_AND_NUMBER),
    (TWO, ".11/.11/.11|x,.10/.11/.11 1:11346 2", Fault.CELLS_AND_NUMBER | Fault.INK_MISSING),
    (ONE, f"{FULL}/{FULL}/{FULL} 0:????? 34", Fault.OVER | Fault.INK_MISSING),
    (ONE, f"{FULL}/{FULL}/{FULL} 1:11346 34", Fault.OVER),
    (ONE, f"{EMPTY} - 1", Fault.NOT_OVER),
    (ONE, ".1,x,.9/.11/.11 1:11346 2", Fault.OUT_OF_ORDER),
    (ONE, "x,.1,x,.8/.11/.11 1:11346 3", Fault.OUT_OF_ORDER),
    (ONE, ".11/.9,x,.1/.11 1:11346 2", Fault.OUT_OF_ORDER),
    (ONE, ".11/x,.10/.11 1:11346 2", Fault.OUT_OF_ORDER),
    (ONE, ".11/.11/6,.10 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.1,3,.9 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.6,4,.4 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.7,31,.3 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.8,25,.2 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.9,40,.1 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.10,45 1:11346 2", Fault.IMPOSSIBLE_VALUE),
    (ONE, ".11/.11/.6,20,20,.3 1:11346 3", Fault.HIGH_NOT_ABOVE_LOW),
    (ONE, ".11/.11/.6,x,.4 1:11346 2", Fault.HALF_STRUCK),
    (ONE, ".11/.11/.7,x,.3 1:11346 2", Fault.HALF_STRUCK),
    (ONE, ".11/.11/.6,x,20,.3 1:11346 3", Fault.HALF_STRUCK),
    (ONE, ".11/.11/.11+1 1:11346 1", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/4,.10+1 1:11346 2", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/.9,45,.1+1 1:11346 2", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/.8,x,.2+1 1:11346 2", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/.10,x+1 1:11346 2", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/.6,21,20,.3+2 1:11346 3", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/.11+1~f1.1=1:11111 0:????? 2", Fault.TOO_MANY_YAMMS),
    (ONE, ".11/.11/.11~d1.2=1:11346 0:????? 2", Fault.INK_CELL),
    (ONE, ".11/.11/.11~f2.1=1:11346 0:????? 2", Fault.INK_CELL),
    (ONE, ".11/.11/x,.10~f1.1=1:11346 0:????? 3", Fault.INK_CELL),
    (ONE, ".11/.11/.11~f1.1=1:11346 1:11346 2", Fault.INK_DRY),
    (ONE, ".11/.11/.11~f1.1=1:11346 1:11??? 2", Fault.INK_DRY),
    (TWO, f"{EMPTY}~f1.1=1:11346|{EMPTY}~f1.1=1:11346 0:????? 2", Fault.INK_DRY | Fault.CELLS_AND_NUMBER),
    (ONE, f"{FULL}/{FULL}/.1,x,x,x,x,x,x,x,x,x,x~f1.1=1:11346 - 34", Fault.INK_DRY),
    (ONE, ".11/.11/x,.10 0:????? 2", Fault.INK_MISSING),
    (TWO, f".11/.11/x,.10|{EMPTY} 1:11346 2", Fault.INK_MISSING),
    (ONE, f"{EMPTY} 1!:11??? 1", Fault.DEFI_MARK),
    (ONE, f"{EMPTY} 2:33|456 1", Fault.LOCKED_BAR),
]


@pytest.mark.parametrize("game, text, faults", FAULTY)
def test_an_unreachable_position_is_refused_with_its_faults(game: Yamm, text: str, faults: Fault) -> None:
    with pytest.raises(PositionError) as refused:
        game.position(text)
    assert refused.value.faults == faults
    assert refused.value.code is PositionCode.UNREACHABLE


def test_every_fault_is_tested() -> None:
    assert {fault for *_, faults in FAULTY for fault in Fault if fault in faults} == set(Fault)


def test_an_error_holds_all_faults() -> None:
    with pytest.raises(PositionError) as refused:
        ONE.position(".1,x,.9/.11/6,.5,x,20,.3+9~d1.2=1:11346 2!:33|456 9")
    assert refused.value.faults == (
        Fault.OUT_OF_ORDER
        | Fault.IMPOSSIBLE_VALUE
        | Fault.HALF_STRUCK
        | Fault.TOO_MANY_YAMMS
        | Fault.INK_CELL
        | Fault.DEFI_MARK
        | Fault.LOCKED_BAR
        | Fault.INK_DRY
        | Fault.CELLS_AND_NUMBER
    )


@pytest.mark.parametrize(
    "game, text",
    [
        (ONE, ".11/.11/.6,x,x,.3 1:11346 3"),
        (ONE, ".11/.11/.6,x,x,.3+2 1:11346 3"),
        (ONE, ".11/.11/.6,30,25,.3+2 1:11346 3"),
        (ONE, ".11/.11/.6,30,25,.3+1~f1.ST=1:66666 0:????? 4"),
        (ONE, f"{FULL}/{FULL}/{FULL}+27 - 34"),
        (TWO, f"{EMPTY}~f1.1=1:11346|{EMPTY} 0:????? 2"),
        (TWO, f"{EMPTY}~f1.1=1:11346|{EMPTY} 3:11346 2"),
        (Yamm(Options(1, KeptDice.LOCKED), SHEET), f"{EMPTY} 2:33|456 1"),
        (Yamm(Options(1, KeptDice.LOCKED), SHEET), f"{EMPTY} 2:33456 1"),
    ],
)
def test_a_reachable_position_is_read_back(game: Yamm, text: str) -> None:
    assert str(game.position(text)) == text


def test_high_alone_on_a_sheet_is_never_struck() -> None:
    game = Yamm(Options(1), SheetSpec((Column("f1"),), (Row.HIGH, Row.YAMM)))
    with pytest.raises(PositionError) as refused:
        game.position("x,.1 1:11346 2")
    assert refused.value.faults == Fault.HALF_STRUCK


# --- Nothing unreachable is accepted --------------------------------------------------------------

SMALL = SheetSpec((Column("d1"), Column("u1"), Column("f1")), (Row.ONE, Row.HIGH, Row.LOW, Row.FULL_HOUSE))
VALUES = st.tuples(*(st.sampled_from([0, *sorted(POSSIBLE[row])]) for row in SMALL.rows))
GAPS = st.tuples(st.integers(0, 4), st.integers(0, 4), st.sets(st.integers(0, 3)))


def _sheet(
    down: tuple[int, ...], up: tuple[int, ...], free: tuple[int, ...], gaps: tuple[int, int, set[int]], yamms: int
) -> Sheet:
    """Return a sheet with any values, whose columns are filled in their order."""
    top = tuple(points if place < gaps[0] else None for place, points in enumerate(down))
    bottom = tuple(points if place >= gaps[1] else None for place, points in enumerate(up))
    anywhere = tuple(None if place in gaps[2] else points for place, points in enumerate(free))
    return Sheet(SMALL, (top, bottom, anywhere), yamms)


SHEETS = st.builds(_sheet, VALUES, VALUES, VALUES, GAPS, st.integers(0, 3))


@given(SHEETS)
@settings(max_examples=500)
def test_a_position_without_faults_is_reached_by_a_game(sheet: Sheet) -> None:
    game = Yamm(Options(players=1), SMALL)
    text = f"{sheet_text(sheet)} 1:11346 {sheet.written + 1}"
    try:
        position = game.position(text)
    except PositionError:
        return
    assert _replayed(game, sheet) == position


def _replayed(game: Yamm, sheet: Sheet) -> Position:
    """Return the position of a game that fills this sheet.

    Columns are filled in their order, and the Yamms at the first throw come as early as possible.
    """
    position = game.start()
    upward = [name for name in reversed(SMALL.cells) if name[0] == "u"]
    yamms = sheet.first_throw_yamms
    for name in [*(name for name in SMALL.cells if name[0] != "u"), *upward]:
        points = sheet[name]
        if points is None:
            continue
        row = Row(name.split(".")[1])
        struck = points == 0 and row in (Row.HIGH, Row.LOW)
        rolls = [shown for shown in ROLLS if struck or value(row, shown) == points]
        rolls.sort(key=lambda shown: (shown not in YAMMS) if yamms else (shown in YAMMS))
        shown = rolls[0]
        if struck:
            low, high = ("11111", "66666") if yamms else ("11112", "56666")
            shown = roll(low if row is Row.HIGH else high)
        first = shown in YAMMS and yamms > 0
        yamms -= first
        position = position.roll(shown) if first else position.roll("12346").play("k-").roll(shown)
        position = position.play(name)
    assert yamms == 0
    return position.roll("11346")
