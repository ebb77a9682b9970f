"""The state of a turn: allowed keeps, throws, and the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.dice import KEEPS, NO_DICE, ROLLS, Dice, Keep, Roll, keep, roll
from dicecup.core.errors import DiceCode, DiceError, TextCode, TextError
from dicecup.core.turn import BEGIN, KeptDice, Turn, locked_from_text, locked_text, turn_from_text


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """Draw a turn that real dice can reach, under any value of `kept_dice`."""
    rule = draw(st.sampled_from(KeptDice))
    turn = BEGIN
    for _ in range(draw(st.integers(0, 5))):
        if turn.waiting:
            follows = [shown for shown, _ in turn.dice.outcomes]
            turn = turn.landing(draw(st.sampled_from(follows)), rule)
        elif turn.keeps:
            turn = turn.keeping(draw(st.sampled_from(turn.keeps)))
    return turn


@given(turns(), st.sampled_from(KEEPS))
def test_the_keeps_are_those_that_are_allowed(turn: Turn, kept: Keep) -> None:
    assert (turn.keep_refusal(kept) is None) == (kept in turn.keeps)
    assert list(turn.keeps) == sorted(set(turn.keeps))
    assert all(turn.keep_refusal(each) is None for each in turn.keeps)


@given(turns())
def test_a_turn_waits_for_dice_or_for_a_person(turn: Turn) -> None:
    assert bool(turn.keeps) == (not turn.waiting and turn.throws < 3)
    for kept in turn.keeps:
        after = turn.keeping(kept)
        assert (after.throws, after.dice, after.waiting) == (turn.throws, kept, True)


@pytest.mark.parametrize("rule", KeptDice)
def test_a_turn_has_three_throws(rule: KeptDice) -> None:
    first = BEGIN.landing(roll("11346"), rule)
    second = first.keeping(keep("11")).landing(roll("11256"), rule)
    third = second.keeping(keep("112")).landing(roll("11233"), rule)
    assert [first.throws, second.throws, third.throws] == [1, 2, 3]
    assert (len(first.keeps), third.keeps) == (23, ())


def test_locked_dice_stay() -> None:
    second = BEGIN.landing(roll("11346"), KeptDice.LOCKED).keeping(keep("11")).landing(roll("11256"), KeptDice.LOCKED)
    assert second.locked is keep("11")
    assert [kept.text for kept in second.keeps] == ["11", "112", "115", "116", "1125", "1126", "1156"]
    assert second.keep_refusal(keep("12")) is not None
    assert second.keeping(keep("112")).landing(roll("11222"), KeptDice.LOCKED).locked is NO_DICE


def test_free_dice_may_be_thrown_again() -> None:
    second = BEGIN.landing(roll("11346"), KeptDice.FREE).keeping(keep("11")).landing(roll("11256"), KeptDice.FREE)
    assert second.locked is NO_DICE
    assert second.keep_refusal(keep("25")) is None


def test_a_locked_die_that_was_knocked_over_stays_with_its_new_face() -> None:
    kept = BEGIN.landing(roll("22346"), KeptDice.LOCKED).keeping(keep("22"))
    knocked = kept.landing(roll("23456"), KeptDice.LOCKED, keep("23"))
    assert knocked.locked is keep("23")
    assert knocked.text() == "2:23|456"


def test_nothing_may_be_kept_of_dice_in_the_air() -> None:
    assert BEGIN.keeps == ()
    assert BEGIN.keep_refusal(NO_DICE) is not None


@pytest.mark.parametrize(
    "text, turn, mark",
    [
        ("0:?????", BEGIN, False),
        ("1:11346", Turn(1, roll("11346")), False),
        ("1:33???", Turn(1, keep("33")), False),
        ("1!:33???", Turn(1, keep("33")), True),
        ("1:?????", Turn(1, NO_DICE), False),
        ("2!:33356", Turn(2, roll("33356")), True),
        ("2:33|456", Turn(2, roll("33456"), keep("33")), False),
        ("3:11111", Turn(3, roll("11111")), False),
    ],
)
def test_a_turn_and_its_text_are_equivalent(text: str, turn: Turn, *, mark: bool) -> None:
    assert turn_from_text(text) == (turn, mark)
    assert turn.text("!" if mark else "") == text
    if not mark:
        assert str(turn) == text


@given(turns(), st.booleans())
def test_a_printed_turn_reads_back(turn: Turn, mark: bool) -> None:
    assert turn_from_text(turn.text("!" if mark else "")) == (turn, mark)


SHAPED = st.from_regex(r"[0-4]!?:[1-6]{0,5}(\|[1-6]{0,5})?\?{0,5}", fullmatch=True)
MUTATED = st.builds(
    lambda turn, at, put: turn.text()[:at] + put + turn.text()[at + 1 :],
    turns(),
    st.integers(0, 9),
    st.sampled_from(["", "?", "|", "!", "0", "6", "７", "\n", "-"]),
)


@given(SHAPED | MUTATED | st.text(max_size=9))
def test_an_accepted_text_is_canonical(text: str) -> None:
    try:
        turn, mark = turn_from_text(text)
    except TextError as error:
        assert error.code is TextCode.NOT_A_TURN_STATE
        assert error.details == {"text": text}
    else:
        assert turn.text("!" if mark else "") == text
        assert turn.throws > 0 or turn == BEGIN
        assert not (turn.throws == 3 and turn.waiting)


@pytest.mark.parametrize(
    "text",
    [
        "-",  # a game that is over has no turn
        "0:11346",
        "0:1????",
        "3:1134?",
        "4:11346",
        "1:1134",
        "1:11346?",
        "1:43???",
        "1:??33?",
        "1:33|456",
        "3:33|456",
        "2:|33456",
        "2:33456|",
        "2:33|4??",
        "2:33|456 ",
        "1!!:33???",
        "1:１１346",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(TextError):
        turn_from_text(text)


@given(st.sampled_from(ROLLS), st.data())
def test_locked_dice_read_back(shown: Roll, data: st.DataObject) -> None:
    locked: Dice = data.draw(st.sampled_from(shown.keeps[1:]))
    text = locked_text(shown, Keep(locked))
    assert locked_from_text(text) == (shown, locked)
    assert sorted(text) == sorted(f"{shown.text}|")


@pytest.mark.parametrize(
    "text, code",
    [
        ("22346", DiceCode.NOT_FIVE_DICE),
        ("|22346", DiceCode.NOT_FIVE_DICE),
        ("22|34", DiceCode.NOT_FIVE_DICE),
        ("222|346", DiceCode.TOO_MANY_DICE),
        ("22|436", DiceCode.NOT_ASCENDING),
        ("2|2|346", DiceCode.NOT_A_FACE),
        ("-|22346", DiceCode.NOT_FIVE_DICE),
    ],
)
def test_other_locked_rolls_are_refused(text: str, code: DiceCode) -> None:
    with pytest.raises(DiceError) as refused:
        locked_from_text(text)
    assert refused.value.code is code


def test_a_turn_gives_the_kept_dice_to_the_source() -> None:
    assert BEGIN.kept is NO_DICE
    assert BEGIN.landing(roll("11346"), KeptDice.FREE).keeping(keep("11")).kept is keep("11")
