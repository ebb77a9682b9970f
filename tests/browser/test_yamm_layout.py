"""The screen of Yamm in every window: the whole sheet, targets for fingers, large text, and nothing
that moves."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, overflow, painted, resized, table, wait_until
from tests.browser.sheet_driver import ALONE as WET
from tests.browser.test_screens import SHEETS, going_on
from tests.sweep import sweep

ALONE: Final[Json] = {"game": "yamm(players=1)", "seats": [{}]}
STRAIGHT: Final[Json] = ALONE | {
    "dice": "table",
    "start": '[Game "yamm(players=1)"]\n[P1 "Anna"]\n[Dice "table"]\n\n1. 12345\n',
}
"""A first turn whose best place has the longest name."""
WHOLE: Final = [(320, 568), (360, 740), (375, 667), (412, 915), (568, 320), (740, 360), (820, 1180), (1440, 900), (2560, 1440)]
"""Windows that show the whole sheet at once."""
LOW: Final = [(375, 553), (360, 480), (412, 450), (360, 370), (320, 256)]
"""Split screens, and a page at 400 %. The sheet scrolls below its heads, or follows the dice."""
LARGE_TEXT: Final = [(360, 660, 24), (320, 568, 24), (360, 740, 32), (740, 360, 24), (1440, 900, 32)]
SHIFTS: Final = """
  window.__shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.__shifts.push(entry.value);
  }).observe({ type: 'layout-shift', buffered: true });
"""
MOST_SHIFT: Final = 0.02
MOVES: Final = 20
"""Turns that a test plays: as many as show each state of the screen."""


def opened(new_page: NewPage, width: int, height: int, setup: Json = ALONE, *, font: int = 16, **options: Any) -> Page:
    """Return a page at a table in a window of this size, with this font size of the browser."""
    small = width < 1200
    page = new_page(viewport={"width": width, "height": height}, has_touch=small, is_mobile=small, **options)
    if font != 16:
        sizes = {"fontSizes": {"standard": font, "fixed": font}}
        page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)
    table(page, setup)
    expect(page.get_by_role("grid").first).to_be_visible()
    return page


def throw(page: Page) -> None:
    main = page.locator("[data-main]")
    expect(main).to_have_attribute("aria-disabled", "false")
    main.click()
    expect(page.locator("td.open").first).to_be_visible()
    painted(page)  # the sheet and the dice are measured


def fits_in_window(page: Page, selector: str) -> bool:
    """Return whether each element that matches lies within the window as a whole."""
    inside: bool = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].every((each) => {
             const { left, right, top, bottom } = each.getBoundingClientRect();
             return left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
           })""",
        selector,
    )
    return inside


def smallest(page: Page, selector: str) -> float:
    """Return the least width or height in px of the elements that match."""
    least: float = page.locator(selector).evaluate_all(
        "all => Math.min(...all.map((each) => each.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]))"
    )
    return least


def check_targets(page: Page) -> None:
    """Check the main button, the places, the dice and the width of the page."""
    assert overflow(page) == 0
    assert fits_in_window(page, "[data-main]")
    assert fits_in_window(page, ".places button") or page.viewport_size["height"] < 300  # type: ignore[index]
    assert smallest(page, ".places button") >= 44
    assert smallest(page, ".dice button") >= (44 if page.viewport_size["height"] > 300 else 24)  # type: ignore[index]
    assert smallest(page, "[data-main]") >= 44


@pytest.mark.slow
@sweep("width, height", WHOLE)
def test_the_whole_sheet_is_visible_at_once(new_page: NewPage, width: int, height: int) -> None:
    page = opened(new_page, width, height)
    throw(page)
    assert fits_in_window(page, "th, td")
    columns = page.locator("thead th span[aria-hidden]")
    assert columns.all_inner_texts() == ["↓1", "↓2", "↓3", "↑1", "↑2", "↑3", "Free 1", "Free 2", "Free 3"]
    cells = page.locator("td[data-cell], td:has([data-cell])").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert len(cells) == 9 * 13
    assert min(cell["width"] for cell in cells) >= 26
    assert min(cell["height"] for cell in cells) >= 15
    assert page.locator(".worth").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 11
    clipped = "all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"
    assert page.locator("tbody td, thead th").evaluate_all(clipped) == []
    check_targets(page)


@sweep("width, height", LOW)
def test_in_a_low_window_nothing_vanishes(new_page: NewPage, width: int, height: int) -> None:
    page = opened(new_page, width, height)
    throw(page)
    check_targets(page)
    last = page.locator("tbody tr").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=0.9)
    if height > 300:  # below, the dice come first
        expect(page.locator("thead th").last).to_be_in_viewport(ratio=0.9)
    assert smallest(page, ".paper") >= 95
    assert overflow(page) == 0


