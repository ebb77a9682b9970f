"""Every code with which Yam Master refuses an action or a throw, and every fault of a position."""

import pytest

from dicecup.core.errors import ActionError, PositionError, TextError, TurnCode
from dicecup.yam_master import ActionCode, Fault
from tests.yam_master.positions import at

LOCKED = "yam-master(kept_dice=locked)"
OUT = "yam-master(captured=out)"
FULL_ROUND = "yam-master(end=full_round)"
OVER = "xxxxx/5/5/5/5 o - 7-12 10"

ACTIONS = [
    ("game-over", OVER, "a2"),
    ("game-over", OVER, "k-"),
    ("game-over", OVER, "--"),
    ("dice-in-the-air", "5/5/5/5/5 x 0:????? 12-12 1", "--"),
    ("dice-in-the-air", "5/5/5/5/5 x 1:33??? 12-12 1", "k33"),
    ("no-throw-left", "5/5/5/5/5 x 3:11346 12-12 1", "k11"),
    ("no-throw-left", "5/5/5/5/5 x 3!:11346 12-12 1", "!k11"),
    ("keeps-all-dice", "5/5/5/5/5 x 1:11346 12-12 1", "k11346"),
    ("keeps-all-dice", "5/5/5/5/5 x 1:11346 12-12 1", "!k22222"),
    ("not-these-dice", "5/5/5/5/5 x 1:11346 12-12 1", "k111"),
    ("not-these-dice", "5/5/5/5/5 x 1:11346 12-12 1", "!k5"),
    ("defi-too-late", "5/5/5/5/5 x 2:11346 12-12 1", "!k11"),
    ("defi-twice", "5/5/5/5/5 x 2!:11346 12-12 1", "!k11"),
    ("no-such-square", "5/5/5/5/5 x 1:11346 12-12 1", "a6"),
    ("no-such-square", "5/5/5/5/5 x 1:66666 12-12 1", "-f1"),
    ("square-taken", "x4/5/5/5/5 o 1:11122 11-12 2", "a1"),
    ("square-taken", "x4/5/5/5/5 x 1:11122 11-12 3", "a1"),
    ("figure-not-held", "5/5/5/5/5 x 1:11122 12-12 1", "b1"),
    ("figure-not-held", "5/5/5/5/5 x 1:11346 12-12 1", "c2"),
    ("figure-not-held", "5/5/5/5/5 x 1:11346 12-12 1", "c1"),
    ("figure-not-held", "5/5/5/5/5 x 2!:11122 12-12 1", "c3"),
    ("sec-after-first-throw", "5/5/5/5/5 x 2:11122 12-12 1", "c2"),
    ("sec-after-first-throw", "5/5/5/5/5 x 3!:11122 12-12 1", "b4"),
    ("no-defi-declared", "5/5/5/5/5 x 1:11122 12-12 1", "c1"),
    ("no-defi-declared", "5/5/5/5/5 x 3:11122 12-12 1", "d3"),
    ("defi-needs-big-figure", "5/5/5/5/5 x 2!:11146 12-12 1", "a1"),
    ("no-five-equal", "x4/5/5/5/5 o 1:11112 11-12 2", "-a1"),
    ("no-opposing-token", "x4/5/5/5/5 x 1:11111 11-12 3", "-a1"),
    ("not-an-opposing-token", "x4/5/5/5/o4 x 1:11111 11-11 3", "-a1"),
    ("not-an-opposing-token", "x4/5/5/5/o4 o 1:11111 11-11 4", "-c3"),
]
ACTIONS_LOCKED = [("locked-die-missing", "5/5/5/5/5 x 2:11|346 12-12 1", "k146")]
ROLLS = [
    ("game-over", OVER, "11111"),
    ("no-dice-in-the-air", "5/5/5/5/5 x 1:11346 12-12 1", "11111"),
    ("kept-die-lost", "5/5/5/5/5 x 1:33??? 12-12 1", "11113"),
]


@pytest.mark.parametrize("code, text, action", ACTIONS)
def test_actions_are_refused_with_their_code(code: str, text: str, action: str) -> None:
    refuses(code, text, action, "yam-master")


@pytest.mark.parametrize("code, text, action", ACTIONS_LOCKED)
def test_actions_under_locked_dice_are_refused_with_their_code(code: str, text: str, action: str) -> None:
    refuses(code, text, action, LOCKED)


