"""The Défi, a bet made before the second throw (docs/rules.md, Yam Master)."""

import pytest

from dicecup.core.errors import ActionError
from dicecup.yam_master import YamMaster
from tests.yam_master.positions import at, placed

START = YamMaster().start()
IGNORED = "yam-master(failed_defi=ignored)"


def test_a_defi_is_declared_with_the_first_keep() -> None:
    first = START.roll("11346")
    assert "!k11" in first.actions
    declared = first.play("!k11")
    assert declared.defi
    assert str(declared) == "5/5/5/5/5 x 1!:11??? 12-12 1"
    assert str(declared.roll("11123")) == "5/5/5/5/5 x 2!:11123 12-12 1"


def test_a_defi_after_the_second_throw_is_refused() -> None:
    second = START.roll("11346").play("k11").roll("11346")
    assert "!k11" not in second.actions
    with pytest.raises(ActionError, match="defi-too-late"):
        second.play("!k11")


def test_a_turn_has_at_most_one_defi() -> None:
    second = START.roll("11346").play("!k11").roll("11346")
    with pytest.raises(ActionError, match="defi-twice"):
        second.play("!k11")
    third = second.play("k11")
    assert str(third) == "5/5/5/5/5 x 2!:11??? 12-12 1"
    assert str(third.roll("11666")) == "5/5/5/5/5 x 3!:11666 12-12 1"


def test_a_defi_ends_with_the_turn() -> None:
    after = START.roll("11346").play("!k11").roll("11346").play("--")
    assert not after.defi
    assert str(after) == "5/5/5/5/5 o 0:????? 12-12 2"


def test_a_defi_can_be_declared_with_every_keep() -> None:
    first = START.roll("12345")
    assert [text for text in map(str, first.actions) if text.startswith("!")] == [
        f"!{text}" for text in map(str, first.actions) if text.startswith("k")
    ]


def test_a_defi_needs_the_second_throw() -> None:
    declared = START.roll("66666").play("!k6666")
    assert declared.waiting
    for text in ("e1", "--", "k6"):
        with pytest.raises(ActionError, match="dice-in-the-air"):
            declared.play(text)


@pytest.mark.parametrize("throws", [2, 3])
@pytest.mark.parametrize(
    "shown, squares",
    [
        # Full and ≤8: their squares, the 2s and both Défi squares; no Sec
        ("11222", "c1 a2 d2 a3 b3 d3 d4 b5"),
        ("44445", "c1 d1 b2 d3 c5 e5"),  # Carré
        ("12345", "c1 d3 e3 c4"),  # Suite
        ("11123", "a1 c1 a3 d3 d4 e4"),  # ≤8
        ("66666", "c1 e1 b2 d2 b3 c3 d3 a4 c5"),  # Yam
    ],
)
def test_a_big_figure_opens_its_squares_and_the_defi_squares(throws: int, shown: str, squares: str) -> None:
    for game_id in ("yam-master", IGNORED):
        assert placed(at(f"5/5/5/5/5 x {throws}!:{shown} 12-12 1", game_id)) == squares


@pytest.mark.parametrize("throws", [2, 3])
def test_a_three_of_a_kind_does_not_save_the_bet(throws: int) -> None:
    failed = at(f"5/5/5/5/5 x {throws}!:11146 12-12 1")
    assert placed(failed) == ""
    assert "--" in failed.actions
    for square in ("a1", "e4", "c1", "d3", "c2"):
        with pytest.raises(ActionError, match="defi-needs-big-figure"):
            failed.play(square)


def test_after_the_third_throw_a_lost_defi_allows_only_a_pass() -> None:
    lost = at("5/5/5/5/5 x 3!:11146 12-12 1")
    assert list(map(str, lost.actions)) == ["--"]
    assert str(lost.play("--")) == "5/5/5/5/5 o 0:????? 12-12 2"


def test_after_the_second_throw_another_throw_is_allowed() -> None:
    assert "k111" in at("5/5/5/5/5 x 2!:11146 12-12 1").actions


def test_an_ignored_failed_defi_closes_only_the_defi_squares() -> None:
    failed = at("5/5/5/5/5 x 3!:11146 12-12 1", IGNORED)
    assert placed(failed) == "a1 e4"
    for square, code in (("c1", "figure-not-held"), ("c2", "figure-not-held"), ("b1", "figure-not-held")):
        with pytest.raises(ActionError, match=code):
            failed.play(square)


def test_a_figure_of_the_first_throw_wins_a_defi() -> None:
    second = START.roll("44445").play("!k4444").roll("44446")
    assert placed(second) == "c1 d1 b2 d3 c5 e5"
    assert str(second.play("c1")) == "2x2/5/5/5/5 o 0:????? 11-12 2"


def test_without_a_defi_its_squares_stay_closed() -> None:
    for state in ("1:44445", "2:44445", "3:44445"):
        for square in ("c1", "d3"):
            with pytest.raises(ActionError, match="no-defi-declared"):
                at(f"5/5/5/5/5 x {state} 12-12 1").play(square)


@pytest.mark.parametrize(
    "text, game_id, lost",
    [
        ("5/5/5/5/5 x 2!:11146 12-12 1", "yam-master", True),
        ("5/5/5/5/5 x 3!:11146 12-12 1", "yam-master", True),
        ("5/5/5/5/5 x 3!:11222 12-12 1", "yam-master", False),  # a big figure
        ("5/5/5/5/5 x 3:11346 12-12 1", "yam-master", False),  # no Défi
        ("5/5/5/5/5 x 2!:11??? 12-12 1", "yam-master", False),  # dice in the air
        ("5/5/5/5/5 x 3!:11146 12-12 1", IGNORED, False),  # the 1s can still be placed
        ("5/5/5/5/5 x 3!:11346 12-12 1", IGNORED, True),
    ],
)
def test_a_defi_is_lost_when_it_leaves_nothing_to_place(text: str, game_id: str, lost: bool) -> None:
    assert at(text, game_id).defi_lost is lost
