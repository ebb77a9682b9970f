import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import TextError
from dicecup.yamm import Options, TagCode, Yamm
from dicecup.yamm.seats import (
    last_turn,
    named_writers,
    players_of_sheet,
    sheet_of_turn,
    turns_of_sheet,
    writers_from_text,
    writers_text,
)
from tests.strategies import SMALL_SHEETS, YAMM

PAIRS = Options(players=6, pairs=True)
PEOPLE = [True] * 6


def test_players_for_themselves_take_turns() -> None:
    assert [Yamm(Options(3)).player_of_turn(turn) for turn in range(1, 7)] == [0, 1, 2, 0, 1, 2]
    assert [sheet_of_turn(Options(3), turn) for turn in range(1, 7)] == [0, 1, 2, 0, 1, 2]


def test_the_first_players_of_all_pairs_throw_before_the_second() -> None:
    assert [Yamm(PAIRS).player_of_turn(turn) for turn in range(1, 8)] == [0, 1, 2, 3, 4, 5, 0]
    assert [sheet_of_turn(PAIRS, turn) for turn in range(1, 8)] == [0, 1, 2, 0, 1, 2, 0]
    assert [players_of_sheet(PAIRS, pair) for pair in range(3)] == [(0, 3), (1, 4), (2, 5)]
    assert players_of_sheet(Options(3), 1) == (1,)


def test_the_first_player_of_a_pair_has_50_turns() -> None:
    turns = [turn for turn in range(1, 3 * 99 + 1) if sheet_of_turn(PAIRS, turn) == 1]
    assert len(turns) == 99
    assert [Yamm(PAIRS).player_of_turn(turn) for turn in turns].count(1) == 50


@given(st.sampled_from([game.options for game in YAMM + SMALL_SHEETS]), st.integers(1, 300))
def test_turns_of_a_sheet_are_counted(options: Options, number: int) -> None:
    for sheet in range(options.sheets):
        had = [turn for turn in range(1, number) if sheet_of_turn(options, turn) == sheet]
        assert turns_of_sheet(options, sheet, number) == len(had)
        assert last_turn(options, sheet, number) == max(had, default=None)


def writers(people: list[bool], named: list[int]) -> list[int]:
    """Return the writers of the first six turns of three pairs."""
    return [Yamm(PAIRS).writer_of_turn(turn, people, named) for turn in range(1, 7)]


def test_the_player_who_threw_writes_unless_the_partner_is_named() -> None:
    assert writers(PEOPLE, []) == [0, 1, 2, 3, 4, 5]
    assert writers(PEOPLE, [3, 1]) == [3, 1, 2, 3, 1, 5]
    assert writers([False] * 6, [3, 1]) == [3, 1, 2, 3, 1, 5]


def test_people_do_not_write_for_computers() -> None:
    mixed = [True, True, True, False, True, True]
    assert writers(mixed, [0]) == [0, 1, 2, 3, 4, 5]
    assert writers(mixed, [3]) == [0, 1, 2, 3, 4, 5]


def test_a_pair_has_at_most_one_writer() -> None:
    assert named_writers(PAIRS, PEOPLE, []) == (None, None, None)
    assert named_writers(PAIRS, PEOPLE, [3, 1]) == (3, 1, None)
    assert named_writers(PAIRS, PEOPLE, [0, 3]) is None


@pytest.mark.parametrize("named", [[6], [-1], [1, 1]])
def test_a_writer_is_a_player_named_once(named: list[int]) -> None:
    assert named_writers(PAIRS, PEOPLE, named) is None


def test_a_pair_of_a_person_and_a_computer_has_no_writer() -> None:
    mixed = [True, True, True, False, True, True]
    assert named_writers(PAIRS, mixed, [3]) is None
    assert named_writers(PAIRS, mixed, [1]) == (None, 1, None)


def test_a_text_names_the_writers_of_sheets() -> None:
    assert writers_from_text(PAIRS, "P2 P4") == (3, 1, None)


@pytest.mark.parametrize("text", ["P1", "P6", "P1 P2 P3", "P2 P4", "P4 P5 P6"])
def test_the_text_of_writers_reads_back(text: str) -> None:
    assert writers_text(writers_from_text(PAIRS, text)) == text


@pytest.mark.parametrize("text", ["", "P7", "P0", "P01", "P1 P4", "P4 P2", "P2  P4", "p2", "P2 ", "P2 P2", "P2,P3", "P٢"])
def test_text_that_names_no_writers_is_refused(text: str) -> None:
    with pytest.raises(TextError) as refused:
        writers_from_text(PAIRS, text)
    assert refused.value.code is TagCode.NOT_WRITERS


def test_only_pairs_have_writers() -> None:
    assert not Yamm(Options(6)).accepts_writers([True] * 6, [1])
    with pytest.raises(TextError):
        writers_from_text(Options(6), "P2")
