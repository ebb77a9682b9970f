"""The values of the tags of a record (docs/notation.md, Records)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games, record
from dicecup.record import OTHER_ENDS, concluded, winners
from dicecup.record.tags import tag_from_text, tag_text
from tests.record.texts import LINE_OF_X, faults, read, text_of

PAIRS = "yamm(players=4,pairs=yes)"

# Their form


@pytest.mark.parametrize(
    "name, value, text",
    [
        ("X", "Anna", '[X "Anna"]'),
        ("Event2", "", '[Event2 ""]'),
        ("X", 'An "Anna" na', r'[X "An \"Anna\" na"]'),
        ("X", "back\\slash", r'[X "back\\slash"]'),
        ("X", "\\", r'[X "\\"]'),
        ("X", '\\"', r'[X "\\\""]'),
        ("X", "Zoé ≤ ] [", '[X "Zoé ≤ ] ["]'),
    ],
)
def test_a_tag_is_escaped_in_its_text(name: str, value: str, text: str) -> None:
    assert tag_text(name, value) == text
    assert tag_from_text(text) == (name, value)


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9]*", fullmatch=True), st.text(st.characters(exclude_characters="\n")))
def test_any_value_reads_back(name: str, value: str) -> None:
    if name.isascii():
        assert tag_from_text(tag_text(name, value)) == (name, value)


@given(st.text('[]X1" \\a', max_size=12))
def test_a_line_that_is_a_tag_is_canonical(line: str) -> None:
    tag = tag_from_text(line)
    assert tag is None or tag_text(*tag) == line


def test_further_tags_and_the_order_are_kept() -> None:
    text = '[Site "here"]\n[O "Ben"]\n[Game "yam-master"]\n[X "Anna"]\n[Zeta ""]\n\n1. 11235 --\n'
    found = record.read(text)
    assert list(found.tags) == ["Site", "O", "Game", "X", "Zeta"]
    assert found.to_text() == text


def test_only_the_game_is_required() -> None:
    assert read("").journal.turns == 0
    assert faults("\n") == [(0, "tag-missing")]


# Dice


@pytest.mark.parametrize("dice", ["table", "seed:2026", "seed:é \\\\", "seed: ", f"committed:{'0123456789abcdef' * 4}"])
def test_the_kinds_of_dice_are_read(dice: str) -> None:
    read("1. 11235 --\n", Dice=dice)


@pytest.mark.parametrize(
    "dice",
    [
        *["", "Table", "table ", "tables", "seed:", "seed", "real", "committed:"],
        *[f"committed:{digits}" for digits in ("0" * 63, "0" * 65, "A" * 64, "٠" * 64)],
    ],
)
def test_other_dice_are_refused(dice: str) -> None:
    assert faults(text_of("1. 11235 --\n", Dice=dice)) == [(2, "tag-value")]


@pytest.mark.parametrize("dice", [{}, {"Dice": "seed:1"}, {"Dice": f"committed:{'0' * 64}"}])
def test_only_at_the_table_throws_are_void_and_dice_are_knocked_over(dice: dict[str, str]) -> None:
    void, knocked = "1. ~ 11235 --\n", "1. 11235 k11 22345 --\n"
    assert faults(text_of(void, **dice)) == [(len(dice) + 3, "void-throw-not-table")]
    assert faults(text_of(knocked, **dice)) == [(len(dice) + 3, "kept-die-lost")]
    for turns in (void, knocked, "1. ~\n", "1. ~ ~ 11235 k1 ~ ~ 12345 k- ~ 11122 a1\n"):
        read(turns, Dice="table")


def test_a_void_throw_stands_where_a_throw_is_due() -> None:
    assert faults(text_of("1. 11235 ~ --\n", Dice="table")) == [(4, "not-an-action")]
    assert faults(text_of("1. 11235 -- ~\n", Dice="table")) == [(4, "after-the-end-of-turn")]


LOCKED = "yam-master(kept_dice=locked)"


def test_a_locked_die_that_was_knocked_over_is_named_after_the_second_throw() -> None:
    found = read("1. 22456 k22 24|346 k244 11233\n", game=LOCKED, Dice="table")
    assert str(found.journal.position) == "5/5/5/5/5 x 3:11233 12-12 1"


@pytest.mark.parametrize(
    "turn, code",
    [
        ("1. 22456 k22 22|346\n", "wrong-locked-dice"),  # as they were kept
        ("1. 22456 k22 23446\n", "kept-die-lost"),  # not found, and not named
        ("1. 22456 k22 244|36\n", "wrong-locked-dice"),
        ("1. 22|456 k22\n", "wrong-locked-dice"),  # the first throw
        ("1. 22456 k22 22346 k22 24|346\n", "wrong-locked-dice"),  # the third throw
        ("1. 22456 k22 42|346\n", "not-ascending"),
        ("1. 22456 k22 24|643\n", "not-ascending"),
        ("1. 22456 k22 |23446\n", "not-five-dice"),
        ("1. 22456 k22 23446|\n", "not-five-dice"),
        ("1. 22456 k22 2|4|346\n", "not-a-face"),
        ("1. 22456 k22 -|23446\n", "not-five-dice"),
    ],
)
def test_wrong_locked_dice_are_refused(turn: str, code: str) -> None:
    assert faults(text_of(turn, game=LOCKED, Dice="table")) == [(4, code)]


def test_dice_are_not_locked_away_from_the_table() -> None:
    assert faults(text_of("1. 22456 k22 24|346\n", game=LOCKED, Dice="seed:1")) == [(4, "wrong-locked-dice")]
    assert faults(text_of("1. 22456 k22 24|346\n", Dice="table")) == [(4, "wrong-locked-dice")]


# Result and End: a game that the rules ended


def test_a_finished_game_has_result_and_end() -> None:
    read(LINE_OF_X, Result="x 0-0", End="line")
    assert faults(text_of(LINE_OF_X)) == [(0, "tag-missing"), (0, "tag-missing")]
    assert faults(text_of(LINE_OF_X, Result="x 0-0")) == [(0, "tag-missing")]
    assert faults(text_of(LINE_OF_X, End="line")) == [(0, "tag-missing")]


@pytest.mark.parametrize("result", ["*", "o 0-0", "x 1-0", "draw 0-0", "x 00-0", "x 0-0 ", ""])
def test_the_result_must_be_right(result: str) -> None:
    assert faults(text_of(LINE_OF_X, Result=result, End="line")) == [(2, "tag-wrong")]


@pytest.mark.parametrize("end", ["tokens", "full", *OTHER_ENDS, "", "Line"])
def test_the_end_must_be_right(end: str) -> None:
    assert faults(text_of(LINE_OF_X, Result="x 0-0", End=end)) == [(3, "tag-wrong")]


def test_concluded_writes_both() -> None:
    over = concluded(record.Record({"Game": "yam-master", "X": "Anna"}, read(LINE_OF_X, Result="x 0-0", End="line").journal))
    assert over.to_text() == text_of(LINE_OF_X, X="Anna", Result="x 0-0", End="line")
    running = concluded(read("1. 11235\n", Result="*"))
    assert running.to_text() == text_of("1. 11235\n", Result="*")
    assert concluded(read("")).to_text() == text_of("", Result="*")


def test_concluded_leaves_a_game_that_people_ended_as_it_is() -> None:
    resigned = read("1. 11235\n", Result="o 0-0", End="resign")
    assert concluded(resigned) == resigned


# Result and End: a game that runs


def test_a_running_game_has_no_end_and_no_result_but_the_star() -> None:
    read("1. 11235 --\n")
    read("1. 11235 --\n", Result="*")
    for result in ("x 0-0", "", "**"):
        assert faults(text_of("1. 11235 --\n", Result=result)) == [(2, "tag-wrong")]


@pytest.mark.parametrize("end", sorted(games.ends()))
def test_a_game_that_goes_on_cannot_have_an_end_by_the_rules(end: str) -> None:
    assert faults(text_of("1. 11235 --\n", Result="*", End=end)) == [(3, "tag-wrong")]
    assert faults(text_of("1. 11122 f1.1\n", game="yamm", Result="3 0", End=end)) == [(3, "tag-wrong")]


# Result and End: a game that people, a clock or a limit ended


@pytest.mark.parametrize("end", OTHER_ENDS)
@pytest.mark.parametrize("result", ["x 5-3", "o 0-2", "draw 2-2", "x 0-12", "draw 5-3"])
def test_other_ends_leave_the_position_as_it_was(end: str, result: str) -> None:
    found = read("1. 11235 k11\n", Result=result, End=end)
    assert found.journal.position.outcome is None
    assert record.state(found)["outcome"] is None
    assert record.state(read("1. 11235\n", Result=result, End=end))["actions"]


@pytest.mark.parametrize(
    "result", ["*", "", "x", "X 5-3", "x 5 3", "x 5-3 ", "x  5-3", "x 05-3", "y 5-3", "x -5-3", "x ٥-3", "5 3"]
)
def test_the_result_of_other_ends_has_the_form_of_the_game(result: str) -> None:
    assert faults(text_of("", Result=result, End="resign")) == [(2, "tag-value")]


def test_other_ends_need_a_result() -> None:
    assert faults(text_of("", End="resign")) == [(0, "tag-missing")]


@pytest.mark.parametrize("end", ["", "Resign", "resigned", "draw", "-", "*"])
def test_unknown_ends_are_refused(end: str) -> None:
    assert faults(text_of("", Result="x 5-3", End=end)) == [(3, "tag-value")]


def test_other_ends_of_yamm_name_the_winning_sheets() -> None:
    read("1. 11122 f1.1\n", game="yamm", Result="3 0", End="resign", Winners="1")
    read("", game="yamm", Result="0 1234", End="cap", Winners="0 1")
    read("", game="yamm(players=1)", Result="7", End="abandoned", Winners="0")
    read("", game=PAIRS, Result="7 8", End="time", Winners="1")
    assert faults(text_of("", game="yamm", Result="3 0", End="resign")) == [(0, "tag-missing")]


@pytest.mark.parametrize("winners", ["", "2", "1 0", "0 0", "0  1", "0,1", "01", "-1", "٠", "P1"])
def test_winners_are_sheets_ascending(winners: str) -> None:
    assert faults(text_of("", game="yamm", Result="3 0", End="resign", Winners=winners)) == [(4, "tag-value")]


@pytest.mark.parametrize("result", ["*", "3", "3 0 0", "3  0", "03 0", "3-0", "x 3-0", "-3 0", "٣ 0", ""])
def test_yamm_results_are_the_totals_of_all_sheets(result: str) -> None:
    assert faults(text_of("", game="yamm", Result=result, End="resign", Winners="0")) == [(2, "tag-value")]


def test_winners_belong_to_games_of_totals_that_ended_early() -> None:
    assert faults(text_of("", game="yamm", Winners="0")) == [(2, "tag-not-here")]
    assert faults(text_of("", game="yamm", Result="*", Winners="0")) == [(3, "tag-not-here")]
    assert faults(text_of("", Result="x 5-3", End="resign", Winners="0")) == [(4, "tag-not-here")]
    assert faults(text_of(LINE_OF_X, Result="x 0-0", End="line", Winners="0")) == [(4, "tag-not-here")]
    assert faults(text_of("", Result="x 5-3", End="what", Winners="0")) == [(3, "tag-value"), (4, "tag-not-here")]


def test_the_winners_of_a_game_are_those_of_the_rules_or_of_its_tags() -> None:
    assert winners(read(LINE_OF_X, Result="x 0-0", End="line")) == (0,)
    assert winners(read("1. 11235\n", Result="*")) is None
    assert winners(read("1. 11235\n", Result="o 0-0", End="resign")) == (1,)
    assert winners(read("1. 11235\n", Result="draw 0-0", End="agreed")) == ()
    assert winners(read("", game="yamm(players=3)", Result="0 12 12", End="cap", Winners="1 2")) == (1, 2)


# Start, Writer, Match


@pytest.mark.parametrize("start", ["1", "6", "4 1", "5 4", "4 4; 5 3", "2 2; 3 3; 1"])
def test_a_starting_roll_is_read(start: str) -> None:
    read("", game="yamm", Start=start)


@pytest.mark.parametrize(
    "start", ["", "4", "4 4", "4 4; 3", "1 4", "4 4 2", "4 3; 2 1", "7 1", "4  1", "4 4;5 3", "٤ 1", "4 1;"]
)
def test_an_invalid_or_unfinished_starting_roll_is_refused(start: str) -> None:
    assert faults(text_of("", game="yamm", Start=start)) == [(2, "tag-value")]


def test_one_player_alone_has_no_starting_roll() -> None:
    assert faults(text_of("", game="yamm(players=1)", Start="6")) == [(2, "tag-value")]


def test_the_starting_roll_of_three_ends_when_it_is_decided() -> None:
    read("", game="yamm(players=3)", Start="4 4 2; 3 5")
    assert faults(text_of("", game="yamm(players=3)", Start="4 4 2; 3 5 1")) == [(2, "tag-value")]


@pytest.mark.parametrize("writer", ["P1", "P2", "P4", "P1 P2", "P1 P4", "P2 P3", "P3 P4"])
def test_any_player_may_write_for_a_pair(writer: str) -> None:
    read("", game=PAIRS, Writer=writer)


@pytest.mark.parametrize("writer", ["", "P0", "P5", "P1 P3", "P2 P4", "P2 P1", "P1 P1", "p1", "P1,P2", "P٢", "P01"])
def test_an_invalid_writer_is_refused(writer: str) -> None:
    assert faults(text_of("", game=PAIRS, Writer=writer)) == [(2, "tag-value")]


def test_only_pairs_have_a_writer() -> None:
    assert faults(text_of("", game="yamm", Writer="P2")) == [(2, "tag-value")]


def test_start_and_writer_are_tags_of_yamm_alone() -> None:
    read("", Start="what", Writer="ever")  # further tags, kept as they are


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_a_match_has_an_id_and_a_number_of_games(game: str) -> None:
    for match in ("id 2/5", "é-7 1/1", "a/b 5/5"):
        read("", game=game, Match=match)
    for match in ("", "id", "id 6/5", "id 0/5", "id 2/05", "id 2", "2/5", "i d 2/5", "id 2/5 ", "id ٢/5"):
        assert faults(text_of("", game=game, Match=match)) == [(2, "tag-value")]


def test_seeds_secret_and_date_are_kept_as_they_are() -> None:
    read("", Date="long ago", Seeds="a b", Secret="00", Dice=f"committed:{'0' * 64}")
