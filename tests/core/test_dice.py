"""The 252 rolls and 462 keeps, compared with counts over ordered dice."""

import copy
import pickle
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.dice import FIRST_ROLL, KEEPS, NO_DICE, ROLLS, Dice, Keep, dice, five, from_faces, keep, roll
from dicecup.core.errors import DiceCode, DiceError

LIKE_DICE = st.text("123456", max_size=6) | st.text("01234567-|?\n １²", max_size=7) | st.text(max_size=6)


def test_there_are_252_rolls_and_462_keeps() -> None:
    assert (len(ROLLS), len(KEEPS)) == (252, 462)
    assert list(KEEPS[FIRST_ROLL:]) == list(map(Keep, ROLLS))
    assert Counter(kept.count for kept in KEEPS) == {0: 1, 1: 6, 2: 21, 3: 56, 4: 126, 5: 252}
    assert KEEPS[0] is NO_DICE


def test_rolls_and_keeps_are_in_order_of_their_index() -> None:
    assert [kept.index for kept in KEEPS] == list(range(462))
    assert [(kept.count, kept.faces) for kept in KEEPS] == sorted((kept.count, kept.faces) for kept in KEEPS)
    assert sorted(KEEPS, reverse=True)[::-1] == list(KEEPS)


@pytest.mark.parametrize("count", range(6))
def test_weights_count_the_ordered_throws(count: int) -> None:
    throws = Counter("".join(map(str, sorted(faces))) for faces in product(range(1, 7), repeat=count))
    assert {kept.text: kept.weight for kept in KEEPS if kept.count == count} == throws


@pytest.mark.parametrize("count", range(6))
def test_outcomes_count_the_ordered_throws_of_the_other_dice(count: int) -> None:
    others = list(product(range(1, 7), repeat=5 - count))
    for kept in KEEPS:
        if kept.count == count:
            after = Counter(from_faces((*kept.faces, *faces)) for faces in others)
            assert dict(kept.outcomes) == after
            assert [follows for follows, _ in kept.outcomes] == sorted(after)
            assert sum(weight for _, weight in kept.outcomes) == 6 ** (5 - count)


def test_a_keep_is_a_part_and_leaves_a_die_to_throw() -> None:
    for value in KEEPS:
        parts = {from_faces(part) for count in range(value.count + 1) for part in combinations(value.faces, count)}
        assert value.parts == parts
        assert list(value.keeps) == sorted(parts - {value})
        assert all(part in value for part in parts)
    assert dice("66") not in roll("12346")
    assert dice("12") not in NO_DICE


def test_dice_have_text_faces_and_counts() -> None:
    shown = roll("11346")
    assert shown.faces == (1, 1, 3, 4, 6)
    assert shown.counts == (2, 0, 1, 1, 0, 1)
    assert (shown.total, shown.count, shown.weight) == (15, 5, 60)
    assert (str(shown), repr(shown), str(NO_DICE)) == ("11346", "dice('11346')", "")


@given(st.sampled_from(KEEPS))
def test_each_multiset_is_one_value(value: Dice) -> None:
    assert dice(value.text) is value
    assert from_faces(reversed(value.faces)) is value
    assert eval(repr(value), {"dice": dice}) is value  # noqa: S307  (the law is that a repr is evaluable)
    assert copy.copy(value) is value
    assert copy.deepcopy([value])[0] is value
    assert pickle.loads(pickle.dumps(value)) is value  # noqa: S301  (our own bytes)


@given(LIKE_DICE)
def test_accepted_dice_are_canonical(text: str) -> None:
    try:
        found = dice(text)
    except DiceError as error:
        assert error.code is _fault(text)
        assert error.details == {"text": text}
    else:
        assert found.text == text
        assert _fault(text) is None


@given(LIKE_DICE)
def test_a_roll_is_five_dice(text: str) -> None:
    fault = _fault(text) or (None if len(text) == 5 else DiceCode.NOT_FIVE_DICE)
    if fault is None:
        assert roll(text) is dice(text)
    else:
        with pytest.raises(DiceError) as refused:
            roll(text)
        assert refused.value.code is fault


@given(LIKE_DICE)
def test_a_keep_is_dice_or_a_hyphen(text: str) -> None:
    if text == "-":
        assert keep(text) is NO_DICE
    elif (fault := _fault(text)) is None:
        assert keep(text) is dice(text)
    else:
        with pytest.raises(DiceError) as refused:
            keep(text)
        assert refused.value.code is fault


@given(st.lists(st.integers(-1, 8), max_size=7))
def test_faces_come_in_any_order(faces: list[int]) -> None:
    if all(1 <= face <= 6 for face in faces) and len(faces) <= 5:
        assert from_faces(iter(faces)).faces == tuple(sorted(faces))
    else:
        with pytest.raises(DiceError) as refused:
            from_faces(faces)
        off = [face for face in faces if not 1 <= face <= 6]
        assert refused.value.code is (DiceCode.NOT_A_FACE if off else DiceCode.TOO_MANY_DICE)


@given(st.sampled_from(KEEPS))
def test_five_dice_are_a_roll(value: Dice) -> None:
    if value.count == 5:
        assert five(value) is value
    else:
        with pytest.raises(DiceError) as refused:
            five(value)
        assert refused.value.code is DiceCode.NOT_FIVE_DICE


def _fault(text: str) -> DiceCode | None:
    """Return why a text is not dice, by a second implementation of the rule."""
    if set(text) - set("123456"):
        return DiceCode.NOT_A_FACE
    if len(text) > 5:
        return DiceCode.TOO_MANY_DICE
    return None if list(text) == sorted(text) else DiceCode.NOT_ASCENDING
