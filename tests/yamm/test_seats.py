import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import TextError
from dicecup.yamm import Options, TagCode
from dicecup.yamm.seats import (
    last_turn,
    player_of_turn,
    players_of_sheet,
    sheet_of_turn,
    turns_of_sheet,
    writer_of_turn,
    writers_from_text,
    writers_text,
)
from tests.strategies import SMALL_SHEETS, YAMM

PAIRS = Options(players=6, pairs=True)


def test_players_for_themselves_take_turns() -> None:
    assert [player_of_turn(Options(3), turn) for turn in range(1, 7)] == [0, 1, 2, 0, 1, 2]
    assert [sheet_of_turn(Options(3), turn) for turn in range(1, 7)] == [0, 1, 2, 0, 1, 2]


def test_all_first_players_of_the_pairs_go_before_all_second_ones() -> None:
    assert [player_of_turn(PAIRS, turn) for turn in range(1, 8)] == [0, 1, 2, 3, 4, 5, 0]
    assert [sheet_of_turn(PAIRS, turn) for turn in range(1, 8)] == [0, 1, 2, 0, 1, 2, 0]
    assert [players_of_sheet(PAIRS, pair) for pair in range(3)] == [(0, 3), (1, 4), (2, 5)]
    assert players_of_sheet(Options(3), 1) == (1,)


def test_the_first_of_a_pair_has_50_turns() -> None:
    turns = [turn for turn in range(1, 3 * 99 + 1) if sheet_of_turn(PAIRS, turn) == 1]
    assert len(turns) == 99
    assert [player_of_turn(PAIRS, turn) for turn in turns].count(1) == 50


@given(st.sampled_from([game.options for game in YAMM + SMALL_SHEETS]), st.integers(1, 300))
def test_the_last_turn_of_each_sheet(options: Options, number: int) -> None:
    for sheet in range(options.sheets):
        had = [turn for turn in range(1, number) if sheet_of_turn(options, turn) == sheet]
        assert turns_of_sheet(options, sheet, number) == len(had)
        assert last_turn(options, sheet, number) == max(had, default=None)


def test_who_threw_writes_unless_a_writer_is_named() -> None:
    writers = writers_from_text(PAIRS, "P2 P4")
    assert writers == (3, 1, None)
    assert [writer_of_turn(PAIRS, turn) for turn in range(1, 7)] == [0, 1, 2, 3, 4, 5]
    assert [writer_of_turn(PAIRS, turn, writers) for turn in range(1, 7)] == [3, 1, 2, 3, 1, 5]


@pytest.mark.parametrize("text", ["P1", "P6", "P1 P2 P3", "P2 P4", "P4 P5 P6"])
def test_writers_are_read_back(text: str) -> None:
    assert writers_text(writers_from_text(PAIRS, text)) == text


@pytest.mark.parametrize("text", ["", "P7", "P0", "P01", "P1 P4", "P4 P2", "P2  P4", "p2", "P2 ", "P2 P2", "P2,P3", "P٢"])
def test_writers_that_are_refused(text: str) -> None:
    with pytest.raises(TextError) as refused:
        writers_from_text(PAIRS, text)
    assert refused.value.code is TagCode.NOT_WRITERS


def test_only_pairs_have_writers() -> None:
    with pytest.raises(TextError):
        writers_from_text(Options(6), "P2")
