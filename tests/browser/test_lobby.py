"""Two strangers find each other in the lobby, on phones and in three languages."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Server, announcements, axe, command, overflow, resized, table

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LISTED = {"game": "yamm", "seats": [{}, {}], "listing": {"level": "casual"}}


def meet(page: Page) -> None:
    """Open the lobby on the start page."""
    page.goto("/")
    page.get_by_role("button", name="Meet people").tap()
    expect(page.get_by_role("heading", name="Meet people")).to_be_visible()


def seek(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play someone now").tap()


def test_two_strangers_find_each_other_play_and_one_leaves(new_page: NewPage) -> None:
    anna, ben = new_page(**PHONE), new_page(**PHONE)
    meet(anna)
    seek(anna, "Anna")
    bar = anna.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_be_visible()
    assert (axe(anna), overflow(anna)) == ([], 0)
    anna.goto("/rules/yamm")  # the request goes on, also when the page is loaded again
    expect(bar).to_be_visible()
    meet(ben)
    seek(ben, "Ben")
    for page in (anna, ben):
        page.wait_for_url("**/tables/*")
        expect(page.locator("[data-main]")).to_be_visible()
        expect(bar).to_have_count(0)
    assert anna.url == ben.url
    assert "Someone is here: the game begins." in announcements(anna)
    ben.close()
    expect(anna.get_by_text(re.compile("Ben.*(away|offline|left)")).first).to_be_visible()


@pytest.mark.slow
def test_who_comes_alone_looks_again_and_can_stop(own_server: Server, new_page: NewPage) -> None:
    anna, ben = (new_page(own_server, **PHONE) for _ in range(2))
    meet(anna)
    seek(anna, "Anna")
    expect(anna.get_by_role("region", name="Looking for an opponent")).to_be_visible()
    ben.goto("/")
    # a program that asks for an opponent and never comes to the table
    ben.evaluate(
        """async () => {
             await fetch('/api/me');
             const socket = new WebSocket(`ws://${location.host}/ws/lobby`);
             socket.onopen = () => {
               socket.send('{"type": "hello"}');
               const clock = { kind: 'turn', seconds: 60 };
               socket.send(JSON.stringify({ type: 'seek', id: 'b1', game: 'yam-master', clock, name: 'Ben' }));
             };
           }"""
    )
    anna.wait_for_url("**/tables/*")
    expect(anna.get_by_role("region", name="Looking for an opponent")).to_be_visible()
    assert any("did not come" in sentence for sentence in announcements(anna))
    anna.get_by_role("button", name="Stop looking").tap()
    expect(anna.get_by_role("region", name="Looking for an opponent")).to_have_count(0)


def test_a_public_table_is_found_and_joined(new_page: NewPage) -> None:
    anna, ben = new_page(), new_page(**PHONE)
    anna.goto("/?game=yamm&with=link")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Anyone may join").check()
    anna.get_by_label("Opponents about as strong as").select_option("casual")
    assert axe(anna) == []
    anna.get_by_role("button", name="Open the table").click()
    anna.wait_for_url("**/tables/*")
    meet(ben)
    line = ben.get_by_role("listitem").filter(has_text="Anna")
    expect(line).to_contain_text("level Casual")
    assert (axe(ben), overflow(ben)) == ([], 0)
    line.get_by_role("link", name=re.compile("^Sit down")).tap()
    ben.wait_for_url("**/tables/*")


@pytest.mark.slow
@pytest.mark.parametrize(
    "locale, name", [("de-CH", "Leute treffen"), ("fr-FR", "Rencontrer du monde"), ("en-GB", "Meet people")]
)
def test_the_lobby_fits_every_window_in_every_language(new_page: NewPage, locale: str, name: str) -> None:
    made_by, page = new_page(), new_page(locale=locale)
    table(made_by, LISTED)
    page.goto("/")
    page.keyboard.press("Tab")
    page.get_by_role("button", name=name).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Anna").first).to_be_visible()
    for width, height in ((360, 740), (740, 360), (1280, 800)):
        resized(page, width, height)
        assert (axe(page, only=".people"), overflow(page)) == ([], 0)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    resized(page, 360, 740)
    assert overflow(page) == 0


def test_people_who_played_are_invited_and_blocked(new_page: NewPage) -> None:
    anna, ben = new_page(), new_page(**PHONE)
    made = table(anna, {"game": "yam-master", "seats": [{}, {}]})
    ben.goto(made["join"])
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join the game").tap()
    expect(ben.locator("[data-main]")).to_be_visible()
    command(anna, made, type="resign")
    meet(ben)
    ben.get_by_text("People you have played").tap()
    known = ben.get_by_role("listitem").filter(has_text="Anna")
    expect(known.get_by_role("button", name="Invite Anna")).to_be_visible()
    assert (axe(ben, only=".people"), overflow(ben)) == ([], 0)
    anna.goto("/")
    anna.get_by_role("button", name="Meet people").click()
    anna.get_by_text("People you have played").click()
    anna.get_by_role("button", name="Invite Ben").click()
    anna.wait_for_url("**/tables/*")
    expect(ben.get_by_text("invites you to Yam Master").first).to_be_visible()
    known.get_by_role("button", name="Block Anna").tap()
    expect(ben.get_by_role("button", name="Unblock Anna")).to_be_visible()