@sweep("width, height, font", LARGE_TEXT)
def test_large_text_leaves_everything_in_place(new_page: NewPage, width: int, height: int, font: int) -> None:
    page = opened(new_page, width, height, font=font)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == font
    throw(page)
    check_targets(page)
    assert smallest(page, ".paper") >= 95


@sweep("language", ["de-CH", "fr-CH"])
@sweep("width, height", [(360, 740), (375, 553), (320, 568)])
def test_large_text_fits_into_the_buttons_below_the_sheet(new_page: NewPage, width: int, height: int, language: str) -> None:
    page = opened(new_page, width, height, font=32, locale=language)
    going_on("yamm", SHEETS)(page)
    buttons = page.locator(".choose .places button")
    expect(buttons).to_have_count(4)  # the total, the best place, all places, and the correction
    painted(page)
    cut = "each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight"
    assert buttons.evaluate_all(f"all => all.filter((each) => {cut}).map((each) => each.innerText)") == []


@sweep("language", ["de-CH", "fr-CH"])
@sweep("width, height", [(320, 568), (1440, 900)])
def test_other_languages_fit(new_page: NewPage, width: int, height: int, language: str) -> None:
    page = opened(new_page, width, height, locale=language)
    throw(page)
    assert fits_in_window(page, "th, td")
    check_targets(page)
    clipped = "all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"
    assert page.locator("th, .places button").evaluate_all(clipped) == []


@sweep("language", ["de-CH", "fr-CH"])
@sweep("width, height, font", [(320, 568, 16), (360, 740, 16), (740, 360, 24), (1440, 900, 16), (1440, 900, 32)])
def test_the_longest_name_of_a_place_is_not_cut(new_page: NewPage, width: int, height: int, font: int, language: str) -> None:
    page = opened(new_page, width, height, STRAIGHT, font=font, locale=language)
    expect(page.locator("[data-place='f1.ST']")).to_be_visible()
    painted(page)
    cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)"
    assert page.locator(".places button").evaluate_all(cut) == []


@sweep("players", [2, 16])
@sweep("width, height", [(320, 568), (740, 360), (1440, 900)])
def test_several_sheets_are_one_tap_apart(new_page: NewPage, width: int, height: int, players: int) -> None:
    setup = {"game": f"yamm(players={players})" if players > 2 else "yamm", "seats": [{}] * players, "dice": "server"}
    names = [{"seat": seat, "name": f"Player {seat}"} for seat in range(players)]
    page = new_page(viewport={"width": width, "height": height})
    table(page, setup, seats=names)
    expect(page.get_by_role("grid").first).to_be_visible()
    expect(page.locator("[data-main][aria-disabled=false]")).to_be_visible()  # the starting roll has ordered the sheets
    if width < 900:
        page.locator(".places > .more").click()
    page.get_by_role("list", name="Sheets").get_by_role("button", name="Player 1").first.click()
    expect(page.get_by_role("grid", name=re.compile("Player 1"))).to_be_visible()
    painted(page)
    assert overflow(page) == 0


@pytest.mark.slow
def test_a_sheet_that_is_chosen_before_the_game_begins_stays(page: Page) -> None:
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda text: held.append((socket, text)) if held or '"turn":{' in str(text) else socket.send(text))

    page.route_web_socket(re.compile("/ws/tables/"), route)
    table(page, {"game": "yamm", "seats": [{}] * 2}, seats=[{"seat": seat, "name": f"Player {seat}"} for seat in range(2)])
    wait_until(page, lambda: held)
    second = f"Player {1 - json.loads(held[0][1])['view']['turn']['seat']}"
    page.get_by_role("list", name="Sheets").get_by_role("button", name=second).click()
    expect(page.get_by_role("grid", name=re.compile(second))).to_be_visible()
    while held:
        socket, text = held.pop(0)
        socket.send(text)
    expect(page.locator("[data-main][aria-disabled=false]")).to_be_visible()
    expect(page.get_by_role("grid", name=re.compile(second))).to_be_visible()


@pytest.mark.slow
def test_the_total_keeps_its_place_beside_any_buttons(new_page: NewPage) -> None:
    page = opened(new_page, 375, 667)
    total = page.locator("button.more")
    before = total.bounding_box()
    throw(page)
    assert total.bounding_box() == before
    page.locator(".places [data-place]").first.tap()
    expect(page.locator(".places [data-place]")).to_have_count(0)
    assert total.bounding_box() == before


