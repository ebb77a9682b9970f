"""The review for people: languages, widths, encodings, and the SVG picture."""

import io
import re
import sys
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.analysis.review import review
from dicecup.core.game import Rules
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import Record
from dicecup.terminal.characters import HANDLER
from dicecup.terminal.chart import bars, bounds, column_of, spread
from dicecup.terminal.console import WIDTH, Console
from dicecup.terminal.review import show_review
from dicecup.terminal.svg import PLOT, svg_text
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm
from tests import strategies
from tests.record.texts import read

GAMES: tuple[Rules, ...] = (
    YamMaster(),
    Yamm.from_id("yamm(players=1)"),
    Yamm.from_id("yamm(players=3,kept_dice=locked)"),
    Yamm.from_id("yamm(players=4,pairs=yes)"),
)
SVG = "{http://www.w3.org/2000/svg}"
DUEL = "1. 11235 !k115 11445 k4 11244 --\n2. 14456 k45 24556 k245 12345 e3\n3. 66666 c3\n"


def printed(record: Record, language: str, encoding: str = "utf-8") -> str:
    """Return the output of the review in a terminal with this encoding."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding, errors=HANDLER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        show_review(Console(Messages(language), colour=False), review(record))
        stream.flush()
    shown: bytes = stream.buffer.getvalue()
    return shown.decode(encoding)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@settings(max_examples=10)
@given(st.data())
def test_every_review_fits_every_terminal_and_picture(game: Rules, data: st.DataObject) -> None:
    record = data.draw(strategies.records(game, most=40))
    language = data.draw(st.sampled_from(LANGUAGES))
    names = dict.fromkeys(set(record.tags) & {"X", "O", "P1", "P2"}, "Anna")
    named = Record(record.tags | names, record.journal)
    lines = printed(named, language, data.draw(st.sampled_from(("utf-8", "ascii", "latin-1")))).split("\n")
    assert [line for line in lines if len(line) > WIDTH] == []
    assert [line for line in lines if "{" in line] == []
    found = ET.fromstring(svg_text(review(record), Messages(language)))  # noqa: S314 we wrote it
    assert len(found.findall(f".//{SVG}path[@d]")) == (4 if isinstance(game, YamMaster) else game.sides)
    _, _, width, height = map(float, found.attrib["viewBox"].split())
    heights = [float(line.attrib["y1"]) for line in found.iter(f"{SVG}line")]
    top, bottom = min(heights), max(heights)
    assert bottom - top == pytest.approx(PLOT, abs=0.11)
    numbers = re.findall(r"[ML]([0-9.]+) ([0-9.]+)", " ".join(path.attrib["d"] for path in found.iter(f"{SVG}path")))
    assert all(top - 0.1 <= float(y) <= bottom + 0.1 and 0 < float(x) < width for x, y in numbers)
    for circle in found.iter(f"{SVG}circle"):
        assert 0 < float(circle.attrib["cx"]) < width
        assert 0 < float(circle.attrib["cy"]) < height


def test_the_report_has_the_values_of_the_review() -> None:
    shown = printed(read(DUEL, X="Anna", O="Ben"), "en")
    assert shown.startswith("Review of Yam Master: Anna (x), Ben (o)\n")
    assert "The game is not finished; the review goes as far as turn 3." in shown
    moment = r"① Turn \d, (Anna \(x\)|Ben \(o\)), throw \d: (\d ){4}\d\. Played: .+\. Better by \d+\.\d per cent: .+\."
    assert re.search(moment, shown.replace("\n  ", " "))
    rows = [line.split()[2:] for line in shown.split("\n") if line.startswith("Anna (x)  ")]
    found = review(read(DUEL, X="Anna", O="Ben"))
    assert float(rows[0][-1]) == pytest.approx(100 * found.players[0].loss, abs=0.06)
    assert float(rows[2][-1]) == pytest.approx(100 * found.sides[0].adjusted, abs=0.06)
    start, luck, losses, error, end, _ = map(float, rows[2])
    assert start + luck + losses + error == pytest.approx(end, abs=0.21)


def test_the_report_has_the_words_and_the_decimal_sign_of_a_language() -> None:
    record = read(DUEL, X="Anna", O="Ben")
    assert "Die teuersten Entscheide" in printed(record, "de")
    assert re.search(r"Mieux de \d+,\d pour cent : ", printed(record, "fr").replace("\n  ", " "))


def test_all_moments_of_a_turn_and_corrections_are_marked() -> None:
    shown = printed(read("1. 66666 k- 12345 f1.FH\n2. 13456 u1.Y\n1. > f2.1\n", game="yamm", P1="Anna"), "en")
    assert "① Turn 1, Anna, throw 1: 6 6 6 6 6. Played: keep none. Better by " in shown
    assert "② Turn 1, Anna, throw 2: 1 2 3 4 5. Moved to: Free 2, row 1. Better by " in shown
    marks = [line for line in shown.split("\n") if line and not line.strip(" ①②③")]
    assert sorted(marks[0].replace(" ", ""))[:2] == ["①", "②"]


def test_a_resigned_game_is_named_as_resigned() -> None:
    shown = printed(read(DUEL, Result="o 0-0", End="resign"), "en")
    assert "by resignation" in shown
    assert "The last expected result counts as the result here." in shown


def test_untrained_options_are_reported() -> None:
    shown = printed(read(DUEL, game="yam-master(captured=out)"), "en")
    assert Messages("en")("hints_foreign")[:30] in shown


def test_a_game_without_turns_has_a_short_review() -> None:
    assert printed(read(""), "en") == "Review of Yam Master: X (x), O (o)\nNo turn has been played yet.\n"
    assert "<path" in svg_text(review(read("")), Messages("en"))


def test_names_are_escaped_in_the_picture() -> None:
    shown = svg_text(review(read(DUEL, X="<b>&\x07\x1b", O="Ö" * 40)), Messages("de"))
    texts = [element.text or "" for element in ET.fromstring(shown).iter(f"{SVG}text")]  # noqa: S314 we wrote it
    assert "<b>&\ufffd\ufffd (x)" in texts


def test_the_picture_has_light_and_dark_colours() -> None:
    assert "prefers-color-scheme: dark" in svg_text(review(read(DUEL)), Messages("en"))


# --- The curve in characters ----------------------------------------------------------------------


def test_bars_fill_from_below() -> None:
    assert bars([0, 0.25, 0.5, 0.75, 1], 0, 1, 5, 2) == ["   ▄█", " ▄███"]
    assert bars([5, -5], 0, 1, 2, 1) == ["█ "]


def test_values_are_spread_over_the_width() -> None:
    assert spread([1, 2], 4) == [1, 1, 2, 2]
    assert spread([1, 3, 5, 7], 2) == [2, 6]
    assert spread([4], 3) == [4, 4, 4]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300), st.integers(1, 80))
def test_a_place_stands_in_a_column_of_its_own_value(values: list[float], width: int) -> None:
    assert len(spread(values, width)) == width
    assert all(0 <= column_of(at, len(values), width) < width for at in range(len(values)))
    assert bars(values, *bounds(values, 1), width, 3)[0].__len__() == width


def test_bounds_are_multiples_that_differ() -> None:
    assert bounds([2750.5, 2801], 100) == (2700, 2900)
    assert bounds([0, 0], 1) == (0, 1)
