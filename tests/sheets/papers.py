"""Games to print, and the text of printed pages."""

import random
from collections import Counter
from io import BytesIO
from typing import Any

from pypdf import PdfReader

from dicecup import games
from dicecup.core.source import Throw
from dicecup.record import Journal, Record, concluded
from tests.strategies import steps


def played(game_id: str, *names: str, seed: int = 1, most: int = 100_000) -> Record:
    """Return a game of random choices, or its first steps."""
    game = games.from_id(game_id)
    journal = Journal.start(game)
    for (step, _), _ in zip(steps(game, random.Random(seed)), range(most + 1), strict=False):
        if isinstance(step, Throw):
            journal = journal.throw(step)
        elif step is not None:
            journal = journal.play(step)
    named = dict(zip(game.player_tags, names, strict=False))
    return concluded(Record({"Game": game.id, **named, "Date": "2026-11-20", "Dice": "seed:1"}, journal))


def opened(pdf: bytes) -> PdfReader:
    assert pdf.startswith(b"%PDF-1.7")
    return PdfReader(BytesIO(pdf))


def root(pdf: bytes) -> dict[str, Any]:
    """Return the catalogue of a PDF."""
    catalogue: dict[str, Any] = opened(pdf).trailer["/Root"].get_object()  # type: ignore[assignment]
    return catalogue


def pages(pdf: bytes) -> list[str]:
    """Return the text of each page with single spaces."""
    return [flat(page.extract_text()) for page in opened(pdf).pages]


def flat(text: str) -> str:
    """Return a text with single spaces, also where a line must not break."""
    return " ".join(text.split())


def words(page: str) -> Counter[str]:
    return Counter(page.split())


def is_accessible(pdf: bytes) -> bool:
    """Return whether a PDF claims to be PDF/UA-1."""
    return b"<pdfuaid:part>1</pdfuaid:part>" in pdf
