"""Records of games that begin with a position (tag Position)."""

import pytest

from tests.record.texts import faults, read, text_of

IN_MID_TURN = "5/5/1x2o/5/2x2 x 2!:455?? 10-11 5"
SECOND_TURN = ".11/.11/.11/.11/.11/.11/.11/.11/.11~f3.ST=1:12345 0:????? 2"


def test_the_lines_begin_with_the_turn_of_the_position() -> None:
    found = read("2. 11266 f2.6\n", game="yamm(players=1)", Position=SECOND_TURN)
    assert found.journal.turns == 2
    assert faults(text_of("1. 11266 f2.6\n", game="yamm(players=1)", Position=SECOND_TURN)) == [(4, "turn-number")]


def test_lines_begin_in_mid_turn_where_the_position_does() -> None:
    found = read("5. 11122 d3\n6. 11123 a1\n", Dice="table", Position=IN_MID_TURN)
    assert found.journal.turns == 6


def test_without_lines_the_game_is_at_its_first_position() -> None:
    assert read("", Position=IN_MID_TURN).journal.position.to_text() == IN_MID_TURN


def test_a_record_holds_its_first_position() -> None:
    found = read("5. 11122 d3\n6. 11123 a1\n", Dice="table", Position=IN_MID_TURN)
    assert str(found.beginning) == IN_MID_TURN
    assert read("").beginning == found.game.start()


@pytest.mark.parametrize(
    "value, code",
    [
        ("nonsense", "not-a-position"),
        ("xx3/5/5/5/5 x 0:????? 12-12 1", "unreachable-position"),
        (SECOND_TURN, "not-a-position"),
    ],
)
def test_a_position_that_cannot_be_is_refused_on_its_line(value: str, code: str) -> None:
    assert faults(text_of("", Position=value)) == [(2, code)]
