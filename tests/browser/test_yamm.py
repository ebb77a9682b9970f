"""The sheet of Yamm: whole games by keyboard, mouse and touch; texts before and after an entry;
questions before a strike. test_yamm_layout.py measures the screen."""

import json
import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from dicecup.yamm.score import BONUSES
from tests.browser.conftest import NewPage
from tests.browser.harness import axe, command, overflow, table, view, wait_until
from tests.browser.sheet_driver import (
    ALONE,
    EXPLAINED,
    FULL,
    REAL,
    answer,
    box,
    cell,
    focused,
    go_to,
    into_the_sheet,
    open_cells,
    pair_of_sheets,
    sheet_of,
    sit,
    throw,
    wet,
)
from tests.sweep import sweep


@pytest.mark.slow
def test_a_whole_sheet_by_keyboard_alone(page: Page) -> None:
    made = sit(page, REAL)
    expect(sheet_of(page, "Anna")).to_be_visible()
    turns = ["66655", "23456", "12345", "11111", "33366", "22211", "66666", "55566", "61234", "54321", "33333", "11122"]
    into_the_sheet(page)
    for dice in turns:
        throw(page, dice)
        page.keyboard.press("n")
        chosen = focused(page)
        assert chosen in open_cells(page)
        page.keyboard.press("Enter")
        answer(page, chosen, lambda yes: yes.press("Enter"))
        assert focused(page) == chosen
    seen = view(page, made)
    assert seen["result"]["end"] == "full"
    expect(page.locator(".grand dd")).to_have_text(str(seen["sheets"][0]["total"]))
    totals = [str(total) for total in seen["sheets"][0]["column_totals"].values()]
    assert [each.inner_text() for each in page.get_by_role("grid").locator("tr").last.locator("td").all()] == totals


@pytest.mark.slow
@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_a_whole_sheet_by_pointer(page: Page, phone: Page, touch: bool) -> None:
    page = phone if touch else page
    made = sit(page, ALONE)
    main = page.locator("[data-main]")

    def press(what: Locator) -> None:
        if touch:
            what.tap()
        else:
            what.click()

    for turn in range(88, 100):
        expect(main).to_have_text("First throw")
        press(main)
        offers = page.locator(".places [data-place]") if touch else page.locator("td.open button")
        best = offers.and_(page.locator(".scores")).or_(offers).first
        expect(best).to_be_visible()
        chosen = best.get_attribute("data-place" if touch else "data-cell") or ""
        press(best)
        answer(page, chosen, press)
        assert overflow(page) == 0, turn
    assert view(page, made)["result"]["end"] == "full"


def test_the_sheet_says_what_an_entry_would_do(page: Page) -> None:
    sit(page, REAL)
    expect(cell(page, "d3.ZT")).to_contain_text("sum 45, 15 to go for +60")
    expect(cell(page, "d1.ZT")).to_contain_text("sum 63, bonus +60, subtotal 123")
    expect(cell(page, "d1.total")).to_have_text("294")
    expect(cell(page, "d3.total")).to_have_text("empty")
    throw(page, "66655")
    assert open_cells(page) == ["u3.3", "d3.6", "f2.H", "f3.FH", "f1.Y"]
    expect(cell(page, "d3.6")).to_have_accessible_name("6 in Down 3: 18 points, sum 63, bonus +60, subtotal 123")
    expect(cell(page, "u3.3")).to_have_accessible_name("3 in Up 3: would be struck, sum 45, 15 to go for +60")
    expect(cell(page, "f3.FH")).to_have_accessible_name(re.compile("^Full House in Free 3: 48 points, column total "))
    expect(cell(page, "f2.H")).to_have_accessible_name(re.compile("^High in Free 2: 28 points"))
    cell(page, "d3.6").hover()
    expect(page.locator(".status")).to_contain_text("in total")
    lies = box(page, "d3.6")
    cell(page, "d3.6").dblclick()
    expect(cell(page, "d3.ZT")).to_contain_text("sum 63, bonus +60, subtotal 123")
    expect(page.get_by_role("button", name="Leave it there")).to_be_hidden()
    assert box(page, "d3.6") == lies
    throw(page, "12345")
    assert box(page, "d3.6") == lies


@pytest.mark.slow
def test_an_entry_that_strikes_high_and_low_is_asked_about(page: Page) -> None:
    made = sit(page, REAL)
    throw(page, "11223")
    expect(cell(page, "f2.H")).to_have_accessible_name(re.compile("would strike High and Low of this column"))
    into_the_sheet(page)
    go_to(page, "f2.H")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Strike High and Low?")
    expect(dialog).to_contain_text("In Free 2, High would not be above Low.")
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    assert focused(page) == "f2.H"
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert view(page, made)["sheets"][0]["columns"]["f2"]["H"] is None
    cell(page, "f2.H").click()
    dialog.get_by_role("button", name="Strike both").click()
    expect(wet(page)).to_have_attribute("data-cell", "f2.H")
    expect(cell(page, "f2.T")).to_have_text("struck")
    assert focused(page) == "f2.H"


