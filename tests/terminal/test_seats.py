"""The texts of seats: people, computers and their names."""

import pytest

from dicecup.terminal.errors import TerminalError
from dicecup.terminal.seats import Seat, seats_from_texts

LEVELS = ("random", "greedy")


def test_texts_name_people_and_computers() -> None:
    assert seats_from_texts(["Anna", "Ben=human", "Robo = greedy", "random"], LEVELS) == (
        Seat("Anna"),
        Seat("Ben"),
        Seat("Robo", "greedy"),
        Seat("random", "random"),
    )


def test_a_second_computer_of_one_level_gets_a_number() -> None:
    assert [seat.name for seat in seats_from_texts(["greedy", "greedy", "greedy"], LEVELS)] == [
        "greedy",
        "greedy 2",
        "greedy 3",
    ]


@pytest.mark.parametrize(
    "texts, code",
    [
        ([""], "not-a-name"),
        (["=greedy"], "not-a-name"),
        (["x" * 41], "not-a-name"),
        (["A\x1bB"], "hidden-in-name"),
        (["A\nB"], "hidden-in-name"),
        (["Robo=grandmaster"], "not-a-level"),
        (["Anna", "anna"], "name-twice"),
        (["Robo=greedy", "Robo=greedy"], "name-twice"),
    ],
)
def test_impossible_seats_are_refused_with_a_code(texts: list[str], code: str) -> None:
    with pytest.raises(TerminalError) as caught:
        seats_from_texts(texts, LEVELS)
    assert caught.value.code == code
