"""Finished games of this device join those of the person on the server."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.device_page import PATIENCE, PHONE, begin, prepared, resign, until
from tests.browser.harness import GONE, Faults, Json, Server, axe, overflow

JOINING: Final = """() => new Promise((done) => {
  indexedDB.open('dicecup').onsuccess = ({ target: { result: database } }) => {
    database.transaction('joining').objectStore('joining').count().onsuccess = ({ target: { result } }) => {
      database.close();
      done(result);
    };
  };
})"""
"""Returns the number of finished games that the server has not got."""


def joined(page: Page) -> list[Json]:
    """Wait until the server has all games of the device and return those that it has."""
    until(page, f"async () => (await ({JOINING})()) === 0")
    found: list[Json] = page.request.get("/api/device-games").json()["tables"]
    return found


@pytest.mark.slow
def test_a_game_joins_once_when_the_server_is_back(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """The first answer of the server is lost, and two pages send the game."""
    page = new_page(own_server, service_workers="allow")
    prepared(page)
    own_server.end()
    faults.allow(GONE)
    page.goto("/device")
    begin(page)
    resign(page)
    table = page.url.rpartition("/")[2]
    assert page.evaluate(JOINING) == 1
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.context.route("**/api/device-games", lose)
    own_server.start()
    page.goto("/")
    page.wait_for_function("() => document.querySelector('main a.review')")
    assert lost == [200]
    other = page.context.new_page()
    for each in (page, other):
        each.goto("/", wait_until="commit")
    (game,) = joined(page)
    assert (game["table"], game["outcome"]) == (table, "lost")
    for each in (page, other):
        expect(each.locator("main .card a.review")).to_have_count(1)
        expect(each.get_by_role("link", name=re.compile("Yam Master.*on this device"))).to_have_count(1)


@pytest.mark.slow
def test_a_page_that_ends_while_a_game_joins_loses_none(new_page: NewPage) -> None:
    page = new_page()
    page.context.route("**/api/device-games", lambda _: None)  # never answered
    page.goto("/device")
    begin(page)
    resign(page)
    page.close()
    again = page.context.new_page()
    again.context.unroute("**/api/device-games")
    again.goto("/")
    assert len(joined(again)) == 1


@pytest.mark.slow
def test_a_game_joins_at_its_end_and_when_the_network_is_back(new_page: NewPage, faults: Faults) -> None:
    faults.allow(GONE)
    page = new_page()
    page.goto("/device")
    begin(page)
    resign(page)
    assert len(joined(page)) == 1
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("[data-main]")).to_be_visible()
    page.context.set_offline(True)
    resign(page)
    assert page.evaluate(JOINING) == 1
    page.context.set_offline(False)
    assert len(joined(page)) == 2


@pytest.mark.slow
def test_a_joined_game_is_marked_on_other_devices(new_page: NewPage) -> None:
    page = new_page(locale="de-CH", **PHONE)
    page.goto("/device")
    begin(page)
    page.locator("[data-main]").click()
    resign(page)
    assert len(joined(page)) == 1
    secret = page.request.post("/api/transfers").json()["secret"]
    other = new_page(locale="de-CH", **PHONE)
    assert other.request.post("/api/transfers/redeem", data={"secret": secret}).ok
    other.goto("/statistics")
    expect(other.get_by_text("1 davon wurde ohne Verbindung gespielt.")).to_be_visible(timeout=PATIENCE)
    assert axe(other) == []
    other.goto("/")
    line = other.locator(".finished .card")
    expect(line).to_contain_text("ohne Verbindung")
    assert axe(other) == []
    assert overflow(other) == 0
    line.locator("a").first.click()
    expect(other.locator("[data-step]")).to_be_visible(timeout=PATIENCE)
