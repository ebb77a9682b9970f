"""The pictures of the guides for players: a running game as the page of each language shows it.

With `DICECUP_PICTURES=docs/images` they are written, with at most 256 colours.
"""

import os
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import expect

from dicecup import games, players
from dicecup.core.source import SeededSource
from dicecup.locale import LANGUAGES
from dicecup.record import Journal, Record
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, overflow, painted, table

pytestmark = pytest.mark.slow

DOCS: Final = Path(__file__).parents[2] / "docs"
LOCALES: Final = {"en": "en-GB", "de": "de-CH", "fr": "fr-CH"}
COLOURS: Final = 256
PICTURES: Final[dict[str, tuple[str, int, Json]]] = {
    "yam-master-desk": ("yam-master", 15, {"viewport": {"width": 1440, "height": 900}}),
    "yamm-phone": ("yamm", 101, {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}),
}
"""Name of a picture → the game, the turn, and the window."""


@cache
def running(game_id: str, turn: int) -> str:
    """Return the record of a game of two computers of level `club`, after the first throw of a
    turn."""
    game = games.from_id(game_id)
    sides = [players.create("club", f"guide {side}") for side in range(game.players)]
    source, journal = SeededSource("guide"), Journal.start(game)
    while (position := journal.position).number < turn or position.waiting:
        assert position.turn is not None
        if position.waiting:
            throw = source.throw(position.turn.kept)
            assert throw is not None
            journal = journal.throw(throw)
        else:
            journal = journal.play(sides[game.player_of_turn(position.number)].choose(position))
    return Record({"Game": game_id, "Dice": "seed:guide"}, journal).to_text()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_a_game_is_in_the_language_of_the_guide(new_page: NewPage, name: str, language: str) -> None:
    game, turn, window = PICTURES[name]
    page = new_page(locale=LOCALES[language], **window)
    setup = {"game": game, "seats": [{}, {"kind": "level", "level": "club"}], "start": running(game, turn)}
    table(page, setup)
    expect(page.get_by_role("grid").first).to_be_visible()
    expect(page.locator("[data-main]")).to_be_visible()
    assert (overflow(page), axe(page)) == (0, [])
    if folder := os.environ.get("DICECUP_PICTURES"):
        page.mouse.move(0, 0)
        painted(page)
        taken = Image.open(BytesIO(page.screenshot(scale="css", animations="disabled"))).convert("RGB")
        taken.quantize(COLOURS, dither=Image.Dither.NONE).save(Path(folder) / file_name(name, language), optimize=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_guide_shows_the_pictures_of_its_language(language: str) -> None:
    suffixes = [".md"] if language == "en" else [f".{language}", ".md"]
    guides = [path for path in DOCS.glob("*.md") if path.suffixes == suffixes]
    shown = {name for path in guides for name in re.findall(r"\]\(images/([^)]+)\)", path.read_text("utf-8"))}
    assert {file_name(name, language) for name in PICTURES} <= shown
    if language != "en":
        assert all(name.split(".")[-2] == language for name in shown)


def file_name(name: str, language: str) -> str:
    return f"{name}.png" if language == "en" else f"{name}.{language}.png"
