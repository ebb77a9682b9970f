"""The frame of a running game: one bar, a board and dice that fit any window, banners that move
nothing."""

import re
from contextlib import suppress
from time import time
from typing import Final

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser.around import DUEL, change_views, joined, menu
from tests.browser.conftest import NewPage
from tests.browser.harness import AGAINST_COMPUTER, Json, axe, command, overflow, painted, resized, table, view
from tests.browser.test_screens import DUEL as SEVEN_TURNS
from tests.browser.test_screens import at_game, at_record, going_on
from tests.sweep import sweep

SIZES: Final = (
    (320, 568),
    (360, 740),
    (375, 553),
    (360, 370),
    (568, 320),
    (740, 360),
    (820, 1180),
    (1440, 900),
    (2560, 1440),
)
TWO: Final = [{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Benedikt"}]
INSTANT: Final = """localStorage.setItem('dicecup-settings', '{"pace": "instant", "unasked": ["pass"]}')"""
SHIFTS: Final = """
window.__shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    window.__shifts.push([value, sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? String(node))]);
  }
}).observe({ type: 'layout-shift' });
"""
"""Records layout shifts, those after a tap included."""
PLACES: Final = """() => ['[role=grid]', '[data-main]', '.tray'].map((place) => {
    const { left, top, right, bottom } = document.querySelector(place).getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
})"""
"""The places of the board, the main button and the tray in the window."""


def font(page: Page, size: int) -> None:
    """Set the font size of the browser."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})


def duel(page: Page, **more: object) -> Json:
    """Two people on one device, drawn dice; it is Anna's turn, and she may throw, declare, place or
    pass."""
    start = "xxx2/o1o2/2o2/5/1o1x1 x 1:11333 8-8 9"
    made = table(page, {"game": "yam-master", "seats": [{}, {}], "start": start} | more, seats=TWO)
    page.locator("[data-main]").wait_for()
    return made


def shifts(page: Page) -> tuple[float, object]:
    """Return the sum of all layout shifts, and the shifts."""
    painted(page)
    moved = page.evaluate("window.__shifts")
    return sum(value for value, _ in moved), moved


# --- Any window -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_board_and_throw_button_are_visible_together(new_page: NewPage) -> None:
    page = new_page(has_touch=True)
    duel(page)
    for width, height in SIZES:
        resized(page, width, height)
        board, main, tray = page.evaluate(PLACES)
        for left, top, right, bottom in (board, main):
            assert left >= 0, (width, height)
            assert top >= 48, (width, height)
            assert right <= width, (width, height)
            assert bottom <= height, (width, height)
        assert board[2] <= tray[0] or board[3] <= tray[1], (width, height)
        assert overflow(page) <= 0, (width, height)
        header = page.locator("header").first.bounding_box()
        assert header is not None
        assert header["height"] <= 48
        small = page.locator(".game button, header button").evaluate_all(
            "all => all.filter((each) => each.offsetParent).map((each) => each.getBoundingClientRect())"
            ".filter(({ width, height }) => width < 44 || height < 44).length"
        )
        assert small == 0, (width, height)


@pytest.mark.slow
def test_nothing_is_blank_around_the_board_of_a_phone(new_page: NewPage) -> None:
    page = new_page(has_touch=True)
    duel(page)
    most = 12
    for width, height in ((320, 568), (360, 640), (375, 667), (360, 740), (390, 844), (412, 915), (820, 1180)):
        resized(page, width, height)
        _, main, tray = page.evaluate(PLACES)
        board, beside = (page.locator(each).bounding_box() for each in (".board", ".beside"))
        assert board is not None
        assert beside is not None
        is_between = beside["y"] < tray[1]  # the turns
        assert board["y"] - 48 <= most, (width, height)
        assert (beside["y"] if is_between else tray[1]) - board["y"] - board["height"] <= most, (width, height)
        assert not is_between or beside["height"] <= 200, (width, height)
        assert height - tray[3] <= most, (width, height)
        assert tray[3] - main[3] <= 20, (width, height)


def test_the_board_grows_with_the_window(new_page: NewPage) -> None:
    page = new_page()
    duel(page)
    for width, height, least in ((1440, 900, 780), (1920, 1080, 940), (2560, 1440, 1280)):
        resized(page, width, height)
        (left, _, right, _), _, tray = page.evaluate(PLACES)
        assert right - left >= least
        assert tray[2] - tray[0] >= 0.95 * (width - right) - 60  # the dice have the rest of the width


def test_the_turns_have_the_height_above_the_dice(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    going_on("yam-master", SEVEN_TURNS)(page)
    turns = page.get_by_role("region", name="Turns")
    expect(turns.get_by_role("listitem").last).to_be_in_viewport(ratio=0.9)
    assert turns.evaluate("turns => turns.scrollHeight <= turns.clientHeight")


@sweep("locale", ["en-GB", "de-CH", "fr-CH"])
@sweep("size, width, height", [(24, 360, 660), (32, 360, 740), (32, 1440, 900), (16, 320, 256)])
def test_large_text_and_zoom_cut_nothing_off(new_page: NewPage, locale: str, size: int, width: int, height: int) -> None:
    page = new_page(locale=locale, viewport={"width": width, "height": height})
    font(page, size)
    duel(page)
    painted(page)
    assert overflow(page) <= 0
    outside = page.locator(".tray li").evaluate_all(
        """(dice) => { const tray = document.querySelector('.tray').getBoundingClientRect();
        return dice.map((die) => die.getBoundingClientRect()).filter((die) => die.left < tray.left || die.right > tray.right
            || die.top < tray.top || die.bottom > tray.bottom).length }"""
    )
    assert outside == 0
    if height > 300:
        for left, top, right, bottom in page.evaluate(PLACES)[:2]:  # the board and the main button
            assert left >= 0
            assert top >= 48
            assert right <= width
            assert bottom <= height
    broken = page.locator(".tray .bottom button, header bdi, [data-square] .figure").evaluate_all(
        """(all) => all.filter((each) => each.offsetParent && each.scrollWidth > each.clientWidth + 1
            && getComputedStyle(each).textOverflow !== 'ellipsis').map((each) => each.outerHTML.slice(0, 200))"""
    )
    assert broken == []
    assert axe(page) == []


@pytest.mark.slow
@sweep("locale", ["en-GB", "de-CH", "fr-CH"])
def test_a_review_with_large_text_never_scrolls_sideways(new_page: NewPage, locale: str) -> None:
    page = new_page(locale=locale, viewport={"width": 360, "height": 740})
    font(page, 32)
    at_record(page)
    expect(page.locator("[data-worst]").first).to_be_attached()
    assert overflow(page) <= 0


@pytest.mark.slow
@sweep("game", ["yam-master", "yamm"])
def test_the_position_of_a_question_fits_with_large_text(new_page: NewPage, game: str) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    for size in (16, 32):
        font(page, size)
        at_game(f"/train/{game}")(page)
        painted(page)
        assert page.get_by_role("grid").evaluate("grid => grid.getBoundingClientRect().bottom") <= 900


@pytest.mark.slow
@sweep(
    "path",
    ["/rules/yamm", "/", "/?game=yam-master", "/rules", "/rules/yam-master", "/train", "/account", "/archive", "/privacy"],
)
@sweep("locale", ["en-GB", "de-CH", "fr-CH"])
def test_pages_with_large_text_never_scroll_sideways(new_page: NewPage, locale: str, path: str) -> None:
    page = new_page(locale=locale, viewport={"width": 320, "height": 740})
    for size in (24, 32):
        font(page, size)
        page.goto(path)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        for width in (320, 360):
            resized(page, width, 740)
            assert overflow(page) <= 0, (size, width)


@pytest.mark.slow
@sweep("locale", ["en-GB", "de-CH", "fr-CH"])
def test_the_header_of_a_phone_names_the_players(new_page: NewPage, locale: str) -> None:
    watcher, player = (new_page(locale=locale, viewport={"width": 320, "height": 568}) for _ in range(2))
    made = duel(new_page())
    watcher.goto(made["watch"])
    table(player, AGAINST_COMPUTER)
    for page in (watcher, player):
        names = page.locator("[data-players] .name")
        expect(names).to_have_count(2)
        painted(page)
        shown = names.evaluate_all("all => all.map((each) => each.getBoundingClientRect().width)")
        assert min(shown) >= 30, shown


def test_four_people_are_named_in_the_header_of_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 375, "height": 667})
    names = [{"seat": seat, "name": name} for seat, name in enumerate(("Anna", "Benedikt", "Chloé", "Dan"))]
    table(page, {"game": "yamm(players=4,pairs=yes)", "seats": [{}] * 4, "dice": "table"}, seats=names)
    players = page.locator("[data-players]")
    expect(players.get_by_role("listitem")).to_have_count(4)
    painted(page)
    assert players.evaluate("list => list.scrollWidth <= list.clientWidth")
    assert min(players.locator(".name").evaluate_all("all => all.map((each) => each.getBoundingClientRect().width)")) >= 30


def test_players_at_a_board_keep_their_places_when_either_begins(page: Page) -> None:
    for first, plays in enumerate(("Anna", "Benedikt")):
        table(page, {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": first}, seats=TWO)
        expect(page.locator("[data-players] .plays")).to_contain_text(plays)
        assert page.locator("[data-players] .name bdi").all_inner_texts() == ["Anna", "Benedikt"]


@sweep("away, said", [(3541, "59 min"), (3601, "1 h"), (7321, "2 h 2 min")])
def test_an_absence_of_whole_hours_has_no_minutes(page: Page, away: int, said: str) -> None:
    def absent(seen: Json) -> None:
        seen["seats"][1]["away_since"] = time() - away

    change_views(page, absent)
    duel(page)
    expect(page.locator("[data-seat='1']").get_by_text("offline")).to_have_text(f"offline for {said}")


@sweep("width", [360, 320])
@sweep("game, seconds", [("yam-master", 5400), ("yamm", 5400), ("yamm", 540)])
def test_points_and_clock_lie_beside_each_other_on_a_phone(new_page: NewPage, width: int, game: str, seconds: int) -> None:
    page = new_page(viewport={"width": width, "height": 740})
    clock = {"kind": "game", "seconds": seconds, "increment": 10}
    names = [{"seat": seat, "name": name} for seat, name in enumerate(("Anna", "Bernadette"))]
    table(page, {"game": game, "seats": [{}] * 2, "clock": clock}, seats=names)
    players = page.locator("[data-players] li")
    expect(players.get_by_role("timer")).to_have_count(2)
    expect(players.locator(".points")).to_have_count(2)  # the game has begun
    painted(page)
    apart = players.evaluate_all("""all => all.map((each) => {
      const box = (part) => each.querySelector(part).getBoundingClientRect();
      const covered = box('.points').bottom - box('.clock').top;
      return covered < 5 && box('.clock').right <= each.getBoundingClientRect().right;
    })""")
    assert apart == [True, True]


def test_a_computer_is_named_once_in_the_header(page: Page) -> None:
    table(page, AGAINST_COMPUTER)
    name = page.locator("[data-players] li", has=page.locator(".long"))
    expect(name.locator(".long")).to_be_visible()
    expect(name.locator(".short")).to_be_hidden()


@sweep("locale", ["fr-CH", "en-GB", "de-CH"])
def test_many_computers_are_told_apart_in_the_header(new_page: NewPage, locale: str) -> None:
    page = new_page(viewport={"width": 820, "height": 1180}, locale=locale)

    def scored(view: Json) -> None:
        for sheet in view["sheets"] or []:
            sheet["total"] = 1888

    change_views(page, scored)
    table(page, {"game": "yamm(players=6)", "seats": [{}] + 5 * [{"kind": "level", "level": "greedy"}]})
    numbers = page.locator("[data-players] .short .number")
    expect(numbers).to_have_count(4)
    assert set(numbers.all_inner_texts()) == {"2", "3", "4", "5"}  # the starting roll decides who is first
    expect(page.locator("[data-players] .points strong")).to_have_text(["1888"] * 6)
    painted(page)
    cut = page.locator("[data-players] .short .start").evaluate_all(
        "all => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    )
    assert cut == 0
    for number in numbers.all():
        expect(number).to_be_visible()


def test_nothing_tells_the_dice_while_they_roll(page: Page) -> None:
    made = duel(page)
    command(page, made, type="act", action="k333")
    expect(page.locator(".pips")).to_have_text("●●○")  # the second throw
    expect(page.locator(".tumbling")).to_have_count(0)
    expect(page.locator("[data-square].lit").first).to_be_visible()
    shown = """() => [
        getComputedStyle(document.querySelector('[data-square].lit')).boxShadow !== 'none',
        getComputedStyle(document.querySelector('.tray .text')).visibility === 'visible',
        getComputedStyle(document.querySelector('li.now .throws > span:last-of-type')).visibility === 'visible',
    ]"""
    assert page.evaluate(shown) == [True, True, True]
    page.evaluate("document.querySelector('.tray .scene').classList.add('tumbling')")
    assert page.evaluate(shown) == [False, False, False]


# --- Nothing moves --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("width, height", [(360, 740), (1440, 900)])
def test_nothing_moves_during_a_game(new_page: NewPage, width: int, height: int) -> None:
    page = new_page(viewport={"width": width, "height": height}, has_touch=width < 600, reduced_motion="no-preference")
    page.add_init_script(INSTANT)
    setup = AGAINST_COMPUTER | {"clock": {"kind": "turn", "seconds": 600}}
    made = table(page, setup)
    throw, lit = page.locator("[data-main][aria-disabled=false]"), page.locator("[data-square][aria-disabled=false]")
    throw.first.wait_for()
    page.evaluate(SHIFTS)
    page.evaluate("window.__shifts.length = 0")
    for _ in range(500):
        now = view(page, made)
        if now["result"]:
            break
        total, moved = shifts(page)
        assert total <= 0.02, moved
        with suppress(TookTooLong):  # the page may still show the state before the last tap
            lit.or_(throw).first.click(timeout=5000)
        for _ in range(100):
            if view(page, made)["number"] != now["number"]:
                break
            page.wait_for_timeout(20)


@pytest.mark.slow
def test_banners_move_nothing(page: Page, new_page: NewPage) -> None:
    page.emulate_media(reduced_motion="no-preference")
    resized(page, 360, 740)

    def left(view: Json) -> None:
        view["seats"][1]["away_since"] = view["now"] - 100
        view["claim"] = {"seat": 1, "at": view["now"] - 20, "reason": "offline"}
        view["may"] = [*view["may"], "claim win", "claim draw", "claim computer"]

    change_views(page, left)
    made = table(page, {**DUEL, "dice": "server"})
    joined(new_page, made)
    throw = page.locator("[data-main]")
    throw.wait_for()
    painted(page)
    page.evaluate(SHIFTS)
    before = page.evaluate(PLACES)
    expect(page.get_by_text("has been away for more than a minute")).to_be_visible()
    menu(page, "Offer a draw")
    banners = page.locator(".over > .notice")
    expect(banners).to_have_count(2)
    lowest = max(box["y"] + box["height"] for box in (each.bounding_box() for each in banners.all()) if box)
    assert page.evaluate(PLACES) == before
    assert lowest <= before[1][1]
    assert axe(page) == []
    banners.first.get_by_role("button", name="Close").click()
    expect(banners.first).to_be_hidden()
    unfold = page.get_by_role("button", name="Notices")
    expect(unfold).to_be_focused()
    assert page.evaluate(PLACES) == before
    unfold.click()
    expect(banners.first).to_be_visible()
    total, moved = shifts(page)
    assert total <= 0.02, moved


def test_a_message_leaves_the_main_button_free(phone: Page) -> None:
    duel(phone)
    phone.evaluate("dispatchEvent(new ErrorEvent('error', { error: new Error('made') }))")
    toast = phone.get_by_role("region", name="Notices")
    expect(toast).to_be_visible()
    box = toast.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= phone.evaluate(PLACES)[1][1]
    expect(phone.locator("[data-main]")).to_have_text(re.compile("Throw"))
