"""A resignation at a table of three: the people who remain choose a computer for the seat, or end
the game."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import joined, menu
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, command, resized, table, view

THREE: Final[Json] = {"game": "yamm(players=3)", "seats": [{}, {}, {}], "dice": "table"}


def resigned(page: Page, new_page: NewPage) -> tuple[Json, Page]:
    """Return a table whose third player, Carl, has resigned, and the browser of Ben."""
    made = table(page, THREE)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    ben = joined(new_page, made)
    carl = joined(new_page, made, "Carl")
    command(page, made, type="enter-die", face=6)  # begins at once
    carl.goto(f"/tables/{made['table']}")
    menu(carl, "Resign")
    expect(carl.get_by_role("dialog")).to_contain_text("The other players then choose a computer")
    carl.get_by_role("dialog").get_by_role("button", name="Yes, resign").click()
    expect(carl.locator("[data-vacancy]")).to_contain_text("Carl\u2069 has resigned. The remaining players decide")
    expect(page.locator("[data-vacancy]")).to_contain_text("Carl\u2069 has resigned. Choose the level")
    return made, ben


@pytest.mark.slow
def test_a_computer_of_a_chosen_level_plays_on(page: Page, new_page: NewPage) -> None:
    made, _ = resigned(page, new_page)
    assert any("Decide how the game goes on." in sentence for sentence in announcements(page))
    assert axe(page) == []
    page.get_by_label("Level", exact=True).select_option("greedy")
    page.get_by_role("button", name="Let the computer play on").click()
    expect(page.locator("[data-vacancy]")).to_have_count(0)
    seen = view(page, made)
    assert (seen["seats"][2]["kind"], seen["seats"][2]["level"], seen["result"]) == ("computer", "greedy", None)
    expect(page.get_by_role("list", name="At the table").get_by_role("listitem").nth(2)).to_contain_text("Carl (computer)")


@pytest.mark.slow
def test_the_game_ends_when_all_who_remain_agree(page: Page, new_page: NewPage) -> None:
    made, ben = resigned(page, new_page)
    page.get_by_role("button", name="Call the game off").click()
    expect(page.locator("[data-vacancy]")).to_contain_text("Still to decide: \u2068Ben\u2069.")
    expect(page.get_by_role("button", name="Call the game off")).to_have_count(0)
    ben.goto(f"/tables/{made['table']}")
    expect(ben.locator("[data-vacancy]")).to_contain_text("Would end the game: \u2068Anna\u2069.")
    ben.get_by_role("button", name="Call the game off").click()
    expect(page.locator("[data-panel] li.won")).to_have_count(2)
    assert view(page, made)["result"]["end"] == "resign"


@pytest.mark.slow
def test_the_choice_fits_on_a_phone(phone: Page, new_page: NewPage) -> None:
    resigned(phone, new_page)
    assert axe(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    resized(phone, 320, 568)
    banner = phone.locator("[data-vacancy]")
    assert banner.evaluate("banner => banner.scrollHeight - banner.clientHeight") <= 0
