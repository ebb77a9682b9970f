"""One term for one thing: words that the catalogues of each language avoid."""

import re
from collections.abc import Iterator

import pytest

from dicecup.locale import catalogue

AVOIDED = {
    "en": r"given? (up|away)|gives (up|away)|[Ww]hoever|somebody|\bone’s\b|is told|[Cc]hallenge \(D",
    "de": (
        r"ß|„|“|\bPartien?\b|\bProfis?\b|Remis|Rückblick|\bSeed|Zufallsbeitrag|Ausgangstext|Prüfsumme|Entscheidung|\bZelle"
        r"|Wette \(D|Gesamttotal|gesichert|(?<=[a-z,] )Sie\b|\bIhne?n?\b"
    ),
    "fr": (
        r"\bprimes?\b|\bjets?\b|\bjetons?\b(?! d’accès)|\bplacer\b|\bplace (?=un pion)|[Ee]nl[eè]v|défi (est )?déclaré"
        r"|enregistrements?\b|\bvotre\b|\bvos\b|[Vv]euillez|[Rr]etour sur|empreinte|suites? (de|d’)|capturé"
    ),
}
"""Terms with another word in the catalogue, and forms of address other than `du` and `tu`."""


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield key and text of each message that a person reads."""
    for key, message in catalogue(language).items():
        if not key.startswith("words_"):  # what a person may type
            forms = [message] if isinstance(message, str) else message[0]["match"].values()
            yield from ((key, text) for text in forms)


@pytest.mark.parametrize("language", AVOIDED)
def test_a_catalogue_uses_one_term_for_one_thing(language: str) -> None:
    assert [(key, found[0]) for key, text in texts(language) if (found := re.search(AVOIDED[language], text))] == []
