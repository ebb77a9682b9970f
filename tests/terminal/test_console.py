"""The console: lines of at most 80 columns, colour, errors."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import ActionError, DiceCode, DiceError
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.console import TIE, WIDTH, Cell, Console, Style, wants_colour, wrapped
from dicecup.terminal.errors import EndOfInput, sentence
from dicecup.yam_master import ActionCode, YamMaster


@given(st.lists(st.text("abcx", min_size=1, max_size=70), max_size=30))
def test_long_lines_are_broken_and_lose_nothing(words: list[str]) -> None:
    parts = wrapped(" ".join(words))
    assert all(len(part) <= WIDTH for part in parts)
    assert " ".join(parts).split() == words


def test_a_word_that_is_too_long_stays_whole() -> None:
    assert wrapped("x" * 100) == ["x" * 100]
    assert wrapped(f"in {'x' * 100} and on") == ["in", f"  {'x' * 100}", "  and on"]


def test_a_line_never_begins_with_a_french_colon() -> None:
    assert wrapped(f"{'x' * 78} a : b") == ["x" * 78, "  a : b"]
    assert wrapped(f"{'x' * 76} « a »") == ["x" * 76, "  « a »"]
    assert wrapped(f"{'x' * 76} «\u00a0a\u00a0»\u00a0: b") == ["x" * 76, "  « a » : b"]


def test_tied_words_stay_together() -> None:
    assert wrapped(f"{'x' * 78} a{TIE}b") == ["x" * 78, "  a b"]


class Terminal(io.StringIO):
    """A text stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "stream, environ, wanted",
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {}, False),
        (io.StringIO(), {"TERM": "xterm"}, False),
    ],
)
def test_colour_follows_terminal_and_environment(
    stream: io.StringIO, environ: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TERM", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(stream) is wanted


def test_colour_changes_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    for colour in (False, True):
        console = Console(Messages("en"), colour=colour)
        console.say("Turn 1", Style.HEAD)
        console.row([Cell("x", 5, Style.X), Cell("", 3), Cell("[Sec]", 9, Style.OPEN, ">")])
    lines = capsys.readouterr().out.splitlines()
    assert "\x1b" not in "".join(lines[:2])
    assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in lines[2:]] == lines[:2] == ["Turn 1", "  x         [Sec]"]


def test_an_error_is_printed_with_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    Console(Messages("en"), colour=False).complain(DiceError(DiceCode.NOT_A_FACE, text="7\x1b[2J"))
    assert capsys.readouterr().out == "! “7?[2J”: a die shows 1 to 6. [not-a-face]\n"


def test_the_end_of_the_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(EndOfInput):
        Console(Messages("en"), colour=False).ask("?")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_without_its_own_message_has_a_sentence(language: str) -> None:
    messages = Messages(language)
    lacking = ActionError(ActionCode.SQUARE_TAKEN, position=YamMaster().start(), action="c3")
    lacking.details = {}
    assert sentence(lacking, messages) == messages("error_other", code="square-taken")


def test_a_position_error_lists_all_faults() -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 its type is not the point here
        YamMaster().position("5/5/5/5/5 o 0:????? 11-12 1")
    output = sentence(caught.value, Messages("en"))  # type: ignore[arg-type]
    assert "x moves in odd turns" in output
    assert "the tokens do not add up" in output