@pytest.mark.slow
@sweep("width, height", [(320, 568), (360, 740)])
@sweep("clock", [None, {"kind": "turn", "seconds": 600}])
def test_the_numbers_of_computers_are_not_cut_off(new_page: NewPage, width: int, height: int, clock: Json | None) -> None:
    computers = [{"kind": "level", "level": "random"}] * 15
    setup = {"game": "yamm(players=16)", "seats": [{}, *computers], "clock": clock}
    page = opened(new_page, width, height, setup, locale="fr-CH")
    cut = """all => all.filter((each) => {
      const { right, bottom, width } = each.getBoundingClientRect();
      for (let around = each.parentElement; !around.matches('ul, .places'); around = around.parentElement) {
        const outer = around.getBoundingClientRect();
        const clips = getComputedStyle(around).overflowX !== 'visible';
        if (clips && (right > outer.right + 1 || bottom > outer.bottom + 1)) return true;
      }
      return width === 0 || each.previousElementSibling.getBoundingClientRect().width < 12;
    }).map((each) => each.parentElement.outerHTML)"""
    for numbers in (page.locator("[data-players] .number"), page.locator(".panel li .number")):
        expect(numbers).to_have_count(14)
        painted(page)
        assert {int(number) for number in numbers.all_text_contents()} == set(range(2, 16))
        assert numbers.evaluate_all(cut) == []
        if page.locator(".panel").count() == 0:
            page.locator(".places > .more").click()
    page.locator(".panel li button").filter(has=page.locator(".number", has_text=re.compile("^12$"))).click()
    expect(page.locator(".places > .more .number")).to_have_text("12")
    assert page.locator(".places > .more .number").evaluate_all(cut) == []


@sweep("cell, shown", [("f3.FH", "Libre 3 · FH\u00a0: —"), ("f3.H", "Libre 3 · H\u00a0: 25")])
def test_the_turn_of_a_computer_is_named_in_full_on_a_phone(new_page: NewPage, cell: str, shown: str) -> None:
    start = f'[Game "yamm"]\n\n1. 11266 k66 22666 f1.FH\n2. 45556 {cell}\n'
    against = {"game": "yamm", "seats": [{}, {"kind": "level", "level": "greedy"}], "start": start}
    page = opened(new_page, 360, 740, against, locale="fr-CH")
    line = page.locator(".past .line").first
    expect(line.locator("bdi")).to_have_text("Gourmand")
    expect(line.locator("strong")).to_have_text(shown)
    painted(page)
    assert line.locator("bdi > *").evaluate("name => name.scrollWidth <= name.clientWidth")


@pytest.mark.slow
@pytest.mark.parametrize("width, height", [(360, 740), (1440, 900)], ids=["phone", "desktop"])
def test_nothing_moves_during_a_game(new_page: NewPage, width: int, height: int) -> None:
    against = {"game": "yamm", "seats": [{}, {"kind": "level", "level": "random"}]}
    page = opened(new_page, width, height, against, reduced_motion="no-preference")
    expect(page.locator("[data-main]")).to_be_visible()
    painted(page)
    page.evaluate(SHIFTS)
    main = page.locator("[data-main]")
    for turn in range(MOVES):
        throw(page)
        if turn % 3 == 0:
            expect(main).to_have_attribute("aria-disabled", "false")
            page.keyboard.press("1")
            main.click()
            expect(page.locator(".pips").first).to_contain_text("●●")
        page.locator(".places [data-place]").first.click()
        expect(main).to_have_text("First throw")
        if turn % 5 == 0:
            page.get_by_role("button", name="Move this result").first.click()
            page.get_by_role("button", name="Leave it there").click()
    painted(page)
    shifts: list[float] = page.evaluate("window.__shifts")
    assert sum(shifts) <= MOST_SHIFT, shifts


def test_the_line_below_the_sheet_covers_no_row(new_page: NewPage) -> None:
    page = opened(new_page, 320, 568, WET, locale="fr-CH")
    expect(page.locator(".status p")).not_to_be_empty()
    painted(page)
    total = page.locator("tbody tr").last.bounding_box()
    line = page.locator(".status p").bounding_box()
    assert total is not None
    assert line is not None
    assert page.locator(".status p").evaluate("line => line.scrollHeight > line.clientHeight")  # longer than the line
    assert total["y"] + total["height"] <= line["y"] + 1
    resized(page, 740, 360)
    assert page.locator(".status p").evaluate("line => line.scrollHeight <= line.clientHeight")  # there it has several lines
