"""A turn: up to three throws, allowed keeps, and its end (docs/rules.md, Yam Master)."""

import pytest

from dicecup.core.dice import keep, roll
from dicecup.core.errors import ActionError
from dicecup.yam_master import Place, Position, Side, YamMaster
from tests.yam_master.positions import at, placed

START = YamMaster().start()


def texts(now: Position) -> list[str]:
    """Return the texts of the allowed actions."""
    return list(map(str, now.actions))


def first_throw(shown: str, game_id: str = "yam-master") -> Position:
    """Return the position after the first throw of a game."""
    return at(f"5/5/5/5/5 x 1:{shown} 12-12 1", game_id)


def test_the_game_starts_with_x_and_an_empty_board() -> None:
    assert str(START) == "5/5/5/5/5 x 0:????? 12-12 1"
    assert (START.to_move, START.number, START.supplies, START.defi) == (Side.X, 1, (12, 12), False)
    assert START.waiting
    assert START.outcome is None
    assert len(START.chances) == 252
    assert START.free == (1 << 25) - 1
    assert START.placeable == START.removable == 0


def test_three_throws_with_keeps_between_them() -> None:
    turn = START.roll("11346").play("k11")
    assert str(turn) == "5/5/5/5/5 x 1:11??? 12-12 1"
    turn = turn.roll("11255").play("k1155")
    assert str(turn) == "5/5/5/5/5 x 2:1155? 12-12 1"
    turn = turn.roll("11555")
    assert str(turn) == "5/5/5/5/5 x 3:11555 12-12 1"
    assert texts(turn) == ["d2", "e2", "b3", "d5", "--"]
    with pytest.raises(ActionError, match="no-throw-left"):
        turn.play("k11")


def test_the_turn_passes_to_the_other_side() -> None:
    after = START.roll("11346").play("--")
    assert str(after) == "5/5/5/5/5 o 0:????? 12-12 2"
    assert str(after.roll("11346").play("--")) == "5/5/5/5/5 x 0:????? 12-12 3"


def test_placing_takes_a_token_from_the_supply() -> None:
    after = START.roll("11122").play("a1")
    assert str(after) == "x4/5/5/5/5 o 0:????? 11-12 2"
    assert str(after.roll("33344").play(Place("b1"))) == "xo3/5/5/5/5 x 0:????? 11-11 3"


@pytest.mark.parametrize(
    "shown, squares",
    [
        ("11346", ""),
        ("22256", "a2 b5"),
        ("11222", "a2 c2 d2 a3 b3 b4 d4 b5"),  # Sec, Full, 2, ≤8
        ("44445", "d1 b2 c2 b4 c5 e5"),  # 4, Carré, Sec
        ("12345", "c2 e3 b4 c4"),  # Sec, Suite
        ("66666", "e1 b2 c2 d2 b3 c3 a4 b4 c5"),  # 6, Carré, Sec, Full, Yam
    ],
)
def test_after_the_first_throw_every_figure_and_sec_can_be_placed(shown: str, squares: str) -> None:
    now = first_throw(shown)
    assert placed(now) == squares
    assert now.placeable.bit_count() == len(squares.split())


@pytest.mark.parametrize("throws", [2, 3])
def test_sec_is_gone_after_the_second_throw(throws: int) -> None:
    now = at(f"5/5/5/5/5 x {throws}:12345 12-12 1")
    assert placed(now) == "e3 c4"
    for square in ("c2", "b4"):
        with pytest.raises(ActionError, match="sec-after-first-throw"):
            now.play(square)


def test_a_square_takes_one_token() -> None:
    now = at("x4/5/5/5/5 o 1:11166 11-12 2")
    assert "a1" not in now.actions
    with pytest.raises(ActionError, match="square-taken"):
        now.play("a1")
    assert "e4" in now.actions


def test_passing_is_always_allowed() -> None:
    for state in ("1:66666", "2:12345", "3:11346", "2!:66666", "3!:12345"):
        assert "--" in at(f"5/5/5/5/5 x {state} 12-12 1").actions


# The pinned order (NOTATION, replay)


def test_actions_are_keeps_defis_placements_removals_and_the_pass() -> None:
    now = at("x4/5/2o2/5/5 x 1:55555 11-11 3")
    assert texts(now) == [
        *["k-", "k5", "k55", "k555", "k5555"],
        *["!k-", "!k5", "!k55", "!k555", "!k5555"],
        *["b2", "c2", "d2", "e2", "b3", "b4", "c5", "d5"],
        *["-c3"],
        *["--"],
    ]


