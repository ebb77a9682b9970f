"""A game in a distribution of its own in the browser: the generic table shows it, and a person
plays it to the end."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage, browser, chromium, faults, new_page, own_server, server
from tests.browser.harness import Server, axe, table

__all__ = ["browser", "chromium", "faults", "new_page", "own_server", "server"]


@pytest.mark.slow
def test_a_person_plays_on_the_generic_table(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server)
    made = table(page, {"game": "one-column(players=1)", "seats": [{}], "dice": "table"})
    position = page.locator("[data-position]")
    expect(position).to_have_text(".,.,.,.,.,.,.,. 0:????? 1")
    for turn in range(1, 9):
        expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
        page.keyboard.type("11346")
        actions = page.get_by_role("toolbar", name="Legal actions").get_by_role("button")
        expect(actions).to_have_count(9 - turn)
        if turn == 1:
            assert axe(page) == []
        actions.first.press("Enter")
        expect(position).to_contain_text(f" {turn + 1}")
        expect(actions).to_have_count(0)
    expect(position).to_have_text("2,0,3,4,0,6,15,0 - 9")
    expect(page.locator("[data-result]")).to_contain_text("30")
    assert '[End "full"]' in page.request.get(f"/api/tables/{made['table']}/record").text()
