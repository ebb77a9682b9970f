"""Real dice: entry by taps and keys, void throws, knocked-over dice, typing mistakes, the first
player."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import axe, overflow, table, view
from tests.browser.test_yam_master import ANNA, BEN, BENS, dice, hot_seat, keep, show, square
from tests.sweep import sweep


@pytest.mark.slow
def test_a_void_throw_is_thrown_again(page: Page) -> None:
    made = hot_seat(page)
    page.get_by_role("button", name="Void throw").click()
    show(page, "33126")
    keep(page, 3, 4)
    page.get_by_role("button", name="Throw the other 3 dice").click()
    show(page, "1")
    page.keyboard.press("v")  # while typing: the whole throw is void
    expect(page.get_by_label("still open")).to_have_count(0)
    expect(page.get_by_role("list", name="Dice").get_by_text("still open")).to_have_count(3)
    show(page, "345")
    expect(dice(page)).to_have_text(["3", "4", "3, kept", "3, kept", "5"])
    assert view(page, made)["running"] == ["~", "12336", "k33", "~", "33345"]


@pytest.mark.slow
def test_a_kept_die_that_was_knocked_over(page: Page) -> None:
    made = hot_seat(page)
    show(page, "33126")
    keep(page, 3, 4)
    page.get_by_role("button", name="Throw the other 3 dice").click()
    page.get_by_role("button", name="Knocked over").click()
    page.get_by_role("button", name=re.compile("3, stayed on the table: this one")).first.click()
    show(page, "1256")
    expect(dice(page)).to_have_text(["1", "2", "3, kept", "5", "6"])
    assert view(page, made)["running"] == ["12336", "k33", "12356"]


@pytest.mark.slow
@sweep("typed, thrown", [("6423", "23|346"), ("6433", "33346")])
def test_a_locked_die_that_was_knocked_over_stays_locked(page: Page, typed: str, thrown: str) -> None:
    made = hot_seat(page, game="yam-master(kept_dice=locked)")
    show(page, "33126")
    keep(page, 3, 4)
    page.get_by_role("button", name="Throw the other 3 dice").click()
    page.get_by_role("button", name="Knocked over").wait_for()
    page.keyboard.press("k")
    page.get_by_role("button", name=re.compile("3, stayed on the table: this one")).first.click()
    show(page, typed)  # by place: two thrown dice, the knocked-over one, one thrown
    locked = dice(page).get_by_role("button", name=re.compile("locked"))
    expect(locked).to_have_count(2)
    assert view(page, made)["running"] == ["12336", "k33", thrown]
    locked.first.click(force=True)
    page.keyboard.type("12345")
    expect(locked).to_have_count(2)


@pytest.mark.slow
def test_a_typing_mistake_is_taken_back(page: Page) -> None:
    made = hot_seat(page)
    show(page, "331")
    page.keyboard.press("Backspace")
    show(page, "226")
    expect(dice(page)).to_have_text(["2", "2", "3", "3", "6"])
    page.keyboard.press("z")
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("33126")
    expect(dice(page)).to_have_text(["1", "2", "3", "3", "6"])
    keep(page, 3, 4)
    page.get_by_role("button", name="Throw the other 3 dice").click()
    show(page, "344")
    square(page, "b1").click()
    expect(page.get_by_role("heading", name=f"{BENS}’s turn")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("heading", name=f"{ANNA}’s turn")).to_be_visible()
    assert view(page, made)["running"] == ["12336", "k33", "33344"]


@pytest.mark.slow
def test_the_focus_stays_in_the_tray_and_a_second_screen_follows(page: Page, new_page: NewPage) -> None:
    made = hot_seat(page)
    watcher = new_page()
    watcher.goto(made["watch"])
    faces = page.get_by_role("group", name="What the dice show")
    faces.get_by_role("button", name="3", exact=True).focus()
    for _ in range(5):
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Throw all five again")).to_be_focused()
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(faces.get_by_role("button", name="1", exact=True)).to_be_focused()
    expect(dice(watcher)).to_have_text(["3, kept", "3, kept"])
    expect(watcher.get_by_text(f"{ANNA} is playing …")).to_be_visible()
    page.keyboard.type("456")
    expect(dice(watcher)).to_have_text(["3, kept", "3, kept", "4", "5", "6"])
    expect(watcher.get_by_role("button", name=re.compile("^(Pass|Declare|Take back)"))).to_have_count(0)


def test_a_die_decides_who_starts_and_people_throw_for_computers(phone: Page) -> None:
    setup = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "greedy"}], "dice": "table"}
    made = table(phone, setup)
    expect(phone.get_by_text(f"One die decides who begins: on 1, 3, 5 {ANNA}, on 2, 4, 6")).to_be_visible()
    assert axe(phone) == []
    show(phone, "4")
    expect(phone.get_by_text("Throw for \u2068Computer (Greedy)\u2069.")).to_be_visible()
    show(phone, "66666")
    expect(phone.get_by_role("heading", name="Your turn")).to_be_visible()
    assert view(phone, made)["history"] != []
    assert overflow(phone) <= 0


def test_each_player_of_yamm_enters_a_starting_die(page: Page) -> None:
    setup = {"game": "yamm(players=3)", "seats": [{}, {}, {}], "dice": "table"}
    table(page, setup, seats=[*BEN, {"seat": 2, "name": "Cleo"}])
    for name, face in (("Anna", "4"), ("Ben", "2"), ("Cleo", "4")):
        expect(page.get_by_text(f"\u2068{name}\u2069 throws one die: a 1 or a 6 begins at once")).to_be_visible()
        page.keyboard.press(face)
    expect(page.get_by_text(re.compile("Starting roll: .*Anna.* 4, .*Ben.* 2, .*Cleo.* 4"))).to_be_visible()
    show(page, "3")
    expect(page.get_by_text("\u2068Cleo\u2069 throws one die")).to_be_visible()
    show(page, "5")
    expect(page.get_by_text(re.compile("again 3 5. .Cleo. begins"))).to_be_visible()
