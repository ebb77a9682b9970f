"""The Predator removes a token with five equal dice (docs/rules.md, Yam Master)."""

import pytest

from dicecup.core.errors import ActionError
from tests.yam_master.positions import at

OUT = "yam-master(captured=out)"


def removals(text: str) -> str:
    """Return the squares whose token can be removed."""
    position = at(text)
    found = " ".join(action for action in map(str, position.actions) if action[0] == "-" and action != "--")
    assert position.removable.bit_count() == len(found.split())
    return found


@pytest.mark.parametrize("state", ["1:66666", "2:11111", "3:33333", "2!:22222", "3!:55555"])
def test_five_equal_dice_after_any_throw_take_any_opposing_token(state: str) -> None:
    assert removals(f"x1o2/5/5/5/o3x x {state} 10-10 5") == "-c1 -a5"
    assert removals(f"x1o2/5/5/5/o3x o {state} 10-10 6") == "-a1 -e5"


def test_the_square_is_free_again_and_the_token_returned() -> None:
    after = at("x1o2/5/5/5/o3x x 1:66666 10-10 5").play("-c1")
    assert str(after) == "x4/5/5/5/o3x o 0:????? 10-11 6"


def test_a_captured_token_can_leave_the_game() -> None:
    after = at("x1o2/5/5/5/o3x x 1:66666 10-10 5", OUT).play("-c1")
    assert str(after) == "x4/5/5/5/o3x o 0:????? 10-10 6"


def test_o_removes_tokens_too() -> None:
    assert str(at("x4/5/5/5/4o o 2:66666 11-11 4").play("-a1")) == "5/5/5/5/4o x 0:????? 12-11 5"
    assert str(at("x4/5/5/5/4o o 2:66666 11-11 4", OUT).play("-a1")) == "5/5/5/5/4o x 0:????? 11-11 5"


def test_removing_replaces_placing() -> None:
    at_choice = at("x4/5/5/5/4o x 1:66666 11-11 3")
    assert "c3" in at_choice.actions
    assert "-e5" in at_choice.actions
    assert at_choice.play("-e5").waiting  # the turn is over


def test_removing_needs_five_equal_dice() -> None:
    four = at("x4/5/5/5/4o x 3:56666 11-11 3")
    assert "-e5" not in four.actions
    with pytest.raises(ActionError, match="no-five-equal"):
        four.play("-e5")


def test_removing_needs_an_opposing_token() -> None:
    alone = at("x4/5/5/5/5 x 1:66666 11-12 3")
    for square in ("e5", "a1"):
        with pytest.raises(ActionError, match="no-opposing-token"):
            alone.play(f"-{square}")


def test_own_tokens_and_free_squares_cannot_be_removed() -> None:
    position = at("x4/5/5/5/4o x 1:66666 11-11 3")
    for square in ("a1", "c3"):
        with pytest.raises(ActionError, match="not-an-opposing-token"):
            position.play(f"-{square}")
    with pytest.raises(ActionError, match="no-such-square"):
        position.play("-f1")
