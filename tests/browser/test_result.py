"""The end of a game: the scene on the board, the panel with the result, sharing, and undo against
a computer."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.around import DUEL, change_views, expect_announcements, joined, play
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, command, overflow, painted, table, view, wait_until
from tests.sweep import sweep

LINE: Final = DUEL | {"first": None, "start": "1xxxx/o4/5/5/5 x 1:11123 8-11 9"}
"""A place on a1 wins."""
COMPUTER: Final[Json] = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]}
FIRST_THROW: Final = "5/5/5/5/5 x 1:11123 12-12 1"
FULL: Final = "3,6,9,12,15,18,25,20,33,45,x"
ALONE: Final[Json] = {
    "game": "yamm(players=1)",
    "seats": [{}],
    "dice": "table",
    "start": "/".join([FULL] * 8 + ["3,6,9,12,15,18,25,20,33,45,.1 2:44444 99"]),
}
"""All cells but the last one, f3.Y, are written."""
SHARED: Final = """
(() => {
  delete Navigator.prototype.share;
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (window.__copied = text) } });
})();
"""
"""Records what the page copies."""
SCENE: Final = """
(() => {
  const seen = (window.__seen = []);
  new MutationObserver(() => {
    const steps = { drawing: '.drawing [data-winning]', panel: '[data-panel]', confetti: '[data-confetti]' };
    for (const [name, selector] of Object.entries(steps)) {
      if (!seen.includes(name) && document.querySelector(selector)) seen.push(name);
    }
  }).observe(document, { childList: true, subtree: true, attributes: true });
})();
"""
"""Records the steps of the end in their order."""
SHIFT: Final = """
(() => {
  window.__shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
})();
"""


def panel(page: Page) -> Any:
    return page.locator("[data-panel]")


def more(page: Page, name: str) -> None:
    """Press one of the buttons under *More*."""
    panel(page).get_by_text("More", exact=True).click()
    panel(page).get_by_role("button", name=name).click()


def won(page: Page, new_page: NewPage) -> Json:
    """Win a game against another person by a line of five, and return its links."""
    made = table(page, LINE)
    joined(new_page, made)
    command(page, made, type="act", action="a1")
    return made


def box(page: Page) -> Any:
    """Return the place of the board, to the pixel."""
    return pytest.approx(page.locator(".board").bounding_box(), abs=1)


# --- The panel ------------------------------------------------------------------------------------


@pytest.mark.slow
@sweep("size", [(360, 740), (1280, 800)])
def test_the_panel_lies_over_the_page_and_is_dismissed_and_opened(new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(SHIFT)
    made = table(page, LINE)
    joined(new_page, made)
    expect(page.locator("[data-square=a1] .open, [data-square=a1]").first).to_be_visible()
    page.wait_for_function("() => window.__said.some((text) => text.includes('begins'))")
    painted(page)
    before = box(page)
    page.evaluate("() => ((window.__said.length = 0), (window.__shift = 0))")
    play(page, made, "a1")
    expect(panel(page).get_by_role("heading")).to_have_text("You win by a line of five.")
    assert page.locator(".board").bounding_box() == before
    assert page.evaluate("window.__shift") <= 0.02
    assert (overflow(page), axe(page, only="[data-panel]")) == (0, [])
    told = [text for text in page.evaluate("window.__said") if "You win" in text]
    assert len(told) == 1

    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    assert page.locator(".board").bounding_box() == before
    page.get_by_role("button", name="Show the result").press("Enter")
    expect(panel(page).get_by_role("heading")).to_be_focused()
    panel(page).get_by_role("button", name="Close").press("Enter")
    expect(page.get_by_role("button", name="Show the result")).to_be_focused()


def test_the_focus_is_never_under_the_panel(phone: Page, new_page: NewPage) -> None:
    won(phone, new_page)
    expect(panel(phone)).to_be_visible()
    phone.get_by_role("button", name="Hide the result").focus()
    expect(panel(phone)).to_have_count(0)


RESULTS: Final = [
    ("line", [0], [0], "You win by a line of five."),
    ("line", [1], [0], "You lose to a line of five."),
    ("line", [1], [], "Ben wins by a line of five."),
    ("line", [1], [0, 1], "Ben wins by a line of five."),
    ("tokens", [0], [0], "You win by 3 points."),
    ("tokens", [1], [0], "You lose by 3 points."),
    ("tokens", [], [0], "A draw."),
    ("agreed", [], [0], "A draw by agreement."),
    ("resign", [1], [0], "You lose by resignation."),
    ("time", [0], [0], "You win on time."),
    ("abandoned", [0], [0], "You win."),
]
"""The end, the winners, the own seats, and the verdict."""


@pytest.mark.slow
def test_the_panel_opens_with_its_content(new_page: NewPage) -> None:
    """What it shows is loaded late: the panel would grow."""
    page = new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script(SHIFT)
    held: list[Route] = []
    page.route(re.compile(r"/assets/Result-.*\.js$"), lambda route: held.append(route))  # noqa: PLW0108 Playwright marks the function
    won(page, new_page)
    expect(page.get_by_role("heading", name="Game over")).to_be_visible()
    wait_until(page, lambda: bool(held))
    painted(page)
    expect(panel(page)).to_have_count(0)
    before = page.evaluate("window.__shift")
    held[0].continue_()
    expect(panel(page).get_by_role("button", name="Play again")).to_be_visible()
    painted(page)
    assert page.evaluate("window.__shift") - before < 0.01


@pytest.mark.slow
def test_each_end_has_a_verdict(page: Page, new_page: NewPage) -> None:
    end: Json = {}

    def ended(view: Json) -> None:
        view["result"] = {"end": end["end"], "result": "x 5-2", "winners": end["winners"]}
        view["board"]["points"] = {"x": 5, "o": 2} if end["winners"] == [0] else {"x": 2, "o": 5}
        view["you"] = end["you"]
        view["turn"] = None

    change_views(page, ended)
    end |= {"end": "line", "winners": [0], "you": [0]}
    made = table(page, DUEL)
    joined(new_page, made)
    for kind, winners, you, verdict in RESULTS:
        end |= {"end": kind, "winners": winners, "you": you}
        page.reload()
        expect(panel(page).get_by_role("heading")).to_have_text(re.compile(verdict.replace("Ben", "\u2068?Ben\u2069?")))
        points = panel(page).get_by_role("listitem")
        expect(points).to_have_count(2 if kind in ("tokens", "agreed") else 0)


@pytest.mark.slow
def test_a_finished_game_is_shown_without_a_scene(page: Page, new_page: NewPage) -> None:
    made = won(page, new_page)
    late = new_page(pace="normal")
    late.add_init_script(SCENE)
    late.goto(made["watch"])
    expect(panel(late).get_by_role("heading")).to_have_text(re.compile("Anna.* wins by a line of five"))
    assert late.evaluate("window.__seen") == ["panel"]


@pytest.mark.slow
def test_the_next_game_may_be_at_another_level(page: Page) -> None:
    made = table(page, COMPUTER)
    command(page, made, type="resign")
    expect(panel(page).get_by_role("button", name="Play again")).to_be_visible()
    panel(page).get_by_label("Level").select_option("novice")
    assert axe(page, only="[data-panel]") == []
    panel(page).get_by_role("button", name="Play at level Novice").click()
    page.wait_for_url(lambda url: "/tables/" in url and made["table"] not in url)
    expect(panel(page)).to_have_count(0)
    seats = view(page, {"table": page.url.rpartition("/")[2]})["seats"]
    assert sorted(seat["level"] or "" for seat in seats) == ["", "novice"]


@pytest.mark.slow
def test_the_line_is_drawn_before_the_panel_opens(new_page: NewPage) -> None:
    anna = new_page(pace="normal")
    anna.add_init_script(SCENE)
    made = table(anna, LINE)
    joined(new_page, made)
    anna.wait_for_function("() => window.__said.some((text) => text.includes('begins'))")
    expect(anna.locator("[data-square=a1]")).to_be_visible()  # the board draws the line
    play(anna, made, "a1")
    anna.wait_for_function("() => window.__seen.length === 3")
    assert anna.evaluate("window.__seen[0]") == "drawing"
    expect(panel(anna)).to_be_visible()


def test_nothing_is_drawn_where_motion_is_reduced(new_page: NewPage) -> None:
    anna = new_page(pace="normal", reduced_motion="reduce")
    anna.add_init_script(SCENE)
    made = table(anna, LINE)
    joined(new_page, made)
    anna.wait_for_function("() => window.__said.some((text) => text.includes('begins'))")
    play(anna, made, "a1")
    expect(panel(anna)).to_be_visible()
    assert anna.evaluate("window.__seen") == ["panel"]


# --- What it says besides -------------------------------------------------------------------------


def own_game(table: str, result: float, **more: Any) -> Json:
    player = {"name": "Anna", "level": "", "mine": True, "faces": [0] * 6, "result": result, "adjusted": result} | more
    return {
        "table": table,
        "game": "yamm(players=1)",
        "created": 1.0,
        "outcome": None,
        "dice": "table",
        "unit": "points",
        "players": [player],
    }


@pytest.mark.slow
def test_a_record_with_luck_and_loss_appears_when_the_game_is_reviewed(page: Page) -> None:
    answers: list[Json] = []
    page.route("**/api/statistics", lambda route: route.fulfill(json=answers.pop(0) if len(answers) > 1 else answers[0]))
    made = table(page, ALONE)
    before = own_game("before", 2200)
    reviewed = own_game(made["table"], 2274, luck=34.4, loss=56.2, decisions=3)
    answers += [{"games": [before], "dice": {}, "waiting": 1}, {"games": [reviewed, before], "dice": {}, "waiting": 0}]
    expect(page.locator("[data-cell='f3.Y']")).to_be_visible()
    command(page, made, type="act", action="f3.Y")
    expect(panel(page).get_by_role("heading")).to_have_text("You score 2,274 points.")
    expect(panel(page).locator("[data-best]")).to_have_text("A new personal best! Before, it was 2,200 points.")
    expect(panel(page).locator("[data-luck]")).to_have_text("The dice brought you +34 points; your decisions cost 56 points.")


@pytest.mark.slow
def test_the_result_is_shared_as_a_text(page: Page, new_page: NewPage) -> None:
    page.add_init_script(SHARED)
    won(page, new_page)
    panel(page).get_by_role("button", name="Share").click()
    expect(panel(page).get_by_role("button", name="Copied")).to_be_visible()
    lines = page.evaluate("window.__copied").split("\n")
    assert lines[:4] == ["Dicecup · Yam Master", "Anna wins by a line of five.", "🔴🔴🔴🔴🔴", "🔵⚪⚪⚪⚪"]


@pytest.mark.slow
def test_the_result_is_copied_by_hand_without_https(new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(SHARED.replace("void (window.__copied = text)", "{ throw new Error('no clipboard') }"))
    won(page, new_page)
    panel(page).get_by_role("button", name="Share").click()
    expect(page.get_by_label("Result to copy")).to_be_focused()
    expect(page.get_by_label("Result to copy")).to_have_value(re.compile("Anna wins by a line of five"))


PNG: Final = b"\x89PNG\r\n\x1a\n"
PICTURES: Final = """
(() => {
  Navigator.prototype.canShare = ({ files }) => files.every(({ type }) => type === 'image/png');
  Navigator.prototype.share = async ({ files: [picture], text }) => {
    const { width, height } = await createImageBitmap(picture);
    window.__shared = { type: picture.type, width, height, text };
  };
})();
"""
"""Records the picture that the page shares."""


@pytest.mark.slow
def test_the_board_is_shared_as_a_picture(page: Page, new_page: NewPage) -> None:
    page.add_init_script(PICTURES)
    won(page, new_page)
    more(page, "Share a picture")
    page.wait_for_function("() => window.__shared")
    shared = page.evaluate("window.__shared")
    assert shared.pop("height") > 1080
    assert shared == {"type": "image/png", "width": 1080, "text": "Dicecup · Yam Master\nAnna wins by a line of five."}


def test_the_sheet_is_saved_as_a_picture_where_files_cannot_be_shared(page: Page) -> None:
    page.add_init_script("delete Navigator.prototype.canShare")
    made = table(page, ALONE, name="<Anna & Ben>")
    command(page, made, type="act", action="f3.Y")
    with page.expect_download() as saved:
        more(page, "Save a picture")
    assert saved.value.suggested_filename == f"dicecup-{made['table']}.png"
    assert saved.value.path().read_bytes().startswith(PNG)


# --- Undo against a computer ----------------------------------------------------------------------


def test_a_placement_is_undone_before_the_computer_throws(page: Page) -> None:
    made = table(page, COMPUTER | {"start": FIRST_THROW})
    expect(page.get_by_role("button", name=re.compile("Throw"))).to_be_visible()
    command(page, made, type="act", action="a1", hold=10)
    expect(page.locator("[data-square=a1] [data-shape=disc]")).to_be_visible()
    page.evaluate("window.__said.length = 0")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-square=a1] [data-shape=disc]")).to_have_count(0)
    assert view(page, made)["position"] == FIRST_THROW
    expect_announcements(page, "Your last entry is taken back. Your turn.")
    expect(page.get_by_role("group", name="Dice").or_(page.locator(".tray")).first).to_be_visible()


@pytest.mark.slow
def test_the_page_asks_for_time_to_undo_and_lets_the_computer_throw(page: Page) -> None:
    sent: list[Json] = []
    change_views(page, lambda _: None, sent)
    made = table(page, COMPUTER | {"start": FIRST_THROW})
    page.locator("[data-square=a1]").click()
    expect(page.locator("[data-square=a1] [data-shape=disc]")).to_be_visible()
    assert {"type": "act", "action": "a1", "hold": 1} in sent
    expect(page.get_by_role("button", name="First throw")).to_be_visible()  # the computer has played by itself
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert view(page, made)["turn"]["number"] == 3


def test_a_person_in_a_hurry_lets_the_computer_throw(page: Page) -> None:
    made = table(page, COMPUTER | {"start": FIRST_THROW})
    expect(page.get_by_role("button", name=re.compile("Throw"))).to_be_visible()
    command(page, made, type="act", action="a1", hold=10)
    page.get_by_role("button", name=re.compile("Let .* throw")).click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    painted(page)
    assert json.dumps(view(page, made)["history"][0]).endswith('a1"')
