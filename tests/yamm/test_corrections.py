"""Corrections: a result can move until the next turn of its sheet begins (docs/rules.md, Yamm)."""

from collections.abc import Container, Iterable

from dicecup.yamm import Action, Cell, Correct, Preview, Yamm
from tests.strategies import SMALL_SHEETS
from tests.yamm.test_position import after

SOLO = Yamm.from_id("yamm(players=1)")
THREE = Yamm.from_id("yamm(players=3)")
PAIRS = Yamm.from_id("yamm(players=4,pairs=yes)")


def movable(corrections: Iterable[Action]) -> set[str]:
    """Return the turns whose results can move, as texts."""
    return {str(correction).split(".")[0] for correction in corrections}


def test_a_result_moves_and_is_valued_anew() -> None:
    position = after(SOLO, "11122", "f1.1")
    assert position.written[0].total == 3
    moved = position.play("1. > f1.FH")
    assert (moved.written[0].total, moved.written[0][Cell("f1.1")], moved.number) == (50, None, 2)
    assert position.preview("1. > f1.FH") == Preview(50, strikes_both=False)


def test_a_result_can_move_again_and_back() -> None:
    position = after(SOLO, "11122", "f1.1")
    assert position.play("1. > f1.FH").play("1. > d1.1").play("1. > f1.1") == position


def test_a_result_is_final_after_the_next_first_throw() -> None:
    position = after(SOLO, "11122", "f1.1")
    assert len(position.corrections) == 38
    later = position.roll("11122")
    assert [*later.corrections] == []
    assert later.wet == (None,)
    assert later.sheets[0][Cell("f1.1")] == 3


def test_cells_open_before_the_result_allow_corrections() -> None:
    texts = [*map(str, after(SOLO, "11122", "d1.1").corrections)]
    assert texts[:3] == ["1. > d2.1", "1. > d3.1", "1. > u1.Y"]
    assert "1. > d1.2" not in texts


def test_high_and_low_that_were_struck_are_restored() -> None:
    position = after(SOLO, "66666", "f1.T", "11122", "f1.H")
    struck = position.written[0]
    assert (struck[Cell("f1.H")], struck[Cell("f1.T")]) == (0, 0)
    moved = position.play("2. > f2.H").written[0]
    assert (moved[Cell("f1.H")], moved[Cell("f1.T")], moved[Cell("f2.H")]) == (None, 30, 7)


def test_a_first_throw_yamm_moves_with_its_hundred() -> None:
    position = after(SOLO, "33333", "f1.Y")
    assert (position.written[0].total, position.sheets[0].first_throw_yamms) == (155, 0)
    assert position.play("1. > f1.ST").written[0].total == 100
    assert str(position.roll("11122").sheets[0].first_throw_yamms) == "1"


def test_every_sheet_has_a_correctable_result() -> None:
    position = after(THREE, "11122", "f1.1", "11122", "f1.1", "11122", "f1.1")
    assert movable(position.corrections) == {"1", "2", "3"}
    assert [action.turn for action in position.corrections if isinstance(action, Correct)] == [1] * 38 + [2] * 38 + [3] * 38
    assert movable(position.roll("11122").corrections) == {"2", "3"}


def test_a_correction_is_made_in_any_state_of_another_turn() -> None:
    for words in ((), ("11346",), ("11346", "k11"), ("11346", "k11", "11223"), ("11346", "k11", "11223", "k11", "11234")):
        position = after(THREE, "11122", "f1.1", *words)
        moved = position.play("1. > f1.FH")
        assert (moved.turn, moved.number) == (position.turn, position.number)
        assert moved.written[0].total == 50


def test_a_partners_throw_makes_the_result_of_a_pair_final() -> None:
    position = after(PAIRS, "11122", "f1.1", "11122", "f1.1")
    assert movable(position.corrections) == {"1", "2"}
    assert movable(position.roll("11122").corrections) == {"2"}


def test_corrections_contain_texts_and_values() -> None:
    corrections: Container[object] = after(SOLO, "11122", "f1.1").corrections
    assert "1. > f1.FH" in corrections
    assert Correct(1, Cell("f1.FH")) in corrections
    for other in ("1. > f1.1", "2. > f1.2", "k1", "f1.2", "nonsense", 7):
        assert other not in corrections


def test_a_first_throw_that_is_due_finalizes_the_last_result() -> None:
    written = after(SOLO, "11122", "f1.1")
    assert written.finalized_turn == 1
    assert after(PAIRS, "11122", "f1.1", "11122", "f1.1").finalized_turn == 1


def test_other_throws_finalize_no_result() -> None:
    second = after(SOLO, "11122", "f1.1").roll("11122").play("k1")
    assert second.waiting
    assert second.finalized_turn is None
    assert SOLO.start().finalized_turn is None
    ended = SMALL_SHEETS[3].start()
    while ended.turn is not None:
        ended = ended.roll("11122")
        ended = ended.play(next(action for action in ended.actions if action.kept is None))
    assert ended.finalized_turn is None
