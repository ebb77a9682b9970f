"""Laws of records: a written record reads back, an accepted text is canonical, other texts raise
only the typed error.
"""

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import record
from dicecup.core.game import Rules
from dicecup.core.source import Throw
from dicecup.record import Journal, Record, RecordError, concluded
from dicecup.record.files import load_stream
from tests import strategies

SOME_GAMES = (strategies.YAM_MASTER[0], strategies.YAM_MASTER[-1], *strategies.YAMM)
some_games = pytest.mark.parametrize("game", SOME_GAMES, ids=lambda game: game.id)


@some_games
@settings(max_examples=20)
@given(data=st.data())
def test_a_record_reads_back(game: Rules, data: st.DataObject) -> None:
    written = data.draw(strategies.records(game))
    assert record.read(written.to_text()) == written
    assert written.game == game


@some_games
@settings(max_examples=1)
@given(seed=strategies.seeds)
def test_a_whole_game_reads_back(game: Rules, seed: int) -> None:
    journal = Journal.start(game)
    for step, position in strategies.steps(game, random.Random(seed)):
        if step is not None:
            journal = journal.throw(step) if isinstance(step, Throw) else journal.play(step)
        assert journal.position == position
    written = concluded(Record({"Game": game.id, "X": "Anna"}, journal))
    assert written.journal.position.outcome is not None
    assert {"Result", "End"} < set(written.tags)
    assert record.read(written.to_text()) == written


@some_games
@settings(max_examples=10)
@given(data=st.data())
def test_a_truncated_record_is_a_running_game_or_refused(game: Rules, data: st.DataObject) -> None:
    """Texts are cut after every word and every character of the last line, as by a kill during a
    save.
    """
    written = data.draw(strategies.records(game, most=12))
    tags = {name: value for name, value in written.tags.items() if name not in {"Result", "End", "Winners"}}
    text = Record(tags, written.journal).to_text()
    for end in range(text.index("\n\n") + 2, len(text)):
        beginning = text[:end]
        if not beginning.endswith("\n"):
            with pytest.raises(RecordError, match="no-final-newline"):
                record.read(beginning)
            beginning += "\n"
        reads_back_or_is_refused(beginning)


@some_games
@settings(max_examples=40)
@given(data=st.data())
def test_an_edited_record_reads_back_or_is_refused(game: Rules, data: st.DataObject) -> None:
    text = data.draw(strategies.records(game, most=20).map(lambda written: written.to_text()))
    reads_back_or_is_refused(data.draw(st.one_of(strategies.mutations(st.just(text)), line_edits(text), word_edits(text))))


@settings(max_examples=100)
@given(text=st.text(strategies.ALPHABET + '[]"', max_size=40) | st.text(st.characters(), max_size=20))
def test_any_text_reads_back_or_is_refused(text: str) -> None:
    reads_back_or_is_refused(text)


@settings(max_examples=100)
@given(data=st.data())
def test_any_bytes_read_back_or_are_refused(data: st.DataObject) -> None:
    text = data.draw(strategies.records(strategies.YAM_MASTER[0], most=10)).to_text().encode()
    at = data.draw(st.integers(0, len(text)))
    edited = text[:at] + data.draw(st.binary(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        read = load_stream(io.BytesIO(edited))
    except RecordError:
        return
    assert read.to_text().encode() == edited


def reads_back_or_is_refused(text: str) -> None:
    """Raise an assertion error unless a text is canonical or raises `RecordError`."""
    try:
        read = record.read(text)
    except RecordError as error:
        lines = text.count("\n") + 1
        assert error.faults
        assert all(0 <= fault.line <= lines for fault in error.faults)
        assert sorted(error.faults, key=lambda fault: fault.line or lines + 1) == list(error.faults)
        assert str(error)
    else:
        assert read.to_text() == text
        assert text.encode()


@st.composite
def line_edits(draw: st.DrawFn, text: str) -> str:
    """Draw a text with two lines exchanged, or one line dropped, doubled or moved."""
    lines = text.splitlines(keepends=True)
    first, second = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(("swap", "drop", "double")))
    if kind == "swap":
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == "drop":
        del lines[first]
    else:
        lines.insert(second, lines[first])
    return "".join(lines)


@st.composite
def word_edits(draw: st.DrawFn, text: str) -> str:
    """Draw a text with a word replaced by another word of the record."""
    words = text.split(" ")
    words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(words))
    return " ".join(words)
