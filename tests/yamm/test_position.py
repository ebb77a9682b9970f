import pickle
from collections.abc import Container
from enum import StrEnum

import pytest

from dicecup.core.dice import Keep, dice, keep, roll
from dicecup.core.errors import ActionError, DiceError, TextCode, TextError, TurnCode
from dicecup.yamm import (
    SHEET,
    ActionCode,
    Cell,
    Column,
    Ending,
    KeepDice,
    Options,
    Outcome,
    Position,
    Preview,
    Row,
    SheetSpec,
    Write,
    Yamm,
)

SOLO = Yamm.from_id("yamm(players=1)")
LOCKED = Yamm.from_id("yamm(players=1,kept_dice=locked)")


def after(game: Yamm, *words: str) -> Position:
    """Return the position after throws and actions in the words of a record."""
    position = game.start()
    for word in words:
        position = position.roll(word) if word.isdigit() else position.play(word)
    return position


def turn_text(position: Position) -> str:
    """Return the turn of a position as text."""
    return str(position).split(" ")[1]


# --- A turn ---------------------------------------------------------------------------------------


def test_a_game_begins_with_all_dice_in_the_air() -> None:
    start = Yamm().start()
    assert (start.waiting, start.number, start.player, start.sheet, start.outcome) == (True, 1, 0, 0, None)
    assert sum(weight for _, weight in start.chances) == 6**5
    assert ([*start.actions], [*start.corrections]) == ([], [])


def test_a_turn_has_three_throws() -> None:
    position = after(SOLO, "11346")
    assert (turn_text(position), position.waiting, position.chances) == ("1:11346", False, ())
    position = position.play("k11")
    assert (turn_text(position), position.waiting) == ("1:11???", True)
    assert sum(weight for _, weight in position.chances) == 6**3
    position = position.roll("11235").play("k-")
    assert turn_text(position) == "2:?????"
    position = position.roll("22233")
    assert turn_text(position) == "3:22233"
    assert [str(action) for action in position.actions][:2] == ["d1.1", "d2.1"]
    position = position.play("f1.FH")
    assert (turn_text(position), position.number, position.written[0].total) == ("0:?????", 2, 32)


def test_a_turn_may_end_after_any_throw() -> None:
    for words in (("11122",), ("11122", "k111", "11122"), ("11122", "k111", "11123", "k111", "11122")):
        assert after(SOLO, *words, "f1.FH").written[0].total == 50


def test_a_die_that_was_set_aside_may_be_thrown_again() -> None:
    assert turn_text(after(SOLO, "11346", "k11", "11666", "k666")) == "2:666??"


def test_the_actions_come_in_the_pinned_order() -> None:
    shown = " ".join(map(str, after(SOLO, "11122", "d1.1", "11122").actions))
    assert shown.startswith("k- k1 k2 k11 k12 k22 k111 k112 k122 k1112 k1122 d1.2 d2.1 d3.1 u1.Y u2.Y u3.Y f1.1 f1.2 f1.3")
    assert shown.endswith("f3.FH f3.ST f3.Y")


def test_actions_contain_texts_and_values() -> None:
    view = after(SOLO, "11122").actions
    actions: Container[object] = view
    assert "k11" in actions
    assert KeepDice(keep("11")) in actions
    assert Write(Cell("d1.1")) in actions
    assert view[0] == KeepDice(keep("-"))
    for other in ("k3", "d1.2", "--", "1. > f1.1", "k9", 7):
        assert other not in actions
    assert repr(view).startswith("<50 actions: k- k1 k2")


def test_texts_and_values_are_played_alike() -> None:
    position = after(SOLO, "11122")
    assert position.play("k11") == position.play(KeepDice(keep("11"))) == position.play(position.game.action("k11"))
    assert position.play("f1.1") == position.play(Write(Cell("f1.1")))
    assert SOLO.start().roll("11122") == SOLO.start().roll(roll("11122")) == position


