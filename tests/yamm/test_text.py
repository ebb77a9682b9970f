import pytest

from dicecup.core.errors import TextCode, TextError
from dicecup.core.turn import turn_from_text
from dicecup.yamm import Options, SheetSpec, Yamm
from dicecup.yamm.text import draft_from_text, sheet_text

SOLO = Yamm.from_id("yamm(players=1)")
SMALL = Yamm(Options(players=2), SheetSpec.from_text("d1,f1"))
EMPTY = "/".join([".11"] * 9)


def test_the_start_has_empty_sheets_and_dice_in_the_air() -> None:
    assert str(SOLO.start()) == f"{EMPTY} 0:????? 1"
    assert str(Yamm().start()) == f"{EMPTY}|{EMPTY} 0:????? 1"


@pytest.mark.parametrize(
    "text",
    [
        ".11/.11|.11/.11 0:????? 1",
        ".11/.11|.11/.11 1:11346 1",
        ".11/.11~d1.1=1:11346|.11/.11 0:????? 2",
        ".11/.11~d1.1=1:11346|.11/.11 2:33??? 2",
        ".11/.11~d1.1=3:66666|.11/.11~f1.ST=2:12345 0:????? 3",
        "2,.10/.11|.11/.11~f1.ST=2:12345 1:11112 3",
        "x,.10/.4,x,.6+2~f1.1=1:11346|.11/.2,x,x,.7+1~f1.T=1:11111 0:????? 7",
        "5,10,15,20,25,30,30,29,50,50,80/x,x,x,x,x,x,x,x,x,x,x+22|x,x,x,x,x,x,x,x,x,x,x/.1,x,x,x,x,x,x,x,x,x,x 3:11346 44",
        "5,10,15,20,25,30,30,29,50,50,80/x,x,x,x,x,x,x,x,x,x,x+20|x,x,x,x,x,x,x,x,x,x,x/x,x,x,x,x,x,x,x,x,x,x - 45",
    ],
)
def test_a_text_is_read_back(text: str) -> None:
    draft = draft_from_text(SMALL.sheet, text)
    assert str(draft) == text


@pytest.mark.parametrize(
    "text, code",
    [
        ("", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11 0:?????", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11 0:????? 1 ", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11 0:????? 01", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11 0:????? 0", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11 0:????? 10000", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11 0:????? ١", TextCode.NOT_A_POSITION),
        (".11/.11|.11/.11  1", TextCode.NOT_A_TURN_STATE),
        (".11/.11|.11/.11 0:11346 1", TextCode.NOT_A_TURN_STATE),
        (".11/.11|.11/.11 1:21346 1", TextCode.NOT_A_TURN_STATE),
        (".11|.11/.11 0:????? 1", TextCode.NOT_A_SHEET),
        (".11/.11/.11|.11/.11 0:????? 1", TextCode.NOT_A_SHEET),
        (".10/.11|.11/.11 0:????? 1", TextCode.NOT_A_SHEET),
        (".12/.11|.11/.11 0:????? 1", TextCode.NOT_A_SHEET),
        ("|.11/.11 0:????? 1", TextCode.NOT_A_SHEET),
        ("0,.10/.11|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        ("05,.10/.11|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        ("5000,.10/.11|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        (".11,.0/.11|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        ("X,.10/.11|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        (".11/.11+0|.11/.11 0:????? 1", TextCode.NOT_A_SHEET),
        (".11/.11~d1.1=1:11111+1|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        (".11/.11~d1.1=0:11111|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        (".11/.11~d1.1=1:21111|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        (".11/.11~d1.1=1:1111|.11/.11 0:????? 2", TextCode.NOT_A_SHEET),
        (".11/.11~d1.7=1:11111|.11/.11 0:????? 2", TextCode.NOT_A_CELL),
        (".1,.10/.11|.11/.11 0:????? 1", TextCode.NOT_CANONICAL),
        (".11/.5,.6|.11/.11 0:????? 1", TextCode.NOT_CANONICAL),
    ],
)
def test_an_unreadable_text_is_refused(text: str, code: TextCode) -> None:
    with pytest.raises(TextError) as refused:
        SMALL.position(text)
    assert refused.value.code is code


def test_more_sheets_than_any_game_has_are_unreadable() -> None:
    with pytest.raises(TextError) as refused:
        SMALL.position("|".join([".11/.11"] * 17) + " 0:????? 1")
    assert refused.value.code is TextCode.NOT_A_SHEET


def test_a_huge_text_is_refused_like_any_other() -> None:
    for text in ("x," * 10**6, ".99," * 10**6, ".11/" * 10**6, "|" * 10**6, " " * 10**6, "9" * 10**6):
        for place in range(3):
            words = [".11/.11|.11/.11", "0:?????", "1"]
            words[place] = text
            with pytest.raises(TextError):
                SMALL.position(" ".join(words))


def test_a_wet_result_is_not_among_the_cells() -> None:
    position = SOLO.start().roll("66666").play("f1.T").roll("11122").play("f1.H")
    assert str(position).split(" ")[0].endswith("/.7,30,.3/.11/.11+1~f1.H=1:11122")
    assert sheet_text(position.written[0]).endswith("/.6,x,x,.3/.11/.11+1")


def test_a_defi_mark_is_kept_in_a_draft() -> None:
    text = ".11/.11|.11/.11 1!:11??? 1"
    draft = draft_from_text(SMALL.sheet, text)
    assert (draft.mark, draft.turn) == (True, turn_from_text("1:11???")[0])
    assert str(draft) == text
