"""Dice sources: seeded dice repeat, scripted dice refuse leftovers, table dice take what a person
entered.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.dice import KEEPS, NO_DICE, ROLLS, Keep, Roll, keep, roll
from dicecup.core.errors import DiceCode, DiceError, SourceError
from dicecup.core.source import (
    DiceSource,
    ScriptedSource,
    SeededSource,
    TableSource,
    Throw,
    throw_from_text,
    throw_text,
)


class TestSeeded:
    @given(st.text(max_size=8), st.lists(st.sampled_from(KEEPS), max_size=6))
    def test_the_same_seed_throws_the_same_dice(self, seed: str, keeps: list[Keep]) -> None:
        one, other = SeededSource(seed), SeededSource(seed)
        assert [one.throw(kept) for kept in keeps] == [other.throw(kept) for kept in keeps]
        assert one.thrown == len(keeps)

    @given(st.text(max_size=8), st.lists(st.sampled_from(KEEPS), max_size=6), st.sampled_from(KEEPS))
    def test_a_throw_depends_on_its_number_alone(self, seed: str, before: list[Keep], kept: Keep) -> None:
        source = SeededSource(seed)
        for each in before:
            source.throw(each)
        resumed = SeededSource(seed, thrown=len(before))
        assert source.throw(kept) == resumed.throw(kept)
        assert source.die() == resumed.die()

    @given(st.text(max_size=8), st.sampled_from(KEEPS))
    def test_kept_dice_stay(self, seed: str, kept: Keep) -> None:
        thrown = SeededSource(seed).throw(kept)
        assert thrown is not None
        assert kept in thrown.roll
        assert thrown.locked is None

    @given(st.text(max_size=8), st.integers(0, 1000))
    def test_the_dice_are_those_of_the_docstring(self, seed: str, number: int) -> None:
        digest = hmac.new(seed.encode(), f"throw {number} 0".encode(), hashlib.sha256).digest()
        faces = [byte % 6 + 1 for byte in digest if byte < 252][:5]
        thrown = SeededSource(seed, thrown=number).throw(NO_DICE)
        assert thrown is not None
        assert thrown.roll.faces == tuple(sorted(faces))
        assert SeededSource(seed, thrown=number).die() == faces[0]

    def test_bytes_that_would_favour_a_face_are_skipped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        blocks = {b"throw 7 0": bytes([252, 253, 254, 255, 0, 251]), b"throw 7 1": bytes([255, 6, 13, 20])}
        monkeypatch.setattr(hmac, "digest", lambda _key, message, _name: blocks[message])
        thrown = SeededSource("any", thrown=7).throw(NO_DICE)
        assert thrown == Throw(roll("11236"))

    def test_every_face_is_equally_likely(self) -> None:
        # 12 000 dice of one fixed seed; chi-squared with 5 degrees of freedom exceeds 20.5 once in
        # a thousand seeds.
        source = SeededSource("fair")
        faces = Counter(source.die() for _ in range(12_000))
        assert sum((count - 2000) ** 2 / 2000 for count in faces.values()) < 20.5


class TestScripted:
    def test_it_throws_the_given_dice(self) -> None:
        with ScriptedSource(["11346", "4", "11233"]) as source:
            assert source.throw(NO_DICE) == Throw(roll("11346"))
            assert source.die() == 4
            assert source.throw(keep("11")) == Throw(roll("11233"))

    def test_leftovers_are_a_fault(self) -> None:
        source = ScriptedSource(["11346", "4"])
        with pytest.raises(SourceError) as refused, source:
            pass
        assert refused.value.code is DiceCode.SOURCE_LEFTOVERS
        assert refused.value.details == {"text": "11346 4"}

    def test_leftovers_do_not_hide_another_error(self) -> None:
        with pytest.raises(ZeroDivisionError), ScriptedSource(["11346"]):
            raise ZeroDivisionError

    def test_an_empty_script_is_an_error(self) -> None:
        with ScriptedSource([]) as source:
            for ask in (lambda: source.throw(NO_DICE), source.die):
                with pytest.raises(SourceError) as refused:
                    ask()
                assert refused.value.code is DiceCode.SOURCE_EMPTY

    def test_kept_dice_must_be_found_again_unless_they_are_real(self) -> None:
        with pytest.raises(SourceError) as refused:
            ScriptedSource(["11346"]).throw(keep("22"))
        assert refused.value.code is DiceCode.SOURCE_MISMATCH
        assert refused.value.details == {"text": "11346", "kept": "22"}
        assert ScriptedSource(["11346"], table=True).throw(keep("22")) == Throw(roll("11346"))

    def test_void_throws_happen_at_a_table_only(self) -> None:
        assert ScriptedSource(["~"], table=True).throw(NO_DICE) is None
        with pytest.raises(DiceError) as refused:
            ScriptedSource(["~"]).throw(NO_DICE)
        assert refused.value.code is DiceCode.NOT_A_FACE

    def test_a_knocked_die_is_named_by_the_bar(self) -> None:
        thrown = ScriptedSource(["22|346"], table=True).throw(keep("23"))
        assert thrown == Throw(roll("22346"), keep("22"))


class TestTable:
    @given(st.permutations("11346"))
    def test_faces_come_in_any_order(self, faces: list[str]) -> None:
        assert _table("".join(faces)).throw(keep("66")) == Throw(roll("11346"))

    def test_the_question_has_the_kept_dice(self) -> None:
        asked: list[Keep] = []

        def ask(kept: Keep) -> str:
            asked.append(kept)
            return "12345"

        TableSource(ask, lambda: "1").throw(keep("12"))
        assert asked == [keep("12")]

    def test_a_void_throw_is_none(self) -> None:
        assert _table("~").throw(NO_DICE) is None

    def test_a_knocked_die_is_named_by_the_bar(self) -> None:
        assert _table("32|643").throw(keep("22")) == Throw(roll("23346"), keep("23"))

    @pytest.mark.parametrize("text", ["", "1134", "113466", "11347", "1 1 3 4 6", "~~", "|11346", "１1346"])
    def test_other_texts_are_refused(self, text: str) -> None:
        with pytest.raises(DiceError):
            _table(text).throw(NO_DICE)


def _table(text: str) -> TableSource:
    return TableSource(lambda _kept: text, lambda: text)


@pytest.mark.parametrize("make, error", [(lambda text: ScriptedSource([text]), SourceError), (_table, DiceError)])
@pytest.mark.parametrize("text, face", [("1", 1), ("6", 6), ("0", None), ("7", None), ("12", None), ("", None), ("４", None)])
def test_a_single_die_shows_one_to_six(
    make: Callable[[str], DiceSource], error: type[DiceError], text: str, face: int | None
) -> None:
    source = make(text)
    if face is not None:
        assert source.die() == face
    else:
        with pytest.raises(error) as refused:
            source.die()
        assert refused.value.code is DiceCode.NOT_A_FACE


@given(st.sampled_from(ROLLS), st.data())
def test_the_text_of_a_throw_reads_back(shown: Roll, data: st.DataObject) -> None:
    locked = data.draw(st.none() | st.sampled_from(shown.keeps[1:]))
    thrown = Throw(shown, locked)
    assert throw_from_text(throw_text(thrown)) == thrown


@given(st.text("123456|", max_size=7) | st.text(max_size=7))
def test_an_accepted_throw_is_canonical(text: str) -> None:
    try:
        thrown = throw_from_text(text)
    except DiceError as error:
        assert isinstance(error.code, DiceCode)
    else:
        assert throw_text(thrown) == text
