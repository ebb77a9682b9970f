"""The connection breaks in a game against a computer: the page goes on, and hands the game back
when the server is there again (docs/decisions/0029)."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from dicecup import record
from dicecup.table.verify import check
from tests.browser.conftest import NewPage
from tests.browser.device_page import PATIENCE, PHONE, dice, prepared
from tests.browser.harness import AGAINST_COMPUTER as GAME
from tests.browser.harness import GONE, Faults, Json, Server, axe, command, overflow, table, view

DEVICE: Final = re.compile("/device/[0-9a-f]{20}$")
GO_ON: Final = "Continuer ici"
KEPT: Final = "stays as a game on this device"


def begun(own_server: Server, new_page: NewPage, **options: Any) -> tuple[Page, Json]:
    """A page that has the program for playing without a server, at a game whose dice lie."""
    page = new_page(own_server, service_workers="allow", **PHONE, **options)
    page.goto("/device")
    page.wait_for_function("() => window.__said.length > 0")
    made = table(page, {**GAME, "first": 0})
    expect(page.locator("[data-main]")).to_be_enabled()
    page.locator("[data-main]").click()
    expect(page.locator("ul.dice li")).to_have_count(5)
    return page, made


def gone_on(page: Page, name: str = "Go on here") -> str:
    """Go on on the device and return the address of the game there."""
    page.get_by_role("button", name=name).click(timeout=PATIENCE)
    page.wait_for_url(DEVICE, timeout=PATIENCE)
    expect(page.locator("ul.dice li")).to_have_count(5)
    return page.url


def throw_again(page: Page) -> None:
    """Keep no dice, so that the device throws, and wait until the second throw lies."""
    page.locator("[data-main]").click()
    expect(page.locator(".pips")).to_have_text("●●○")
    expect(page.locator(".tumbling")).to_have_count(0)
    expect(page.locator("[data-main]")).to_be_enabled()


@pytest.mark.slow
def test_a_game_goes_on_here_and_is_handed_back(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """The board stays, the device throws, and the server has the game as it was left, verified."""
    faults.allow(GONE)
    page, made = begun(own_server, new_page, locale="fr-CH")
    before = view(page, made)
    own_server.end()
    button = page.get_by_role("button", name=GO_ON)
    expect(button).to_be_visible(timeout=PATIENCE)
    assert axe(page) == []
    assert overflow(page) == 0
    gone_on(page, GO_ON)
    assert axe(page) == []
    assert overflow(page) == 0
    throw_again(page)
    own_server.start()
    page.wait_for_url(f"**/tables/{made['table']}", timeout=PATIENCE)
    expect(page.locator("[data-main]")).to_be_enabled(timeout=PATIENCE)
    after = view(page, made)
    assert after["number"] == before["number"] + 1
    assert (after["order"], after["seats"][1]["level"]) == (before["order"], before["seats"][1]["level"])
    assert after["fairness"]["throws"] == before["fairness"]["throws"] + 1
    assert axe(page) == []
    command(page, made, type="resign")
    report = check(record.read(page.request.get(f"/api/tables/{made['table']}/record").text()))
    assert (report.fault, report.on_device) == (None, "1.2-1.3")


@pytest.mark.slow
def test_a_lost_answer_a_closed_page_and_two_pages_hand_back_once(
    own_server: Server, new_page: NewPage, faults: Faults
) -> None:
    faults.allow(GONE)
    page, made = begun(own_server, new_page)
    own_server.end()
    place = gone_on(page)
    throw_again(page)
    page.close()
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    one = page.context.new_page()
    page.context.route("**/hand-back", lose)
    own_server.start()
    other = page.context.new_page()
    for each in (one, other):
        each.goto(place, wait_until="commit")
    for each in (one, other):
        each.wait_for_url(f"**/tables/{made['table']}", timeout=PATIENCE)
    assert lost == [200]
    commitments = view(one, made)["fairness"]["earlier"]
    assert len(commitments) == 2


@pytest.mark.slow
def test_a_game_that_went_on_at_the_server_stays_here(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """Another device of the person acts at the server before the game comes back."""
    faults.allow(GONE)
    page, made = begun(own_server, new_page)
    own_server.end()
    place = gone_on(page)
    throw_again(page)
    lying = dice(page)
    page.context.route("**/hand-back", lambda route: route.abort())
    own_server.start()
    command(page, made, type="act", action="k-")
    number = view(page, made)["number"]
    page.context.unroute("**/hand-back")
    expect(page.get_by_text(KEPT).first).to_be_visible(timeout=PATIENCE)
    assert page.url == place
    assert dice(page) == lying
    assert view(page, made)["number"] == number


@pytest.mark.slow
def test_a_game_with_other_people_waits(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    faults.allow(GONE)
    page = new_page(own_server, service_workers="allow", **PHONE)
    prepared(page)
    people = [{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Ben"}]
    table(page, {"game": "yam-master", "seats": [{}, {}], "first": 0}, seats=people)
    expect(page.locator("[data-main]")).to_be_enabled()
    own_server.end()
    expect(page.get_by_text("The connection is interrupted").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-go-on]")).to_have_count(0)