@pytest.mark.slow
def test_the_line_below_the_sheet_ends_with_a_sentence_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True)
    sit(page, REAL)
    sentence, movable = (page.locator(".status span").nth(number) for number in (0, 1))
    expect(sentence).to_have_text(re.compile("Free 3 · ST, 45 points\\.$"))
    assert sentence.evaluate("text => text.scrollWidth <= text.clientWidth")
    line = page.locator(".status p").bounding_box()
    rest = movable.bounding_box()
    assert line is not None
    assert rest is not None
    below = rest["y"] - line["y"] - line["height"]
    assert below >= -1 or below + rest["height"] <= 1  # left out, or shown as a whole


def test_every_place_explains_itself(page: Page) -> None:
    sit(page, REAL | {"start": f"{EXPLAINED} 0:????? 72"})
    told = page.locator(".status")
    for place, sentence in [
        ("d1.2", "2 in Down 1: open, it comes next in ↓1"),
        ("d1.ST", "Straight in Down 1: closed, since ↓1 is written from the top. Next comes Twos"),
        ("u1.5", "5 in Up 1: closed, since ↑1 is written from the bottom. Next comes Low"),
        ("f1.1", "1 in Free 1: open, this column is written in any order"),
        ("f2.1", "1 in Free 2: struck, 0 points"),
        ("f2.6", "6 in Free 2: 18 points"),
        ("f3.ST", "Straight in Free 3: 45 points, ink still wet"),
        ("d1.ZT", "↓1: rows 1 to 6 add up to 1 so far. 59 to go for a bonus of 60."),
        ("f3.ZT", "Free 3: rows 1 to 6 add up to 63. With the bonus of 60 that makes 123."),
        ("d1.total", "↓1: added up once all its cells are written."),
    ]:
        cell(page, place).click()
        expect(told).to_have_text(sentence)


def test_a_strike_is_asked_about_while_much_is_open(page: Page) -> None:
    made = sit(page, REAL)
    throw(page, "66655")
    go_to(page, "u3.3")
    page.keyboard.press("Enter")
    question = page.get_by_role("group", name="Strike ↑3 · 3? Another cell would bring 48 points.")
    expect(question.get_by_role("button", name="Choose another cell")).to_be_focused()
    assert axe(page, only=".game") == []
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    assert focused(page) == "u3.3"
    page.keyboard.press("Enter")
    question.get_by_role("checkbox").check()
    question.get_by_role("button", name="Strike it").click()
    expect(wet(page)).to_have_attribute("data-cell", "u3.3")
    assert view(page, made)["sheets"][0]["columns"]["u3"]["3"] == 0
    throw(page, "66655")
    cell(page, "f1.Y").click()
    expect(wet(page)).to_have_attribute("data-cell", "f1.Y")


@pytest.mark.slow
def test_a_strike_is_not_asked_about_while_little_is_open(page: Page) -> None:
    sit(page, REAL)
    throw(page, "11143")
    cell(page, "f1.Y").click()
    expect(wet(page)).to_have_attribute("data-cell", "f1.Y")


def test_a_tap_on_a_small_cell_opens_the_lens(phone: Page) -> None:
    made = sit(phone, REAL)
    command(phone, made, type="enter-dice", dice="66655")
    expect(phone.locator("td.open").first).to_be_visible()  # without dice a tap opens nothing
    cell(phone, "f3.FH").tap()
    lens = phone.get_by_role("group", name="Part of the sheet in large")
    expect(lens).to_be_visible()
    expect(phone.locator(".status")).to_contain_text("Full House in Free 3: 48 points")
    sizes = lens.get_by_role("button").evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    assert min(min(size["width"], size["height"]) for size in sizes) >= 44
    assert axe(phone, only=".game") == []
    assert view(phone, made)["history"] == []
    phone.get_by_role("button", name="Close").tap(position={"x": 2, "y": 2})
    expect(lens).to_be_hidden()
    cell(phone, "f2.FH").tap()
    lens.get_by_role("button", name=re.compile("^Full House in Free 3")).tap()
    expect(wet(phone)).to_have_attribute("data-cell", "f3.FH")
    expect(lens).to_be_hidden()


@pytest.mark.slow
def test_all_places_are_listed_best_first(phone: Page) -> None:
    made = sit(phone, REAL)
    command(phone, made, type="enter-dice", dice="66655")
    best = phone.get_by_role("group", name="Best places").locator("[data-place]")
    for place, name in enumerate(["d3.6", "f3.FH", "f2.H"]):
        expect(best.nth(place)).to_have_attribute("data-place", name)
    phone.get_by_role("button", name="All cells (5)").tap()
    panel = phone.get_by_role("region", name="All open cells")
    expect(panel.get_by_role("button", name=re.compile("points|struck"))).to_have_count(5)
    assert axe(phone, only=".game") == []
    phone.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    phone.get_by_role("button", name="All cells (5)").tap()
    panel.get_by_role("button", name=re.compile("^High in Free 2")).tap()
    expect(wet(phone)).to_have_attribute("data-cell", "f2.H")
    expect(panel).to_be_hidden()