def test_a_preview_has_points_and_strikes() -> None:
    position = after(SOLO, "66666", "f1.T", "11122")
    assert position.preview("f2.FH") == Preview(50, strikes_both=False)
    assert position.preview(Write(Cell("f1.H"))) == Preview(0, strikes_both=True)
    with pytest.raises(ActionError):
        position.preview("d1.2")


# --- Dice that stay -------------------------------------------------------------------------------


def test_locked_dice_stay() -> None:
    position = after(LOCKED, "11346", "k11", "11166")
    assert turn_text(position) == "2:11|166"
    assert [str(action) for action in position.actions if isinstance(action, KeepDice)] == [
        "k11",
        "k111",
        "k116",
        "k1116",
        "k1166",
    ]
    assert turn_text(position.play("k11")) == "2:11???"
    assert turn_text(position.play("k1166").roll("11466")) == "3:11466"


def test_nothing_is_locked_when_nothing_was_kept() -> None:
    assert turn_text(after(LOCKED, "11346", "k-", "11166")) == "2:11166"


def test_a_real_die_may_be_knocked_over() -> None:
    kept = after(SOLO, "11346", "k11")
    assert turn_text(kept.roll("12345", table=True)) == "2:12345"
    third = kept.roll("11666").play("k11")
    assert turn_text(third.roll("23456", table=True)) == "3:23456"


def test_a_knocked_locked_die_stays_locked_with_its_new_value() -> None:
    kept = after(LOCKED, "11346", "k11")
    assert turn_text(kept.roll("11266", table=True)) == "2:11|266"
    knocked = kept.roll("12266", table=True, locked=keep("12"))
    assert turn_text(knocked) == "2:12|266"
    assert "k11" not in [*map(str, knocked.actions)]
    assert turn_text(knocked.play("k12").roll("33344", table=True)) == "3:33344"


@pytest.mark.parametrize(
    "game, words, shown, table, locked",
    [
        (SOLO, ("11346", "k11"), "11222", True, "12"),
        (LOCKED, (), "11222", True, "-"),
        (LOCKED, ("11346", "k11"), "12222", False, "12"),
        (LOCKED, ("11346", "k11"), "11222", True, "11"),
        (LOCKED, ("11346", "k11"), "12222", True, "122"),
        (LOCKED, ("11346", "k11"), "12222", True, "13"),
        (LOCKED, ("11346", "k-"), "12222", True, "-"),
        (LOCKED, ("11346", "k11", "11222", "k112"), "12223", True, "122"),
    ],
)
def test_locked_dice_are_named_only_where_they_differ(
    game: Yamm, words: tuple[str, ...], shown: str, table: bool, locked: str
) -> None:
    with pytest.raises(ActionError) as refused:
        after(game, *words).roll(shown, table=table, locked=keep(locked))
    assert refused.value.code is TurnCode.WRONG_LOCKED_DICE


# --- What is refused ------------------------------------------------------------------------------

