"""Corrections in Yamm, and the writers of pairs."""

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import announcements, painted, table, view, wait_until
from tests.browser.sheet_driver import REAL, cell, focused, go_to, open_cells, pair_of_sheets, sheet_of, sit, throw, wet


@pytest.mark.slow
def test_a_wet_result_is_moved_and_moved_back(page: Page) -> None:
    made = sit(page, REAL)
    throw(page, "66655")
    cell(page, "f3.FH").click()
    expect(cell(page, "f3.FH")).to_have_accessible_name("Move this result: Full House in Free 3, 48 points, ink still wet")
    page.keyboard.press("Enter")
    assert announcements(page)[-1] == "Where should 5 5 6 6 6 go instead of Full House in Free 3? Choose a marked cell."
    assert open_cells(page) == ["u3.3", "d3.6", "f2.H", "f1.Y"]
    page.keyboard.press("Escape")
    assert open_cells(page) == []
    assert focused(page) == "f3.FH"
    page.locator(".dock").get_by_role("button", name="Move this result").click()
    assert focused(page) == "f3.FH"
    go_to(page, "d3.6")
    page.keyboard.press("Enter")
    expect(wet(page)).to_have_attribute("data-cell", "d3.6")
    assert focused(page) == "d3.6"
    expect(cell(page, "f3.FH")).to_have_text("empty")
    page.keyboard.press("Enter")
    cell(page, "f3.FH").click()
    expect(wet(page)).to_have_attribute("data-cell", "f3.FH")
    assert view(page, made)["sheets"][0]["columns"]["d3"]["6"] is None
    page.keyboard.press("Enter")
    throw(page, "66666")
    expect(page.get_by_role("button", name="Leave it there")).to_be_hidden()
    assert open_cells(page) == ["u3.3", "d3.6", "f2.H", "f1.Y"]


def test_a_late_answer_does_not_end_a_correction(page: Page) -> None:
    acts: set[str] = set()
    late: list[Callable[[], None]] = []

    def route(socket: WebSocketRoute) -> None:
        def up(text: str | bytes) -> None:
            if (message := json.loads(text)).get("command", {}).get("type") == "act":
                acts.add(message["id"])
            server.send(text)

        def down(text: str | bytes) -> None:
            if (message := json.loads(text))["type"] == "done" and message["id"] in acts:
                late.append(partial(socket.send, text))
            else:
                socket.send(text)

        server = socket.connect_to_server()
        server.on_message(down)
        socket.on_message(up)

    page.route_web_socket(re.compile("/ws/tables/"), route)
    sit(page, REAL)
    throw(page, "66655")
    cell(page, "f3.FH").click()
    expect(cell(page, "f3.FH")).to_have_accessible_name(re.compile("^Move this result"))
    page.keyboard.press("Enter")
    expect(cell(page, "d3.6")).to_be_visible()
    wait_until(page, lambda: late)
    for answer in late:
        answer()
    assert len(late) == 1
    painted(page)
    assert open_cells(page) == ["u3.3", "d3.6", "f2.H", "f1.Y"]


@pytest.mark.slow
def test_a_pair_on_one_device_has_its_writer(page: Page) -> None:
    setup = {"game": "yamm(players=4,pairs=yes)", "seats": [{}] * 4, "dice": "table", "writers": [2], "start": pair_of_sheets()}
    made = sit(page, setup, "Anna", "Ben", "Cléa", "Dan")
    sheets = page.get_by_role("list", name="Sheets").get_by_role("button")
    expect(sheets).to_have_count(2)
    for _ in range(4):
        seen = view(page, made)
        throw(page, "66655")
        expect(sheet_of(page, *(("Anna", "Cléa"), ("Ben", "Dan"))[seen["turn"]["seat"] % 2])).to_be_visible()
        writes = page.locator(".status").get_by_text("writes for both")
        if seen["turn"]["seat"] == 0:
            expect(writes).to_contain_text("Cléa")
        else:
            expect(writes).to_be_hidden()
        best = page.locator("td.open button.scores").first
        chosen = best.get_attribute("data-cell") or ""
        best.click()
        expect(wet(page)).to_have_attribute("data-cell", chosen)


@pytest.mark.slow
def test_a_writer_writes_on_another_device(page: Page, new_page: NewPage) -> None:
    setup = {"game": "yamm(players=4,pairs=yes)", "seats": [{}] * 4, "dice": "table", "writers": [0], "start": pair_of_sheets()}
    # It is Cléa's turn, and Anna writes for both.
    people = [{"seat": seat, "name": name} for seat, name in ((0, "Anna"), (1, "Ben"), (3, "Dan"))]
    made = table(page, setup, seats=people)
    other = new_page()
    assert other.request.get("/api/me").ok
    key = {"Dicecup-Key": made["join_key"]}
    place = f"/api/tables/{made['table']}"
    sits = {"type": "sit", "name": "Cléa", "seat": 2}
    told = {"id": "s", "version": other.request.get(place, headers=key).json()["number"], "command": sits}
    assert other.request.post(f"{place}/commands", data=told, headers=key).ok
    other.goto(f"/tables/{made['table']}")
    expect(other.get_by_text("still open").first).to_be_visible()
    expect(other.locator(".slots")).to_be_visible()
    other.keyboard.type("66655")
    expect(other.locator(".status")).to_contain_text("writes for both")
    expect(other.locator("td.open")).to_have_count(0)
    page.locator("td.open button.scores").first.click()
    expect(page.locator("button.wet")).to_be_visible()
    expect(other.locator("td.wet")).to_be_visible()


@pytest.mark.slow
def test_a_result_is_corrected_in_the_turn_of_the_next_player(page: Page) -> None:
    setup = {"game": "yamm", "seats": [{}, {}], "dice": "table", "start": pair_of_sheets()}
    made = sit(page, setup, "Anna", "Ben")
    throw(page, "66655")
    cell(page, "f3.FH").click()
    expect(wet(page)).to_have_attribute("data-cell", "f3.FH")
    expect(sheet_of(page, "Anna")).to_be_visible()
    throw(page, "11122")
    expect(sheet_of(page, "Ben")).to_be_visible()
    page.locator(".dock").get_by_role("button", name="Move this result").click()
    expect(sheet_of(page, "Anna")).to_be_visible()
    expect(cell(page, "f3.FH")).to_be_focused()
    cell(page, "d3.6").click()
    expect(wet(page)).to_have_attribute("data-cell", "d3.6")
    assert view(page, made)["sheets"][0]["columns"]["d3"]["6"] == 18
    page.get_by_role("checkbox", name="Show all sheets").check()
    expect(page.get_by_role("grid")).to_have_count(2)
    expect(sheet_of(page, "Ben").locator("td.open")).to_have_count(5)
    expect(sheet_of(page, "Anna").locator("td.open")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("grid")).to_have_count(2)
    page.get_by_role("checkbox", name="Show all sheets").uncheck()
    page.get_by_role("checkbox", name="Follow the player").uncheck()
    page.get_by_role("list", name="Sheets").get_by_role("button", name="Ben").click()
    expect(sheet_of(page, "Ben")).to_be_visible()
    cell(page, "f3.FH").click()
    expect(wet(page)).to_have_attribute("data-cell", "f3.FH")
    page.keyboard.type("11122")
    expect(page.get_by_text("2 throws left")).to_be_visible()
    expect(sheet_of(page, "Ben")).to_be_visible()
