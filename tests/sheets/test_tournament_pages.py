"""Printed pairings, standings and crosstables."""

from io import BytesIO
from random import Random

import pytest
from pypdf import PdfReader

from dicecup import sheets
from dicecup.locale import LANGUAGES
from dicecup.sheets.tournament_pages import points_text
from dicecup.tournament.commands import AddEntrant, StartRound
from dicecup.tournament.errors import TournamentError
from dicecup.tournament.setup import DiceKind, Format
from tests.tournament.playing import Tournament, setup


def played(kind: Format, entrants: int = 5) -> Tournament:
    made = Tournament(setup(kind), entrants)
    made.play(Random(3))
    return made


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [Format.SWISS, Format.ROUND_ROBIN, Format.KNOCK_OUT])
def test_every_page_names_every_entrant(kind: Format, language: str) -> None:
    state = played(kind).state
    for pdf in (sheets.standings_page(state, language), sheets.crosstable_page(state, language)):
        shown = text_of(pdf)
        assert all(entrant.name in shown for entrant in state.entrants)
    first = state.rounds[0]
    shown = text_of(sheets.pairings_page(state, language, number=1))
    assert all(state.entrant(number).name in shown for number in first.byes)
    assert all(state.entrant(pairing.second).name in shown for pairing in state.pairings_of(first))


def test_the_same_tournament_gives_the_same_bytes() -> None:
    state = played(Format.SWISS).state
    assert sheets.standings_page(state, "de") == sheets.standings_page(state, "de")


def test_a_round_that_has_not_begun_has_no_page() -> None:
    with pytest.raises(TournamentError, match="no-such-round"):
        sheets.pairings_page(Tournament(setup(Format.SWISS), 4).state, "en")
    with pytest.raises(TournamentError, match="no-such-round"):
        sheets.pairings_page(played(Format.SWISS).state, "en", number=9)


def test_names_of_every_kind_are_printed() -> None:
    made = Tournament(setup(Format.SWISS, dice=DiceKind.RESULTS))
    for name in ("Zoë", "#let x = 1", "می‌خواهم", "W" * 40, "*bold* _x_"):
        made.do(AddEntrant(name))
    made.do(StartRound())
    shown = text_of(sheets.pairings_page(made.state, "fr"))
    assert "#let x = 1" in shown
    assert sheets.crosstable_page(made.state, "fr").startswith(b"%PDF")


@pytest.mark.parametrize("points, text", [(0, "0"), (1, "½"), (2, "1"), (7, "3½")])
def test_points_are_printed_as_in_crosstables(points: int, text: str) -> None:
    assert points_text(points) == text