ENDED = Yamm(Options(players=1), SheetSpec((Column("f1"),), (Row.HIGH,)))
REFUSED_ACTIONS = [
    (ENDED, ("11122", "f1.H"), "k-", TurnCode.GAME_OVER),
    (ENDED, ("11122", "f1.H"), "1. > f1.H", TurnCode.GAME_OVER),
    (SOLO, (), "k-", TurnCode.DICE_IN_THE_AIR),
    (SOLO, ("11122", "k1"), "f1.1", TurnCode.DICE_IN_THE_AIR),
    (SOLO, ("11122", "k-", "11122", "k-", "11122"), "k1", TurnCode.NO_THROW_LEFT),
    (SOLO, ("11122",), "k11122", TurnCode.KEEPS_ALL_DICE),
    (SOLO, ("11122",), "k222", TurnCode.NOT_THESE_DICE),
    (LOCKED, ("11122", "k11", "11133"), "k133", TurnCode.LOCKED_DIE_MISSING),
    (LOCKED, ("11122", "k11", "11133"), "k5", TurnCode.NOT_THESE_DICE),
    (SOLO, ("11122",), "d4.1", ActionCode.NO_SUCH_CELL),
    (SOLO, ("11122", "f1.1", "11122"), "f1.1", ActionCode.CELL_WRITTEN),
    (SOLO, ("11122",), "d1.2", ActionCode.CELL_OUT_OF_ORDER),
    (SOLO, ("11122",), "u1.1", ActionCode.CELL_OUT_OF_ORDER),
    (SOLO, ("11122", "f1.1"), "2. > f1.2", ActionCode.NO_SUCH_RESULT),
    (SOLO, ("11122", "f1.1", "11122"), "1. > f1.2", ActionCode.CORRECTION_TOO_LATE),
    (SOLO, ("11122", "f1.1", "11122", "f1.2"), "1. > f1.3", ActionCode.CORRECTION_TOO_LATE),
    (SOLO, ("11122", "f1.1"), "1. > f1.1", ActionCode.SAME_CELL),
    (SOLO, ("11122", "d1.1"), "1. > d1.2", ActionCode.CELL_OUT_OF_ORDER),
    (SOLO, ("11122", "f1.1", "11122", "f1.2"), "2. > f1.1", ActionCode.CELL_WRITTEN),
    (SOLO, ("11122", "f1.1"), "1. > d4.1", ActionCode.NO_SUCH_CELL),
]
REFUSED_ROLLS = [
    (ENDED, ("11122", "f1.H"), "11122", TurnCode.GAME_OVER),
    (SOLO, ("11122",), "11122", TurnCode.NO_DICE_IN_THE_AIR),
    (SOLO, ("11122", "k11"), "12345", TurnCode.KEPT_DIE_LOST),
]


@pytest.mark.parametrize("game, words, action, code", REFUSED_ACTIONS)
def test_actions_are_refused_with_their_code(game: Yamm, words: tuple[str, ...], action: str, code: ActionCode) -> None:
    position = after(game, *words)
    with pytest.raises(ActionError) as refused:
        position.play(action)
    assert (refused.value.code, refused.value.position, refused.value.action) == (code, position, action)
    for view in (position.actions, position.corrections):
        offered: Container[object] = view
        assert action not in offered


@pytest.mark.parametrize("game, words, shown, code", REFUSED_ROLLS)
def test_throws_are_refused_with_their_code(game: Yamm, words: tuple[str, ...], shown: str, code: ActionCode) -> None:
    position = after(game, *words)
    with pytest.raises(ActionError) as refused:
        position.roll(shown)
    assert (refused.value.code, refused.value.position) == (code, position)


def test_locked_dice_must_be_found_unless_named() -> None:
    with pytest.raises(ActionError) as refused:
        after(LOCKED, "11346", "k11").roll("12345", table=True)
    assert refused.value.code is TurnCode.KEPT_DIE_LOST


def test_every_code_is_tested() -> None:
    elsewhere = {
        TurnCode.WRONG_LOCKED_DICE,
        TurnCode.STARTING_ROLL_OVER,
    }
    assert {code for *_, code in REFUSED_ACTIONS} | {code for *_, code in REFUSED_ROLLS} | elsewhere == {*ActionCode, *TurnCode}


@pytest.mark.parametrize(
    "text, code",
    [
        ("--", TextCode.NOT_AN_ACTION),
        ("", TextCode.NOT_AN_ACTION),
        ("k", TextCode.NOT_AN_ACTION),
        ("k21", TextCode.NOT_AN_ACTION),
        ("k7", TextCode.NOT_AN_ACTION),
        ("k١", TextCode.NOT_AN_ACTION),
        ("!k1", TextCode.NOT_AN_ACTION),
        ("K1", TextCode.NOT_AN_ACTION),
        ("f1.ZT", TextCode.NOT_A_CELL),
        ("f1.1 ", TextCode.NOT_A_CELL),
        ("1. > f1.ZT", TextCode.NOT_A_CELL),
        ("1. > d2.1 d3.1", TextCode.NOT_A_CELL),
        ("01. > f1.1", TextCode.NOT_A_CELL),
        ("0. > f1.1", TextCode.NOT_A_CELL),
        ("1.  > f1.1", TextCode.NOT_A_CELL),
    ],
)
def test_a_text_that_is_no_action_is_refused(text: str, code: StrEnum) -> None:
    position = after(SOLO, "11122")
    with pytest.raises(TextError) as refused:
        position.play(text)
    assert refused.value.code is code
    offered: Container[object] = position.actions
    assert text not in offered


