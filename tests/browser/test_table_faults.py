"""Faults at a table: full, gone, outdated commands, a failing server, render errors."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import DUEL, Trouble, change_views, expect_announcements, joined, play
from tests.browser.conftest import NewPage
from tests.browser.harness import Faults, Json, announcements, command, overflow, resized, table


@pytest.mark.slow
def test_a_table_that_is_full_deleted_or_closed_says_so(page: Page, new_page: NewPage, faults: Faults) -> None:
    faults.allow("ws/tables/nonsense")
    made = table(page, DUEL)
    joined(new_page, made)
    late = new_page()
    late.goto(made["join"])
    expect(late.get_by_text("All seats at this table are taken.")).to_be_visible()
    for place in (
        f"/tables/{made['table']}#join=0",
        f"/tables/{made['table']}",
        f"/tables/{'0' * 20}#join=0",
        "/tables/nonsense",
    ):
        stranger = new_page()
        stranger.goto(place)
        expect(stranger.get_by_role("link", name="To the home page")).to_be_visible()
        expect(
            stranger.get_by_text(re.compile("no such table|does not exist|There is no", re.IGNORECASE)).first
        ).to_be_visible()


@pytest.mark.slow
def test_a_second_window_of_a_seat_is_reported_once(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    joined(new_page, made)
    other = page.context.new_page()
    other.goto(f"/tables/{made['table']}")
    for window in (page, other):
        expect(window.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("11346")
    page.keyboard.press("Enter")
    expect(other.get_by_role("region", name="Turns").get_by_role("listitem")).to_have_count(1)
    play(page, made, "--")
    elsewhere = "You made a move on another device or in another window."
    for window in (page, other):
        window.wait_for_function("(sentence) => window.__said.includes(sentence)", arg=elsewhere)
    assert not [sentence for window in (page, other) for sentence in announcements(window) if "version" in sentence]


def test_a_decision_survives_an_unrelated_event(page: Page, new_page: NewPage) -> None:
    """A command for an outdated version is sent again if the position is unchanged, without a
    message."""
    sent: list[Json] = []
    change_views(page, lambda _: None, sent, age=1)
    made = table(page, DUEL)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    joined(new_page, made)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("11346")
    page.keyboard.press("Enter")
    expect_announcements(
        page, "Yam Master. 1 seat is still free.", "Ben takes a seat. The game begins. Your turn.", "Throw 1: 1 1 3 4 6."
    )
    assert sent == 2 * [{"type": "enter-dice", "dice": "11346"}]


def test_a_server_that_cannot_save_is_reported(page: Page) -> None:
    def trouble(view: Json) -> None:
        if view["turn"]["throws"]:
            raise Trouble

    change_views(page, trouble)
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    expect(page.get_by_text("Your turn").first).to_be_visible()
    play(page, made, "11346")
    expect(page.locator(".notice", has_text="The server cannot save anything right now.")).to_be_visible()


def test_a_render_error_leaves_the_frame(page: Page, faults: Faults) -> None:
    """The frame stays, and a sentence says what to do."""
    faults.allow("null|TypeError")

    def broken(view: Json) -> None:
        if view["turn"]["throws"]:
            view["turn"]["dice"] = None

    change_views(page, broken)
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    play(page, made, "11346")
    expect(page.get_by_role("heading", name="Something went wrong on this page. The game is saved.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="To the home page").click()
    expect(page).to_have_url(re.compile("/$"))
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_hidden()


@pytest.mark.slow
def test_names_that_are_long_or_run_from_right_to_left(phone: Page, new_page: NewPage) -> None:
    made = table(phone, DUEL, name="W" * 40)
    expect(phone.get_by_role("heading", name="Waiting for players")).to_be_visible()
    joined(new_page, made, "بنيامين (1)")
    expect(phone.get_by_text("بنيامين (1)").first).to_be_visible()
    assert overflow(phone) == 0
    play(phone, made, "11346", "--")
    expect(phone.get_by_role("region", name="Turns").get_by_role("listitem")).to_have_count(1)
    assert "\u2068بنيامين (1)\u2069" in "".join(announcements(phone))
    resized(phone, 740, 360)
    assert overflow(phone) == 0
    command(phone, made, type="resign")
    expect(phone.locator("[data-panel]").get_by_role("heading")).to_be_visible()
    resized(phone, 360, 740)
    assert overflow(phone) == 0


def test_the_keys_are_listed(page: Page) -> None:
    table(page, {**DUEL, "seats": [{}, {"kind": "level", "level": "random"}]})
    expect(page.get_by_role("button", name="Table", exact=True)).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