def test_the_main_button_lists_the_places_on_a_phone(phone: Page) -> None:
    made = sit(phone, REAL)
    for dice, action in (("66655", "k-"), ("66655", "k-"), ("66655", "")):
        command(phone, made, type="enter-dice", dice=dice)
        if action:
            command(phone, made, type="act", action=action)
    phone.get_by_role("button", name="Choose a cell on the sheet").tap()
    expect(phone.get_by_role("region", name="All open cells")).to_be_visible()


@pytest.mark.slow
def test_the_bonus_table_is_on_the_screen(page: Page, phone: Page) -> None:
    for screen in (page, phone):
        sit(screen, REAL)
        if screen is phone:
            screen.locator(".places > .more").tap()
            screen.get_by_text("Bonus for rows 1 to 6 of a column").tap()
        rows = screen.locator("details tbody tr")
        expect(rows).to_have_count(len(BONUSES))
        shown = [re.findall(r"\d+", row.inner_text().replace(",", "")) for row in rows.all()]
        assert [(int(row[0]), int(row[-1])) for row in shown] == list(BONUSES)


def test_a_bonus_and_a_full_column_light_up(page: Page) -> None:
    sit(page, REAL)
    throw(page, "66655")
    cell(page, "d3.6").click()
    expect(cell(page, "d3.ZT")).to_have_class(re.compile("lit"))
    throw(page, "66655")
    expect(cell(page, "f3.FH")).to_be_visible()
    cell(page, "f3.FH").click()
    expect(page.locator("tbody td.lit")).to_have_count(13)


SCREENS: Final = [
    (360, 740, "dark"),
    (1440, 900, "light"),
    (360, 740, "light"),
    (740, 360, "light"),
    (820, 1180, "light"),
    (820, 1180, "dark"),
    (1440, 900, "dark"),
]


@sweep("width, height, scheme", SCREENS)
def test_axe_finds_nothing_on_the_sheet(new_page: NewPage, width: int, height: int, scheme: str) -> None:
    page = new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    setup = {"game": "yamm", "seats": [{}, {}], "dice": "table", "start": pair_of_sheets()}
    made = sit(page, setup, "Anna", "Ben of the very long name, the third")
    expect(wet(page)).to_be_visible()
    command(page, made, type="enter-dice", dice="66611")
    expect(page.locator("td.open").first).to_be_visible()
    assert axe(page) == []
    page.locator(".dock").get_by_role("button", name="Move this result").click()
    expect(page.get_by_role("button", name="Leave it there")).to_be_visible()
    assert axe(page, only=".game") == []
    assert overflow(page) == 0


def test_a_choice_before_the_answer_to_the_last_one_counts(page: Page) -> None:
    """The update of an action arrives before its answer. A correction that is chosen in between is
    sent."""
    answers: list[str | bytes] = []

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: answers.append(text) if json.loads(text)["type"] == "done" else socket.send(text))
        socket.on_message(server.send)

    page.route_web_socket(re.compile("/ws/tables/"), route)
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    command(page, made, type="enter-dice", dice="55555")
    page.locator('button[data-cell="f1.5"]').click()
    page.locator('button.wet[data-cell="f1.5"]').click()
    page.locator('button[data-cell="f2.5"]').click()
    expect(page.locator('button.wet[data-cell="f2.5"]')).to_be_visible()
    assert view(page, made)["history"][-1] == "1. > f2.5"
    wait_until(page, lambda: len(answers) == 2)


COUNTED: Final = """
  window.__awaited = [];
  new MutationObserver(() => {
    const count = document.querySelectorAll('.awaited').length;
    if (count !== window.__awaited.at(-1)) window.__awaited.push(count);
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""


@pytest.mark.slow
def test_the_columns_are_added_up_at_the_end(new_page: NewPage) -> None:
    page = new_page(pace="normal")
    start = "/".join([*[FULL] * 8, "3,6,9,12,15,18,25,20,31,.2~f3.ST=2:12345"])
    sit(page, REAL | {"start": f"{start} 0:????? 99"})
    page.evaluate(COUNTED)
    throw(page, "66666")
    cell(page, "f3.Y").click()
    page.wait_for_function("() => window.__awaited.length >= 9 && window.__awaited.at(-1) === 0")
    assert page.evaluate("window.__awaited.filter((count) => count)") == [9, 8, 7, 6, 5, 4, 3, 2, 1]
