"""The sheet of Yamm: keyboard, mouse and touch; texts before and after an entry; questions before a
strike; corrections; several sheets. test_yamm_layout.py measures the screen."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from dicecup.yamm.score import BONUSES
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, command, overflow, painted, table, view, wait_until
from tests.sweep import sweep

FULL: Final = "3,6,9,12,15,18,25,20,31,45,50"
TWELVE_LEFT: Final = "/".join(
    [
        *(FULL, FULL, "3,6,9,12,15,.6"),
        *(FULL, FULL, ".3,12,15,18,25,20,31,45,50"),
        *("3,6,9,12,15,18,25,20,31,45,.1", "3,6,9,12,15,18,.1,24,31,45,50", "3,6,9,12,15,18,25,20,.2,50~f3.ST=2:12345"),
    ]
)
"""d3 from 6 down, u3 from 3 up, f1.Y, f2.H beside a Tief of 24, f3.FH; f3.ST is wet."""
EXPLAINED: Final = "/".join(
    [
        *("1,.10", FULL, FULL, ".8,31,45,50", FULL, FULL, ".1,6,.9", "x,6,9,12,15,18,25,20,31,45,50"),
        "3,6,9,12,15,18,25,20,31,.1,50~f3.ST=2:12345",
    ]
)
"""A sheet with cells of each kind; f3.ST is wet."""
ALONE: Final[Json] = {"game": "yamm(players=1)", "seats": [{}], "start": f"{TWELVE_LEFT} 0:????? 88"}
REAL: Final[Json] = ALONE | {"dice": "table"}


def pair_of_sheets(other: str = TWELVE_LEFT) -> str:
    return f"{TWELVE_LEFT}|{other} 0:????? 175"


def sit(page: Page, setup: Json, *names: str) -> Json:
    """Make a table with these people on this device, and wait for the sheet."""
    made = table(page, setup, seats=[{"seat": seat, "name": name} for seat, name in enumerate(names or ("Anna",))])
    expect(page.get_by_role("grid").first).to_be_visible()
    return made


def cell(page: Page, name: str) -> Locator:
    """Return a place of the sheet, or its button."""
    return page.locator(f"[data-cell='{name}']")


def box(page: Page, name: str) -> Json:
    """Return the box of an element."""
    found: Json = cell(page, name).evaluate("cell => cell.closest('td').getBoundingClientRect().toJSON()")
    return found


def sheet_of(page: Page, *names: str) -> Locator:
    """Return a name with its isolates."""
    return page.get_by_role("grid", name="Sheet of " + " & ".join(f"\u2068{name}\u2069" for name in names), exact=True)


def open_cells(page: Page) -> list[str]:
    return [each.get_attribute("data-cell") or "" for each in page.locator("td.open button").all()]


def focused(page: Page) -> str | None:
    found: str | None = page.evaluate("document.activeElement.dataset.cell ?? null")
    return found


def wet(page: Page) -> Locator:
    return page.locator(".wet[data-cell]")


def throw(page: Page, dice: str) -> None:
    """Enter the faces of real dice by keys, once the page has loaded what enters them."""
    expect(page.locator(".slots")).to_be_visible()
    page.keyboard.type(dice)
    expect(page.locator("td.open").first).to_be_visible()


def go_to(page: Page, wanted: str) -> None:
    """Go through the open cells by keys."""
    for _ in range(20):
        page.keyboard.press("n")
        if focused(page) == wanted:
            return
    raise AssertionError(wanted)


def throw_first(page: Page) -> None:
    """Throw with the dice of the server until cells can be written."""
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator("td.open").first).to_be_visible()
    expect(page.locator("[data-main]")).to_have_attribute("aria-disabled", "false")


def answer(page: Page, chosen: str, press: Callable[[Locator], None]) -> None:
    """Wait until a chosen cell is written, and agree to a strike if the page asks."""
    yes = page.locator("[data-yes]").or_(page.get_by_role("button", name="Strike both"))
    written = wet(page).and_(cell(page, chosen)).or_(page.get_by_text("Game over"))
    expect(written.or_(yes).first).to_be_visible()
    if yes.is_visible():
        press(yes)
        expect(written.first).to_be_visible()


def into_the_sheet(page: Page) -> None:
    for _ in range(30):
        page.keyboard.press("Tab")
        if focused(page):
            return
    raise AssertionError


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


def test_arrows_lead_through_the_sheet(page: Page) -> None:
    sit(page, REAL)
    throw(page, "66655")
    into_the_sheet(page)
    assert focused(page) == "d3.6"
    for key, there in [
        ("ArrowDown", "d3.ZT"),
        ("ArrowDown", "d3.H"),
        ("ArrowLeft", "d2.H"),
        ("Home", "d1.H"),
        ("End", "f3.H"),
        ("ArrowRight", "f3.H"),
        ("Control+Home", "d1.1"),
        ("ArrowUp", "d1.1"),
        ("Control+End", "f3.total"),
        ("n", "d3.6"),
        ("n", "u3.3"),
    ]:
        page.keyboard.press(key)
        assert focused(page) == there, key
    assert len(page.locator("[data-cell][tabindex='0']").all()) == 1


def test_a_key_on_a_cell_throws_and_does_not_write(page: Page) -> None:
    made = sit(page, ALONE)
    throw_first(page)
    into_the_sheet(page)
    page.keyboard.press("Space")
    expect(page.get_by_text("1 throw left")).to_be_visible()
    assert view(page, made)["turn"]["throws"] == 2
    assert focused(page) in open_cells(page)
    page.keyboard.press("Enter")
    expect(wet(page)).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_text("2 throws left")).to_be_visible()
    expect(page.get_by_role("button", name="Leave it there")).to_be_hidden()


def test_keys_reach_the_sheet_from_anywhere(page: Page) -> None:
    sit(page, REAL)
    throw(page, "66655")
    assert focused(page) is None
    page.keyboard.press("n")
    assert focused(page) == "d3.6"
    page.keyboard.press("n")
    assert focused(page) == "u3.3"
    page.get_by_role("button", name="Table").focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == "u3.3"
    page.get_by_role("button", name="Table").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("n")
    assert focused(page) is None


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


def test_all_places_are_listed_best_first(phone: Page) -> None:
    made = sit(phone, REAL)
    command(phone, made, type="enter-dice", dice="66655")
    best = phone.get_by_role("group", name="Best places").locator("[data-place]")
    for place, cell in enumerate(["d3.6", "f3.FH", "f2.H"]):
        expect(best.nth(place)).to_have_attribute("data-place", cell)
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
    page = new_page(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
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
