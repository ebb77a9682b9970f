"""Helpers for the tests of the start page: its cards, the form for a new game, and new tables."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page

from tests.browser.harness import Json, view

RECORD = """[Game "yam-master(failed_defi=ignored)"]
[X "Zoë \\"Z\\" Müller"]
[O "Ben"]
[Dice "table"]

1. 11235 k11 11445 k4 11244 --
2. 14456 k45 24556 k245 12345 e3
"""
CUT = """
() => [...document.querySelectorAll('button, .button, summary, label, legend, h1, h2, a')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.visually-hidden'))
  .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth)
  .map((each) => each.outerHTML.slice(0, 120))
"""
"""Elements whose text is wider than they are."""


def card(page: Page, game: str) -> Locator:
    """Return the card of a game on the start page."""
    return page.locator("article", has=page.get_by_role("heading", name=game, exact=True))


def options(page: Page, game: str) -> None:
    """Open the form for a new game with all options visible."""
    page.goto(f"/?game={game}")
    page.get_by_text("Rules, clock, number of games").click()


def choose(page: Page, *choices: tuple[str, str]) -> None:
    """Choose answers: pairs of a question and an answer."""
    for question, choice in choices:
        page.get_by_role("group", name=question).get_by_role("radio", name=re.compile(f"^{re.escape(choice)}")).check()


def made_by(page: Page, act: Callable[[], None]) -> tuple[Json, Json]:
    """Return the request for a table and the answer of the server."""
    with page.expect_response(lambda told: told.url.endswith("/api/tables") and told.request.method == "POST") as told:
        act()
    assert told.value.status == 201, told.value.text()
    page.wait_for_url("**/tables/*")
    asked: Json = json.loads(told.value.request.post_data or "")
    return asked, told.value.json()


def opened(page: Page, button: str = "Play") -> tuple[Json, Json]:
    """Submit the form. Return the request for a table and the view of the table."""
    asked, made = made_by(page, page.get_by_role("button", name=button, exact=True).click)
    return asked, view(page, made)


def you_are_asked(page: Page) -> Locator:
    """Return the button that throws the dice."""
    return page.get_by_role("button", name=re.compile("throw", re.IGNORECASE)).first
