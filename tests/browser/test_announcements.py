"""The announcements at a table, word for word."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import DUEL, SHEETS, expect_announcements, joined, play
from tests.browser.conftest import NewPage
from tests.browser.harness import announcements, axe, command, table


@pytest.mark.slow
def test_the_announcements_of_a_duel(page: Page, new_page: NewPage) -> None:
    """Anna's page announces Ben's turns, too, but not the history."""
    made = table(page, DUEL)
    expect_announcements(page, "Yam Master. 1 seat is still free.")
    ben = joined(new_page, made)
    expect_announcements(page, "Ben takes a seat. The game begins. Your turn.")
    ben.goto(f"/tables/{made['table']}")  # an open page keeps Ben online
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("11346")
    page.keyboard.press("Enter")
    expect_announcements(page, "Throw 1: 1 1 3 4 6.")
    expect(page.get_by_role("region", name="Your turn").get_by_role("button", name=re.compile("Défi")).first).to_be_enabled()
    page.get_by_role("group", name="Table").press("d")
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("Space")
    expect_announcements(page, "You have declared a Défi (Challenge).")
    page.keyboard.press("v")
    expect_announcements(page, "The throw is void and is repeated.")
    page.keyboard.press("z")
    expect_announcements(page, "Your last entry is taken back.")
    page.keyboard.type("111")
    page.keyboard.press("Enter")
    expect_announcements(page, "Throw 2: 1 1 1 1 1.")
    page.locator('[data-square="c3"]').click()
    expect_announcements(page, "Your token is on c3, Yam (Five of a kind). It is Ben’s turn.")
    play(ben, made, "22345")
    expect_announcements(page, "Ben, throw 1: 2 2 3 4 5.")
    play(ben, made, "k-")
    expect_announcements(page, "Ben throws them all again.")
    play(ben, made, "66666")
    expect_announcements(page, "Ben, throw 2: 6 6 6 6 6.")
    play(ben, made, "-c3")
    expect_announcements(page, "Predator: Ben takes the token off c3. Your turn.")
    page.reload()
    expect_announcements(page, "Yam Master, turn 3. Your turn. Points: Anna 0, Ben 0.")
    story = page.get_by_role("region", name="Turns").get_by_role("listitem")
    expect(story).to_have_count(2)
    expect(story.nth(1)).to_contain_text("1 1 3 4 6›1 1 1 1 1")
    expect(story.nth(0)).to_contain_text("Predator: token off c3")
    assert axe(page) == []


@pytest.mark.slow
def test_the_announcements_of_two_sheets(page: Page, new_page: NewPage) -> None:
    made = table(page, SHEETS)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    ben = joined(new_page, made)
    command(page, made, type="enter-die", face=4)
    command(ben, made, type="enter-die", face=4)
    command(page, made, type="enter-die", face=6)
    expect_announcements(
        page,
        "Yamm. 1 seat is still free.",
        "Ben takes a seat. The game begins.",
        "Starting roll: 4.",
        "Starting roll: 4.",
        "Starting roll: 6. Your turn.",
    )
    watcher = new_page()
    watcher.goto(made["watch"])
    expect_announcements(watcher, "Yamm, turn 1. It is Anna’s turn. Points: Anna 0, Ben 0.")
    assert watcher.locator("main").get_by_role("button", name=re.compile("Throw|Enter|Void")).count() == 0
    expect(watcher.get_by_text("You are watching.")).to_be_visible()
    play(page, made, "66666", "f1.Y")
    expect_announcements(
        watcher,
        "Anna, throw 1: 6 6 6 6 6.",
        "Anna: Yamm in Free 1, 70 points. Yamm in the first throw: 100 points more. It is Ben’s turn.",
    )
    play(ben, made, "12356", "k-", "12345", "d1.1")
    expect_announcements(
        watcher,
        "Ben, throw 1: 1 2 3 5 6.",
        "Ben throws them all again.",
        "Ben, throw 2: 1 2 3 4 5.",
        "Ben: 1 in Down 1, 1 point. It is Anna’s turn.",
    )
    play(page, made, "1. > f2.6")
    expect_announcements(watcher, "Anna moves the result of turn 1. 6 in Free 2, 30 points.")
    play(page, made, "11235", "f1.Y")
    expect_announcements(watcher, "Anna, throw 1: 1 1 2 3 5.", "Anna: Yamm in Free 1: struck. It is Ben’s turn.")


@pytest.mark.slow
def test_the_announcements_of_a_column(page: Page) -> None:
    """Bonus, High and Low struck together, a column that is full; alone at the table."""
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    page.wait_for_function("() => window.__said.some((text) => text.includes('Your turn'))")
    turns = ("11112 d1.1", "22223 d1.2", "33334 d1.3", "44445 d1.4", "55556 d1.5", "66661 d1.6", "11112 d1.H", "66665 d1.T")
    for turn in (*turns, "22333 d1.FH", "12345 d1.ST", "11112 d1.Y"):
        play(page, made, *turn.split(" "))
    page.wait_for_function("() => window.__said.some((text) => text.includes('Column total'))")
    told = [sentence for sentence in announcements(page) if " in Down 1" in sentence]
    assert told[5:] == [
        "6 in Down 1, 24 points. Bonus of Down 1: 150. Your turn.",
        "High in Down 1, 6 points. Your turn.",
        "Low in Down 1, High in Down 1: struck. Your turn.",
        "Full House in Down 1, 33 points. Your turn.",
        "Straight in Down 1, 45 points. Your turn.",
        "Yamm in Down 1: struck. Column total of Down 1: 312. Your turn.",
    ]