@pytest.mark.parametrize("shown", ["1112", "111222", "21111", "11117", "1112٢"])
def test_a_text_that_is_no_roll_is_refused(shown: str) -> None:
    with pytest.raises(DiceError):
        SOLO.start().roll(shown)


# --- The end --------------------------------------------------------------------------------------

SMALL = Yamm(Options(players=2), SheetSpec((Column("d1"),), (Row.SIX, Row.HIGH)))


def test_the_game_ends_when_every_sheet_is_full() -> None:
    position = after(SMALL, "11666", "d1.6", "66666", "d1.6", "11111", "d1.H", "11112", "d1.H")
    assert str(position) == "18,5+1|30,6+1 - 5"
    assert (position.turn, position.waiting, position.player, position.sheet, position.chances) == (None, False, None, None, ())
    assert position.wet == (None, None)
    assert position.outcome == Outcome(Ending.FULL, (1,), (123, 136))


def test_equal_totals_share_the_win() -> None:
    outcome = after(SMALL, "11666", "d1.6", "11666", "d1.6", "11112", "d1.H", "11112", "d1.H").outcome
    assert outcome == Outcome(Ending.FULL, (0, 1), (24, 24))


def test_a_pair_shares_a_sheet() -> None:
    game = Yamm(Options(4, pairs=True), SheetSpec((Column("f1"),), (Row.SIX, Row.HIGH)))
    position = after(game, "11666", "f1.6", "66666", "f1.6", "11111")
    assert (position.number, position.player, position.sheet, len(position.sheets)) == (3, 2, 0, 2)
    assert [str(action) for action in position.actions if isinstance(action, Write)] == ["f1.H"]


# --- As a value -----------------------------------------------------------------------------------


def test_a_position_is_a_value() -> None:
    def position(game: str, text: str) -> Position:
        return Yamm.from_id(game).position(text)

    before = after(SOLO, "11122", "f1.1", "66666")
    assert eval(repr(before), {"position": position}) == before  # noqa: S307
    assert repr(SOLO.start()).startswith("position('yamm(players=1)', '.11/")
    assert hash(before) == hash(after(SOLO, "11122", "f1.1", "66666"))
    assert pickle.loads(pickle.dumps(before)) == before  # noqa: S301
    assert before != SOLO.start()
    with pytest.raises(AttributeError):
        before.number = 7  # type: ignore[misc]


def test_actions_have_an_evaluable_repr() -> None:
    assert repr(SOLO.action("k33")) == "KeepDice(kept=dice('33'))"
    assert repr(SOLO.action("f1.FH")) == "Write(cell='f1.FH')"
    assert repr(SOLO.action("16. > f2.Y")) == "Correct(turn=16, cell='f2.Y')"


def test_unchecked_twins_agree() -> None:
    position = SOLO.start()
    assert position.roll_unchecked(roll("11122")) == position.roll("11122")
    shown = position.roll("11122")
    for action in shown.actions:
        assert shown.play_unchecked(action) == shown.play(action)
    locked = after(LOCKED, "11346", "k11")
    assert locked.roll_unchecked(roll("12266"), Keep(dice("12"))) == locked.roll("12266", table=True, locked=keep("12"))


def test_the_sheet_is_a_value_of_the_game() -> None:
    assert SOLO.sheet is SHEET
    assert SMALL.start().sheets[0].spec == SMALL.sheet
