"""Every screen in three languages, light and dark: no text is cut off, no text is missing, axe
finds nothing. In German, which has the longest words, in seven windows, in the others in three.

With `DICECUP_SCREENSHOTS=FOLDER` each is kept there as a picture, to be looked at: `make screens`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import STILL, Faults, Json, axe, command, overflow, resized, table
from tests.browser.learning_driver import PATIENCE, RECORD

pytestmark = pytest.mark.slow

FOLDER: Final = os.environ.get("DICECUP_SCREENSHOTS")
LOCALES: Final = ("de-CH", "en-GB", "fr-CH")
SIZES: Final = ((360, 740), (320, 568), (375, 553), (740, 360), (820, 1180), (1440, 900), (2560, 1440))
FEW_SIZES: Final = ((320, 568), (740, 360), (1440, 900))
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
TWO: Final[Json] = {"game": "yam-master", "seats": [{}, {}], "first": 0, "dice": "table"}
DUEL: Final = """[Game "yam-master"]
[X "Anna"]
[O "Benedikt"]
[Dice "table"]

1. 11166 e4
2. 13466 k66 ~ 12366 k66 66666 c3
3. 23344 k33 33345 b1
4. 12345 b4
5. 22446 k44 34446 d1
6. 22333 !k333 13333 d3
7. 55566
"""
"""Its positions are not those of `RECORD`: nobody gets help with a game that runs."""
SHEETS: Final = """[Game "yamm"]
[P1 "Anna"]
[P2 "Benedikt"]
[Dice "table"]

1. 11266 k66 22666 f1.FH
2. 13456 k3456 23456 u1.Y
1. > f2.6
3. 44444 f1.Y
4. 11122 k111 11125 d1.1
5. 22236
"""
CUT: Final = """() => [...document.querySelectorAll('button, a, th, td, label, h1, h2, h3, summary, [role=gridcell]')]
    .filter((each) => each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1
        && getComputedStyle(each).overflowX !== 'visible' && !each.classList.contains('visually-hidden'))
    .map((each) => `${each.tagName} ${each.textContent.trim().slice(0, 40)}`)"""
"""Elements that cut off their own text."""
COVERED: Final = """() => {
  const top = document.querySelector('.tray .controls')?.getBoundingClientRect().top;
  return [...document.querySelectorAll('.tray .cube > *')].some((side) => side.getBoundingClientRect().bottom > top + 1);
}"""
"""Whether a die reaches into the buttons below it."""


def at_record(page: Page) -> None:
    page.goto("/review")
    page.locator("textarea").fill(RECORD)
    page.locator("form .primary").click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=5 * PATIENCE)
    expect(page.locator(".stale")).to_have_count(0)


def heading(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def at(path: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.goto(path)
        heading(page)
        page.wait_for_load_state("networkidle")

    return show


def at_game(path: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.goto(path)
        expect(page.get_by_role("grid").first).to_be_visible()

    return show


def waiting_room(page: Page) -> None:
    table(page, {**TWO, "dice": "server"})
    heading(page)


def going_on(game: str, record: str) -> Callable[[Page], None]:
    """A game of two people on this device, with real dice."""

    def show(page: Page) -> None:
        seats = [{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Benedikt"}]
        table(page, {"game": game, "seats": [{}, {}], "dice": "table", "start": record}, seats=seats)
        expect(page.get_by_role("grid").first).to_be_visible()

    return show


def over(page: Page) -> None:
    seats = [{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Benedikt"}]
    made = table(page, {"game": "yam-master", "seats": [{}, {}], "dice": "table", "start": DUEL}, seats=seats)
    command(page, made, type="resign", seat=1)
    expect(page.get_by_role("grid").first).to_be_visible()
    expect(page.locator("[data-panel]")).to_be_visible()


SCREENS: Final[dict[str, Callable[[Page], None]]] = {
    "start": at("/"),
    "new-yam-master": at("/?game=yam-master"),
    "new-yamm": at("/?game=yamm"),
    "waiting-room": waiting_room,
    "yam-master": going_on("yam-master", DUEL),
    "yamm": going_on("yamm", SHEETS),
    "over": over,
    "review": at("/review"),
    "review-yam-master": at_record,
    "learn-yam-master": at_game("/learn/yam-master"),
    "learn-yamm": at_game("/learn/yamm"),
    "train": at("/train"),
    "train-yam-master": at_game("/train/yam-master"),
    "train-yamm": at_game("/train/yamm"),
    "statistics": at("/statistics"),
    "transfer": at("/transfer#nothing"),
    "rules": at("/rules"),
    "rules-yam-master": at("/rules/yam-master"),
    "rules-yamm": at("/rules/yamm"),
    "nowhere": at("/nowhere"),
}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_in_every_language(new_page: NewPage, faults: Faults, screen: str, locale: str) -> None:
    page = new_page(locale=locale, viewport={"width": SIZES[0][0], "height": SIZES[0][1]})
    if screen == "nowhere":
        faults.allow("404")
    SCREENS[screen](page)
    first = LOCALES.index(locale)
    for place, (width, height) in enumerate(SIZES if FOLDER or locale == "de-CH" else FEW_SIZES, first):
        scheme = SCHEMES[place % 2]
        page.emulate_media(color_scheme=scheme)
        resized(page, width, height)
        page.evaluate(STILL)  # a token that slides reaches beyond its square
        if FOLDER:
            Path(FOLDER).mkdir(parents=True, exist_ok=True)
            page.screenshot(
                path=Path(FOLDER) / f"{screen}-{locale[:2]}-{width}-{scheme}.png",
                full_page=screen.startswith(("start", "new")),
            )
        assert overflow(page) == 0, width
        assert page.evaluate(CUT) == [], width
        assert not page.evaluate(COVERED), width
    resized(page, *SIZES[0])
    page.emulate_media(color_scheme=SCHEMES[first % 2])
    assert axe(page) == []
