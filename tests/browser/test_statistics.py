"""Statistics of one's own games: what the page shows is what the server counts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import axe, command, overflow, table


def give_up(page: Page) -> None:
    """A game against the computer, after its first throw."""
    made = table(page, {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "first": 0})
    page.get_by_role("button", name="Throw").click()
    expect(page.get_by_text("2 throws left")).to_be_visible()
    command(page, made, type="resign")


def test_nothing_played_is_an_invitation(page: Page) -> None:
    page.goto("/statistics")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page).to_have_url(page.url.split("/statistics")[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_games_that_ended_are_counted(new_page: NewPage, scheme: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page.goto("/")
    for _ in range(2):
        give_up(page)
    page.goto("/statistics")
    duel = page.get_by_role("region", name="Yam Master")
    against = duel.get_by_role("table", name="Against whom")
    expect(duel.get_by_text("2 finished games.")).to_be_visible()
    expect(against.get_by_role("row", name="Random 0 0 2 0%")).to_be_visible()
    assert overflow(page) == 0
    assert axe(page) == []
