"""The owner of a table frees a seat, replaces the links and closes the table to newcomers."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import change_views, joined, menu
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, Server, axe, command, table, view, wait_until
from tests.sweep import sweep

THREE: Final[Json] = {"game": "yamm(players=3)", "seats": [{}, {}, {}], "dice": "table"}
DUEL: Final[Json] = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 1}


@pytest.mark.slow
@sweep("size", [(360, 740), (1280, 800)], ids=["phone", "desktop"])
def test_a_squatted_seat_is_freed_in_the_waiting_room(new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    made = table(page, THREE)
    squatter = joined(new_page, made, "Mallory")
    squatter.goto(f"/tables/{made['table']}")
    expect(squatter.get_by_role("heading", name="Waiting for players")).to_be_visible()
    link = page.get_by_role("textbox", name="Link to play")
    expect(link).to_have_value(made["join"])
    page.get_by_role("button", name="Free the seat of Mallory").click()
    expect(page.get_by_text("loses the seat, and the links are replaced")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Yes, free the seat").click()
    expect(squatter.get_by_text("You no longer have a seat here")).to_be_visible()
    expect(link).not_to_have_value(made["join"])
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert [seat["kind"] for seat in view(page, made)["seats"]] == ["person", "free", "free"]
    page.get_by_label("Let new people in").uncheck()
    expect(page.get_by_text("Only people who sit here can see the table.").first).to_be_visible()
    expect(link).to_have_count(0)
    guest = new_page()
    guest.goto(made["join"])
    expect(guest.get_by_text("There is no such table, or the link is no longer valid.")).to_be_visible()
    assert axe(page) == []


@pytest.mark.slow
def test_another_person_takes_the_seat_of_one_who_does_not_play(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    ben = joined(new_page, made)
    ben.goto(f"/tables/{made['table']}")
    sent: list[Json] = []

    def slow(view: Json) -> None:
        if not view["vacancy"]:
            view["claim"] = {"seat": 1, "at": view["now"] - 1, "reason": "slow"}
            view["may"] = [*view["may"], "claim win", "free-seat 1"]

    change_views(page, slow, sent)
    page.reload()
    expect(page.locator(".notice")).to_contain_text(re.compile("Ben.* is taking very long over this turn"))
    page.get_by_role("button", name=re.compile("Free the seat of .*Ben")).click()
    wait_until(page, lambda: sent)
    assert sent[-1] == {"type": "free-seat", "taken": 1}  # the server keeps it: Ben has nine more minutes
    menu(page, "Invite players and watchers")
    page.get_by_role("button", name="Replace the links").click()
    expect(page.get_by_role("textbox", name="Link to watch")).not_to_have_value(made["watch"])
    assert view(page, made)["links"] == 1
    command(page, made, type="resign")


@pytest.mark.slow
def test_a_newcomer_sits_down_in_a_running_game(server: Server, page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    ben = joined(new_page, made)
    ben.goto(f"/tables/{made['table']}")
    expect(ben.locator(".tray")).to_be_visible()
    program = [Path(sys.executable).with_name("dicecup"), "admin", "free", made["table"], "2", "--public-url", server.url]
    told = subprocess.run(
        program, env=os.environ | {"DICECUP_DATA": str(server.folder)}, capture_output=True, text=True, check=True
    )
    expect(ben.get_by_text("You no longer have a seat here")).to_be_visible()
    expect(page.locator("[data-vacancy]")).to_contain_text(re.compile("Seat 2.* is free. Invite someone with the new link"))
    assert axe(page) == []
    clara = new_page(viewport={"width": 360, "height": 740})
    clara.goto(told.stdout.split()[0])
    clara.get_by_label("Your name at the table").fill("Clara")
    assert axe(clara) == []
    clara.get_by_role("button", name="Join the game").click()
    expect(page.locator("[data-vacancy]")).to_have_count(0)
    expect(clara.locator("main").get_by_text("Seat 2")).to_have_count(0)
    seats = view(page, made)["seats"]
    assert [seat["name"] for seat in seats] == ["Anna", "Clara"]
