"""The statistics page: it shows the counts of the server."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import axe, command, overflow, table
from tests.sweep import sweep

LATE = (
    "1,2,3,8,5,6,24,20,37,x,x/1,6,3,4,10,12,16,15,x,x,.1/1,4,3,8,5,6,25,20,x,x,.1/1,2,x,8,10,12,20,18,x,50,x/1,x,x,4,5,6,20,19,x,50,x/.10,x/"
    "2,2,3,4,5,12,17,7,x,x,x/3,4,6,4,15,12,24,23,x,x,x/1,4,12,8,5,12,22,12,x,x,x~d2.Y=1:34556 0:????? 89"
)
"""A poor sheet of Yamm in its 89th turn: two columns are not finished."""


def give_up(page: Page) -> None:
    """A game against the computer, after its first throw."""
    made = table(page, {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "first": 0})
    page.get_by_role("button", name="Throw").click()
    expect(page.get_by_text("2 throws left")).to_be_visible()
    command(page, made, type="resign")


def test_statistics_without_games_invite_to_play(page: Page) -> None:
    page.goto("/statistics")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page).to_have_url("/")


@pytest.mark.slow
@sweep("scheme", ["light", "dark"])
def test_finished_games_are_counted(new_page: NewPage, scheme: str) -> None:
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


@pytest.mark.slow
def test_columns_of_yamm_are_compared_with_the_level_master(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto("/")
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table", "start": LATE})
    command(page, made, type="resign")
    page.goto("/statistics")
    columns = page.get_by_role("table", name="Averages of finished columns")
    expect(columns.get_by_role("row")).to_have_count(1 + 7)
    expect(columns.get_by_role("row", name="↓1 106 0")).to_be_visible()
    expect(columns.locator(".mark")).to_have_count(7)
    expect(page.get_by_text("270 in a column filled downwards, 267 in one filled upwards, 389 in a free one")).to_be_visible()
    assert (overflow(page), axe(page)) == (0, [])
