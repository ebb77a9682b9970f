"""The pages of duplicate events: the challenges of today, the calendar, entering by keyboard, and a
pair that two people enter."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, overflow

PHONES: Final = [(320, 568), (375, 667)]
LOCALES: Final = {"de": "de-CH", "en": "en-GB", "fr": "fr-FR"}


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("main li h3, main form").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("address", ["/events", "/events/calendar"])
def test_the_pages_fit_and_are_accessible(new_page: NewPage, language: str, address: str) -> None:
    for width, height in PHONES:
        page = new_page(locale=LOCALES[language], viewport={"width": width, "height": height})
        opened(page, address)
        assert overflow(page) == 0
        assert axe(page) == []


def entered(page: Page, kind: str, name: str) -> None:
    """Enter a challenge of today by keyboard, from the start page."""
    page.goto("/")
    page.get_by_role("link", name="Daily challenges").last.focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name=re.compile(rf"^Enter\s?: {kind}"))
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=kind)).to_be_focused()
    page.get_by_label("Your name").focus()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tables/"))


def test_a_challenge_is_entered_once_and_gives_no_hints(new_page: NewPage) -> None:
    page = new_page()
    entered(page, "Yamm: a whole sheet", "Anna")
    table = page.url
    expect(page.locator("[data-main]")).to_be_visible()
    page.locator("[data-main]").click()
    expect(page.get_by_role("button", name=re.compile("Hint|Odds|Advice"))).to_have_count(0)
    assert axe(page) == []
    page.goto("/events")
    page.get_by_role("link", name="Go on playing").first.click()
    expect(page).to_have_url(table)


@pytest.mark.slow
def test_two_people_enter_a_pair_by_its_link(new_page: NewPage) -> None:
    anna, ben = new_page(), new_page(viewport={"width": 360, "height": 740})
    opened(anna, "/events")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Make it and invite people").click()
    expect(anna.get_by_role("heading", name="A pair of duels: Yam Master")).to_be_visible()
    assert axe(anna) == []
    link = anna.get_by_role("textbox", name="The others enter with this link").input_value()
    page: Json = {"path": link[link.index("/events/") :]}
    opened(ben, page["path"])
    assert axe(ben) == []
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Enter").click()
    expect(ben.get_by_role("link", name="To game 1")).to_be_visible()
    assert overflow(ben) == 0
    ben.get_by_role("link", name="To game 1").click()
    expect(ben).to_have_url(re.compile("/tables/"))