def refuses(code: str, text: str, action: str, game_id: str) -> None:
    """Raise an assertion error unless the position refuses the action with this code."""
    position = at(text, game_id)
    assert action not in position.actions
    with pytest.raises(ActionError) as refusal:
        position.play(action)
    assert refusal.value.code == code
    assert refusal.value.position is position
    assert str(refusal.value.action) == action
    assert str(position) == text


@pytest.mark.parametrize("code, text, shown", ROLLS)
def test_rolls_are_refused_with_their_code(code: str, text: str, shown: str) -> None:
    position = at(text)
    with pytest.raises(ActionError) as refusal:
        position.roll(shown)
    assert refusal.value.code == code
    assert refusal.value.position is position
    assert str(refusal.value.action) == shown
    assert str(position) == text


def test_every_code_has_an_example() -> None:
    shown = {code for code, *_ in (*ACTIONS, *ACTIONS_LOCKED, *ROLLS)}
    elsewhere = {TurnCode.WRONG_LOCKED_DICE, TurnCode.STARTING_ROLL_OVER}  # test_turn.py, tests/core/test_start.py
    assert shown | elsewhere == {*ActionCode, *TurnCode}


# Positions that can be written down but not be reached

FAULTS = [
    ("SIDE_AND_NUMBER", "5/5/5/5/5 o 0:????? 12-12 1", "yam-master"),
    ("SIDE_AND_NUMBER", "5/5/5/5/5 x 1:11346 12-12 2", "yam-master"),
    ("SUPPLY", "x4/5/5/5/5 o 0:????? 12-12 2", "yam-master"),  # a token too many
    # a token is missing, and captured ones return
    ("SUPPLY", "x4/5/5/5/5 o 0:????? 10-12 2", "yam-master"),
    ("SUPPLY", "x4/5/5/5/5 o 0:????? 12-12 2", OUT),
    ("SUPPLY", "5/5/5/5/5 x 0:????? 13-12 1", "yam-master"),
    ("TOO_FEW_TURNS", "xx3/5/5/5/5 o 0:????? 10-12 2", "yam-master"),
    ("TOO_FEW_TURNS", "5/5/5/5/o4 o 0:????? 12-11 2", "yam-master"),
    # placed once, and removed a token, in one turn
    ("TOO_FEW_TURNS", "x4/5/5/5/5 x 0:????? 11-11 3", OUT),
    ("TWO_LINES", "xxxxx/ooooo/5/5/5 x - 7-7 11", "yam-master"),
    ("LINE_IN_PLAY", "xxxxx/5/5/5/5 o 0:????? 7-12 10", "yam-master"),
    ("LINE_IN_PLAY", "xxxxx/5/5/5/5 x 0:????? 7-12 11", "yam-master"),
    # o cannot have had a turn after it
    ("LINE_OF_SIDE_TO_MOVE", "xxxxx/oo1oo/1ooo1/oo1oo/1o3 x - 7-0 25", "yam-master"),
    ("EMPTY_SUPPLY_IN_PLAY", "xx1xx/x1x1x/5/1x1x1/xxx2 o 0:????? 0-12 24", "yam-master"),
    ("EMPTY_SUPPLY_IN_PLAY", "xx1xx/x1x1x/5/1x1x1/xxx2 x 0:????? 0-12 25", FULL_ROUND),
    ("EMPTY_SUPPLY_IN_PLAY", "oo1oo/o1o1o/5/1o1o1/ooo2 x 0:????? 12-0 25", FULL_ROUND),
    ("NOT_OVER", "5/5/5/5/5 o - 12-12 2", "yam-master"),
    ("NOT_OVER", "xx1xx/x1x1x/5/1x1x1/xxx2 o - 0-12 24", FULL_ROUND),  # o has one more turn
    ("NOT_OVER", "xx1xx/x1x1x/5/1x1x1/xxx2 x - 0-12 25", "yam-master"),  # it ended a turn ago
    ("NOT_OVER", "xx1xx/x1x1x/5/1x1x1/x1x2 x - 1-12 25", "yam-master(captured=out,end=full_round)"),
    ("NOT_OVER", "xx1xx/x1x1x/5/1x1x1/x4 x - 2-12 25", FULL_ROUND),  # one turn returns one token
    ("DEFI_MARK", "5/5/5/5/5 x 0!:????? 12-12 1", "yam-master"),
    ("DEFI_MARK", "5/5/5/5/5 x 1!:11346 12-12 1", "yam-master"),
    ("LOCKED_BAR", "5/5/5/5/5 x 2:11|346 12-12 1", "yam-master"),
]


