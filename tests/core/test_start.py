import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import ActionError, DiceError, TextCode, TextError, TurnCode
from dicecup.core.start import StartingRoll


@pytest.mark.parametrize(
    "players, text, starter",
    [
        (2, "3 4", 1),
        (3, "5 4 5; 2 3", 2),
        (3, "4 4 2; 3 6", 1),
        (4, "2 2 2 2; 3 3 2 3; 4 5 2", 1),
        (4, "6", 0),
        (4, "5 1", 1),
        (4, "5 5 2 1", 3),
        (3, "4 4 2; 1", 0),
        (2, "2 2; 3 3; 4 5", 1),
    ],
)
def test_a_1_or_a_6_or_else_the_highest_die_starts(players: int, text: str, starter: int) -> None:
    start = StartingRoll.from_text(text, players)
    assert start.starter == starter
    assert (start.seat, start.contenders) == (None, ())
    assert start.order[0] == starter
    assert sorted(start.order) == [*range(players)]


@pytest.mark.parametrize(
    "players, text, seat, contenders",
    [
        (3, "4", 1, (0, 1, 2)),
        (3, "4 4", 2, (0, 1, 2)),
        (3, "4 2 4", 0, (0, 2)),
        (3, "4 2 4; 3", 2, (0, 2)),
        (3, "4 2 4; 3 3", 0, (0, 2)),
    ],
)
def test_an_unfinished_roll_has_a_next_seat(players: int, text: str, seat: int, contenders: tuple[int, ...]) -> None:
    start = StartingRoll.from_text(text, players)
    assert (start.starter, start.seat, start.contenders, start.order) == (None, seat, contenders, ())


def test_the_first_seat_throws_first() -> None:
    assert StartingRoll(3).seat == 0
    assert str(StartingRoll(3)) == ""


def test_the_others_follow_in_seating_order() -> None:
    assert StartingRoll.from_text("3 3 4 2", 4).order == (2, 3, 0, 1)


def test_one_player_starts_without_a_throw() -> None:
    assert StartingRoll(1).starter == 0


def test_a_settled_roll_takes_no_throw() -> None:
    start = StartingRoll.from_text("3 4", 2)
    with pytest.raises(ActionError) as refused:
        start.throw(5)
    assert refused.value.code is TurnCode.STARTING_ROLL_OVER
    assert refused.value.position == start


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_no_die_has_is_refused(face: int) -> None:
    with pytest.raises(DiceError):
        StartingRoll(2).throw(face)


@pytest.mark.parametrize(
    "text", ["", "7", "3 4 5", "6 3", "3 3", "3 3; 4 ", "3; 3", "3 3;4 5", "3 3 4 5", "3  4", "٣ 4", "3 4\n", "3 3; 4 5 2"]
)
def test_a_text_is_canonical_or_refused(text: str) -> None:
    if text == "3 3":
        assert StartingRoll.from_text(text, 2).starter is None
    elif text == "":
        assert StartingRoll.from_text(text, 2) == StartingRoll(2)
    else:
        with pytest.raises(TextError) as refused:
            StartingRoll.from_text(text, 2)
        assert refused.value.code is TextCode.NOT_A_STARTING_ROLL


@given(st.integers(2, 6), st.lists(st.integers(1, 6), min_size=1, max_size=40))
def test_every_throw_is_read_back(players: int, faces: list[int]) -> None:
    start = StartingRoll(players)
    for face in faces:
        if start.starter is not None:
            break
        assert start.seat in start.contenders
        start = start.throw(face)
        assert StartingRoll.from_text(str(start), players) == start
        assert (face in (1, 6)) <= (start.starter is not None)