def test_keeps_come_by_number_of_dice_then_ascending() -> None:
    now = at("5/5/5/5/5 x 2:11346 12-12 1")
    assert texts(now) == [
        *["k-"],
        *["k1", "k3", "k4", "k6"],
        *["k11", "k13", "k14", "k16", "k34", "k36", "k46"],
        *["k113", "k114", "k116", "k134", "k136", "k146", "k346"],
        *["k1134", "k1136", "k1146", "k1346"],
        *["--"],
    ]
    assert repr(at("5/5/5/5/5 x 3:22256 12-12 1").actions) == "<3 actions: a2 b5 -->"


# What may be kept


def test_a_die_that_was_set_aside_may_be_thrown_again() -> None:
    now = first_throw("33456").play("k33").roll("11233")
    assert "k-" in now.actions
    assert "k11" in now.actions


def test_locked_dice_stay_locked() -> None:
    now = first_throw("33456", "yam-master(kept_dice=locked)").play("k33").roll("11233")
    assert str(now) == "5/5/5/5/5 x 2:33|112 12-12 1"
    assert [text for text in texts(now) if text[0] == "k"] == ["k33", "k133", "k233", "k1133", "k1233"]
    with pytest.raises(ActionError, match="locked-die-missing"):
        now.play("k11")
    third = now.play("k1133")
    assert str(third) == "5/5/5/5/5 x 2:1133? 12-12 1"
    assert str(third.roll("11333")) == "5/5/5/5/5 x 3:11333 12-12 1"


def test_keeping_none_locks_none() -> None:
    now = first_throw("33456", "yam-master(kept_dice=locked)").play("k-").roll("11233")
    assert str(now) == "5/5/5/5/5 x 2:11233 12-12 1"
    assert "k-" in now.actions


# Real dice


def test_kept_dice_must_be_found_again() -> None:
    now = first_throw("33456").play("k33")
    with pytest.raises(ActionError, match="kept-die-lost"):
        now.roll("11345")
    assert str(now.roll("11345", table=True)) == "5/5/5/5/5 x 2:11345 12-12 1"


def test_a_knocked_die_stays_locked_with_its_new_value() -> None:
    now = first_throw("22456", "yam-master(kept_dice=locked)").play("k22")
    with pytest.raises(ActionError, match="kept-die-lost"):
        now.roll("23446", table=True)
    knocked = now.roll("23446", table=True, locked=keep("24"))
    assert str(knocked) == "5/5/5/5/5 x 2:24|346 12-12 1"
    assert [text for text in texts(knocked) if text[0] == "k"][:2] == ["k24", "k234"]


@pytest.mark.parametrize(
    "locked, table",
    [
        ("22", True),  # as they were kept: not to be named
        ("2", True),  # not as many
        ("224", True),
        ("55", True),  # not among the dice
        ("24", False),  # not real dice
    ],
)
def test_locked_dice_are_named_only_where_one_was_knocked_over(locked: str, table: bool) -> None:
    now = first_throw("22456", "yam-master(kept_dice=locked)").play("k22")
    with pytest.raises(ActionError, match="wrong-locked-dice"):
        now.roll("22446", table=table, locked=keep(locked))


def test_locked_dice_are_named_after_the_second_throw_only() -> None:
    locked, free = "yam-master(kept_dice=locked)", "yam-master"
    with pytest.raises(ActionError, match="wrong-locked-dice"):
        first_throw("22456", free).play("k22").roll("23446", table=True, locked=keep("24"))
    with pytest.raises(ActionError, match="wrong-locked-dice"):
        first_throw("22456", locked).play("k-").roll("23446", table=True, locked=keep("-"))
    third = first_throw("22456", locked).play("k22").roll("22346").play("k22")
    with pytest.raises(ActionError, match="wrong-locked-dice"):
        third.roll("23446", table=True, locked=keep("24"))
    assert str(third.roll("23446", table=True)) == "5/5/5/5/5 x 3:23446 12-12 1"


def test_a_roll_is_given_as_a_value_or_as_its_text() -> None:
    assert START.roll(roll("11346")) == START.roll("11346")
