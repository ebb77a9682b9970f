"""The table of a game that the page has no screen for. A Yam Master table is shown as such a game:
its views lose the board."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import DUEL, change_views, expect_announcements, joined, play
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, command, overflow, table

UNKNOWN = "bowl(depth=2)"
SOLITAIRE: Json = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "dice": "table", "first": 0}


def as_unknown_game(seen: Json) -> None:
    seen["board"] = None
    seen["game"] = UNKNOWN


def test_a_turn_is_played_by_keyboard(page: Page, new_page: NewPage) -> None:
    change_views(page, as_unknown_game)
    made = table(page, DUEL)
    joined(new_page, made)
    expect(page.get_by_role("heading", level=1)).to_have_text("bowl")
    expect(page.locator("[data-position]")).to_have_text("5/5/5/5/5 x 0:????? 12-12 1")
    expect(page.get_by_role("toolbar")).to_have_count(0)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("11111")
    actions = page.get_by_role("toolbar", name="Legal actions").get_by_role("button")
    expect(actions.first).to_be_visible()
    texts = actions.all_inner_texts()
    assert not any(text.startswith(("k", "!")) for text in texts)
    assert axe(page) == []
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="Throw the other 4 dice")).to_be_visible()
    page.keyboard.press("1")
    actions.first.focus()
    page.keyboard.press("End")
    expect(actions.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(actions.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    line = page.get_by_role("region", name="Turns").get_by_role("listitem")
    expect(line).to_contain_text("1 1 1 1 1")
    expect(line).to_contain_text(texts[1])
    expect(page.locator("[data-position]")).to_contain_text(" o 0:")


@pytest.mark.slow
def test_actions_and_results_are_announced(page: Page, new_page: NewPage) -> None:
    change_views(page, as_unknown_game)
    made = table(page, DUEL)
    ben = joined(new_page, made)
    play(page, made, "11111")
    page.wait_for_function("() => window.__said.some((text) => text.includes('Throw 1'))")
    page.evaluate("window.__said.length = 0")
    play(page, made, "c3")
    expect_announcements(
        page, "You have played c3. It is Ben’s turn.", "You made a move on another device or in another window."
    )
    command(ben, made, type="resign")
    expect(page.get_by_role("heading", name="You win by resignation.")).to_be_visible()
    expect(page.locator("[data-result]")).to_have_text("x 0-0")
    expect(page.get_by_role("link", name="Review")).to_have_count(0)
    assert axe(page) == []


def test_the_table_fits_on_a_phone(phone: Page) -> None:
    change_views(phone, as_unknown_game)
    table(phone, SOLITAIRE)
    expect(phone.get_by_role("group", name="What the dice show")).to_be_visible()
    for face in "11346":
        phone.get_by_role("group", name="What the dice show").get_by_role("button", name=face, exact=True).tap()
    expect(phone.get_by_role("toolbar", name="Legal actions")).to_be_visible()
    assert overflow(phone) == 0
    assert axe(phone) == []