@pytest.mark.parametrize("fault, text, game_id", FAULTS)
def test_unreachable_positions_are_refused_with_their_fault(fault: str, text: str, game_id: str) -> None:
    with pytest.raises(PositionError) as refusal:
        at(text, game_id)
    assert refusal.value.faults == Fault[fault]
    assert refusal.value.code == "unreachable-position"
    assert refusal.value.details["text"] == text


def test_every_fault_has_an_example() -> None:
    assert {fault for fault, *_ in FAULTS} == {fault.name for fault in Fault}


@pytest.mark.parametrize(
    "text, faults",
    [
        (
            "x4/5/5/5/5 x 0!:????? 12-12 2",
            Fault.SIDE_AND_NUMBER | Fault.SUPPLY | Fault.DEFI_MARK,
        ),
        (
            "xxxxx/5/5/5/5 o 2:11|346 7-12 2",
            Fault.TOO_FEW_TURNS | Fault.LINE_IN_PLAY | Fault.LOCKED_BAR,
        ),
        (
            "xx1xx/x1x1x/5/1x1x1/xxx2 o 1!:11346 0-12 3",
            Fault.SIDE_AND_NUMBER | Fault.TOO_FEW_TURNS | Fault.EMPTY_SUPPLY_IN_PLAY | Fault.DEFI_MARK,
        ),
        ("5/5/5/5/5 x - 12-12 2", Fault.SIDE_AND_NUMBER | Fault.NOT_OVER),
        ("xxxxx/5/5/5/5 x - 7-12 3", Fault.TOO_FEW_TURNS | Fault.LINE_OF_SIDE_TO_MOVE | Fault.NOT_OVER),
    ],
)
def test_an_error_holds_all_faults(text: str, faults: Fault) -> None:
    with pytest.raises(PositionError) as refusal:
        at(text)
    assert refusal.value.faults == faults


@pytest.mark.parametrize(
    "text, game_id",
    [
        ("x4/5/5/5/5 o 0:????? 11-12 2", "yam-master"),
        ("5/5/5/5/5 x 0:????? 12-12 999999999", "yam-master"),  # nobody need ever place
        ("5/5/5/5/5 x 0:????? 12-10 5", OUT),  # o placed two tokens, x removed both
        ("5/5/5/5/5 x 2:11|346 12-12 1", LOCKED),
        ("5/5/5/5/5 x 2!:11|346 12-12 1", LOCKED),
        ("xx1xx/x1x1x/5/1x1x1/xxx2 o 0:????? 0-12 24", FULL_ROUND),
        ("xx1xx/x1x1x/5/1x1x1/x1x2 x - 1-12 25", FULL_ROUND),  # o's last turn returned a token
    ],
)
def test_reachable_positions_are_read_back(text: str, game_id: str) -> None:
    assert str(at(text, game_id)) == text


# Texts that are no position


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12 1 ", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12 1\n", "not-a-position"),
        ("5/5/5/5/5  x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5 x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/5/5 x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/4 x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/6 x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/23 x 0:????? 12-12 1", "not-a-position"),  # one run of free squares is one digit
        ("5/5/5/5/x04 x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/X4 x 0:????? 12-12 1", "not-a-position"),
        ("٥/5/5/5/5 x 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/5 X 0:????? 12-12 1", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12 01", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12 0", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 012-12 1", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12 12 1", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12 ١", "not-a-position"),
        ("5/5/5/5/5 x 0:????? 12-12 1000000000", "not-a-position"),
        ("5/5/5/5/5 x 0 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x 0:???? 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x 4:11346 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x 1:31146 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x 1:١1346 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x 3:1134? 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x 1:11|346 12-12 1", "not-a-turn-state"),
        ("5/5/5/5/5 x -! 12-12 1", "not-a-turn-state"),
    ],
)
def test_texts_that_are_no_position_are_refused(text: str, code: str) -> None:
    with pytest.raises(TextError) as refusal:
        at(text)
    assert refusal.value.code == code
