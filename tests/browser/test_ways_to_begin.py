"""Other ways to begin: from a record or a position, by a pasted link, on a printed sheet."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, command, table
from tests.browser.start_driver import RECORD, opened


@pytest.mark.slow
def test_a_record_goes_on_with_its_names(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Continue from a record").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Record or position")).to_have_accessible_description("Paste a record or a position first.")
    page.locator("input[type=file]").set_input_files({"name": "game.txt", "mimeType": "text/plain", "buffer": RECORD.encode()})
    expect(page.get_by_label("Record or position")).to_have_value(RECORD)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Seat 1: name")).to_have_value('Zoë "Z" Müller')
    page.reload()
    expect(page.get_by_label("Seat 2: name")).to_have_value("Ben")
    asked, seen = opened(page)
    assert (seen["game"], seen["dice_of"]) == ("yam-master(failed_defi=ignored)", "table")
    assert [seat["name"] for seat in seen["seats"]] == ['Zoë "Z" Müller', "Ben"]
    assert len(seen["history"]) == 2
    assert asked["setup"]["first"] is None


def test_a_position_goes_on_against_the_computer(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Continue from a record").click()
    # the turn of the person: the computer does not act before the view is read
    position = "5/5/1x2o/5/2x2 o 0:????? 10-11 4"
    page.get_by_label("Record or position").fill(position)
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Who are you?").select_option("Seat 2")
    asked, seen = opened(page)
    assert seen["position"] == position
    assert asked["setup"]["seats"] == [{"kind": "level", "level": "novice"}, {}]


@pytest.mark.slow
def test_a_text_that_cannot_be_continued_is_refused(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Continue from a record").click()
    field = page.get_by_label("Record or position")
    field.fill("once upon a time")
    page.get_by_role("button", name="Next").click()
    expect(field).to_have_accessible_description("This is neither a record nor a position.")
    for text in ("hello 0:????? 88", '[Game "yamm"]\n\n1. 11111 d1.2'):
        announcements = page.locator("dialog .bad").all_text_contents()
        field.fill(text)
        page.get_by_role("button", name="Next").click()
        expect(page.locator("dialog .bad")).not_to_have_text(announcements)
        expect(field).to_be_focused()
        expect(page).to_have_url(re.compile("/$"))
    field.fill(RECORD)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Start a new game instead").click()
    opened(page)


def test_a_pasted_link_is_followed(page: Page, new_page: NewPage) -> None:
    made = table(page, {"game": "yam-master", "seats": [{}, {}]})
    ben = new_page()
    ben.goto("/")
    ben.get_by_role("button", name="Watch or join a table").click()
    field = ben.get_by_label("Link or address")
    field.fill("what?")
    field.press("Enter")
    expect(field).to_have_accessible_description(re.compile("not a link to a table"))
    field.fill(f"https://dice.example.org/tables/{made['table']}")
    field.press("Enter")
    expect(ben.get_by_text("dice.example.org")).to_be_visible()
    field.fill(f" {made['watch']} ")
    field.press("Enter")
    ben.wait_for_url(f"**/tables/{made['table']}#watch=*")


@pytest.mark.slow
def test_an_empty_sheet_is_printed(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Print an empty Yamm sheet").click()
    page.get_by_label("Language").select_option("Français")
    page.get_by_label("How many play?").select_option("4")
    link = page.get_by_role("link", name="Download the PDF")
    assert link.get_attribute("href") == "/api/sheet.pdf?lang=fr&players=4"
    assert link.get_attribute("download") is not None


def test_the_tables_of_the_user_are_listed(page: Page) -> None:
    computer = {"kind": "level", "level": "random"}
    setups: tuple[Json, ...] = (
        {"game": "yamm", "seats": [{}, {}]},
        {"game": "yam-master", "seats": [{}, computer], "first": 0},
    )
    hot, over = (
        page.request.post("/api/tables", data={"setup": setup | {"dice": "table"}, "seats": seats}).json()
        for setup, seats in zip(setups, (_named("Anna", "Ben"), _named("Anna")), strict=True)
    )
    command(page, over, type="resign")
    page.goto("/")
    running, finished = (page.locator(f".{part} ul") for part in ("running", "finished"))
    expect(running.get_by_role("link")).to_contain_text("Your turn")
    assert running.get_by_role("link").get_attribute("href") == f"/tables/{hot['table']}"
    expect(finished.get_by_role("link").first).to_contain_text("Lost")
    assert finished.get_by_role("link", name="Review").get_attribute("href") == f"/review/{over['table']}"


def _named(*names: str) -> list[Json]:
    return [{"seat": seat, "name": name} for seat, name in enumerate(names)]
