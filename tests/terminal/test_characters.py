"""Replacements for characters that a terminal cannot show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.locale import LANGUAGES, catalogue
from dicecup.terminal.characters import plain, shown


@pytest.mark.parametrize(
    "text, ascii_text",
    [
        ("Défi, Carré", "Defi, Carre"),
        ("≤8", "<=8"),
        ("↓1 ↑2", "v1 ^2"),
        ("Würfe übrig: Ärger, größer", "Wuerfe uebrig: Aerger, groesser"),
        ("l’œuf « là »", 'l\'oeuf " la "'),
        ("骰子", "??"),
        ("e\u0301", "e"),
    ],
)
def test_ascii_gets_the_nearest_characters(text: str, ascii_text: str) -> None:
    assert shown(text, "ascii") == ascii_text


def test_latin_1_keeps_its_own_characters() -> None:
    assert shown("Défi ≤8 ↓1 Würfel", "latin-1") == "Défi <=8 v1 Würfel"


@given(st.text())
def test_every_text_can_be_printed_in_every_encoding(text: str) -> None:
    for encoding in ("ascii", "latin-1", "cp437", "utf-8"):
        assert shown(shown(text, encoding), encoding) == shown(text, encoding)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_needs_a_question_mark_in_ascii(language: str) -> None:
    characters = set("".join(message for message in catalogue(language).values() if isinstance(message, str)))
    assert [
        character for character in characters if character != "?" and not character.isascii() and plain(character) == "?"
    ] == []
