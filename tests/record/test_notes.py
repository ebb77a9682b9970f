"""Notes and comments behind finished turns (docs/notation.md, Records)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import record
from dicecup.games import from_id
from dicecup.record import Journal, RecordError
from dicecup.record.journal import is_notes, split_notes
from tests.record.texts import faults, read, text_of

GOOD = [
    "%clock=1:30",
    "%clock=1:30 %eval=-0.25",
    "%a=b %a=b",
    "%k=;",
    "%k=%",
    "%k=a=b",
    "%k=é≤😀",
    "; so close",
    ";",
    ";;",
    "; two  spaces, %a=b and a last one ",
    "%clock=1 ; so close",
    "%clock=1 ;",
    "%clock=1 %eval=2 ; 1. 11235 -- [X]",
    "; null\0and tab\t",
]
BAD = [
    "%",
    "%clock",
    "%clock=",
    "%=1",
    "%1k=1",
    "%k_k=1",
    "%ké=1",
    "%k =1",
    "%k= 1",
    "%k=1 ",
    "%k=1  %k=2",
    "%k=1  ; two spaces",
    "%k=1 k=2",
    "%k=1\u00a0",
    "%k=\x7f",
    "%k=a\tb",
]


@pytest.mark.parametrize("notes", GOOD)
def test_notes_read_back(notes: str) -> None:
    assert is_notes(notes)
    found = read(f"1. 11235 -- {notes}\n2. 11235 k11 11122 a1 {notes}\n3. 11235\n")
    assert found.journal.lines[0] == f"1. 11235 -- {notes}"
    assert found.journal.turns == 2


@pytest.mark.parametrize("notes", GOOD)
def test_notes_stand_behind_corrections_too(notes: str) -> None:
    found = read(f"1. 11122 f1.1 {notes}\n1. > f1.2 {notes}\n1. > f1.3 {notes}\n", game="yamm")
    assert len(found.journal.lines) == 3


@pytest.mark.parametrize("notes", BAD)
def test_other_notes_are_refused(notes: str) -> None:
    assert not is_notes(notes)
    assert faults(text_of(f"1. 11235 -- {notes}\n")) == [(3, "not-a-note")]


def test_a_space_stands_before_a_note() -> None:
    assert faults(text_of("1. 11235 --;\n")) == [(3, "not-an-action")]
    assert faults(text_of("1. 11235 --%k=1\n")) == [(3, "not-an-action")]
    assert faults(text_of("1. 11235 --  ;\n")) == [(3, "spacing")]


@pytest.mark.parametrize("words", ["11235", "11235 k11", "11235 k11 11236"])
def test_a_line_that_stops_in_mid_turn_carries_none(words: str) -> None:
    assert faults(text_of(f"1. {words} ; so far\n")) == [(3, "note-in-mid-turn")]


def test_no_line_is_a_note_alone() -> None:
    assert faults(text_of("1. ; a comment\n")) == [(3, "spacing")]
    assert faults(text_of("1. %k=1\n")) == [(3, "spacing")]
    assert faults(text_of("; a comment\n")) == [(3, "not-a-turn")]


@given(st.text("%k=1; é\t", max_size=12))
def test_notes_that_are_accepted_read_back(notes: str) -> None:
    assert split_notes(f"1. 11235 -- {notes}") == ("1. 11235 --", notes) or not is_notes(notes)
    if is_notes(notes):
        read(f"1. 11235 -- {notes}\n")


# Adding them


def test_a_note_is_added_to_the_last_line() -> None:
    journal = Journal.start(from_id("yam-master")).word("11235").play("--").note("%clock=3 ; well")
    assert journal.to_text() == "1. 11235 -- %clock=3 ; well\n"
    corrected = Journal.start(from_id("yamm")).word("11122").play("f1.1").note("; a").play("1. > f1.2").note("; b")
    assert corrected.to_text() == "1. 11122 f1.1 ; a\n1. > f1.2 ; b\n"


@pytest.mark.parametrize("notes", [*BAD, "", "clock=3", "; two\n; lines", "; a\rreturn", " ; space", "; \ud800"])
def test_an_invalid_note_is_not_added(notes: str) -> None:
    journal = Journal.start(from_id("yam-master")).word("11235").play("--")
    with pytest.raises(RecordError, match="not-a-note"):
        journal.note(notes)
    assert journal.to_text() == "1. 11235 --\n"


@pytest.mark.parametrize("notes", ["; first", "%k=1", "%k=1 ; first"])
def test_a_line_takes_notes_once(notes: str) -> None:
    journal = Journal.start(from_id("yam-master")).word("11235").play("--").note(notes)
    with pytest.raises(RecordError, match="not-a-note"):
        journal.note("; second")


def test_an_unfinished_turn_takes_no_note() -> None:
    start = Journal.start(from_id("yam-master"))
    for journal in (start, start.word("11235"), start.word("11235").play("--").word("11235")):
        with pytest.raises(RecordError, match="note-in-mid-turn"):
            journal.note("; too early")


def test_a_record_is_written_with_its_notes() -> None:
    text = text_of("1. 11235 -- %clock=3 ; well\n", X="Anna")
    assert record.read(text).to_text() == text
