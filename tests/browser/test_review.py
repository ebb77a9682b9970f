"""The review of a game: the page shows the numbers of the server."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import axe, command, overflow, painted, table
from tests.browser.learning_driver import PATIENCE, REAL_DICE, RECORD, SIZES, asked, box, per_cent, within
from tests.sweep import in_step, sweep

CORRECTED = """[Game "yamm"]
[P1 "Anna"]
[P2 "casual"]
[Result "1 0"]
[End "resign"]
[Winners "0"]

1. 11266 k66 22666 f1.FH
2. 13456 k3456 23456 u1.Y
1. > f2.6
3. 44444 f1.Y
"""


def reviewed(page: Page, record: str) -> Locator:
    """Open the review of a record and return its step, once it is drawn."""
    page.goto("/review")
    page.get_by_label("Record of a finished game").fill(record)
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".stale")).to_have_count(0)
    return page.locator("[data-step]")


@pytest.mark.slow
def test_a_record_is_reviewed(page: Page) -> None:
    review = asked(page, "review", record=RECORD)
    page.goto("/review")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_text("Paste a record first")).to_be_visible()
    assert axe(page) == []
    page.get_by_label("Record of a finished game").fill(RECORD)
    page.get_by_role("button", name="Review").click()
    worst = review["worst"][0]
    moments = page.locator("[data-worst]")
    expect(moments).to_have_count(len(review["worst"]), timeout=PATIENCE)
    expect(moments.first).to_contain_text(f"turn {worst['turn']}")
    expect(moments.first).to_contain_text(per_cent(worst["loss"]))
    anna = page.locator("[data-player='0']")
    expect(anna).to_contain_text(per_cent(review["players"][0]["adjusted"]))
    expect(anna).to_contain_text("won")

    decisions = [decision for turn in review["turns"] for decision in turn["decisions"]]
    at = next(place for place, decision in enumerate(decisions) if decision == {k: v for k, v in worst.items() if k != "turn"})
    walk = page.locator("[data-step]")
    expect(walk).to_have_attribute("data-step", str(at))
    assert float(page.locator("[data-loss]").first.get_attribute("data-loss") or 0) == worst["loss"]
    walk.focus()
    for key, step in (("ArrowRight", at + 1), ("ArrowLeft", at), ("ArrowLeft", at - 1)):
        page.keyboard.press(key)
        expect(walk).to_have_attribute("data-step", str(step))
    moments.first.click()
    expect(walk).to_have_attribute("data-step", str(at))
    page.get_by_role("button", name="To the end").click()
    expect(walk).to_contain_text("The game is over.")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-step] [data-square='c1']")).to_be_visible()
    expect(page.get_by_text("A line of five: the game is won.").first).to_be_visible()
    expect(page.locator(".stale")).to_have_count(0)
    assert axe(page) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the record").click()
    assert Path(saved.value.path()).read_text("utf-8") == RECORD
    assert saved.value.suggested_filename == "yam-master.dicecup"


@pytest.mark.slow
def test_a_sheet_with_a_correction_is_reviewed_on_a_phone(phone: Page) -> None:
    review = asked(phone, "review", record=CORRECTED)
    phone.goto("/review")
    phone.get_by_label("Record of a finished game").fill(CORRECTED)
    phone.get_by_role("button", name="Review").click()
    steps = [(turn["turn"], decision["kind"]) for turn in review["turns"] for decision in turn["decisions"]]
    own = max((d for turn in review["turns"] for d in turn["decisions"] if d["player"] == 0), key=lambda d: d["loss"])
    expect(phone.locator("[data-worst]").first).to_contain_text(
        f"{own['loss']:.1f} points"
    )  # the moments of the only person are listed
    phone.get_by_role("button", name="To the start").click()
    for _ in range(steps.index((1, "correction"))):
        phone.get_by_role("button", name="Forward").click()
    expect(phone.locator("[data-step]")).to_contain_text("Turn 1, \u2068Anna\u2069, correction")
    expect(phone.locator("[data-why]")).to_have_text(
        re.compile(r"^Row 6 in Free 2 brings [\d.]+ fewer points .* than row FH in Free 1; that costs [\d.]+.points\.$")
    )
    sheet = phone.get_by_role("grid", name=re.compile("Sheet of"))
    expect(sheet).to_be_visible()
    expect(phone.locator(".stale")).to_have_count(0)
    phone.evaluate("scrollTo(0, 0)")
    for cell in ("f1.FH", "f2.6", "f3.Y", "d1.1"):  # all columns are visible, also the ones that are discussed
        assert within(sheet.locator(f"[data-cell='{cell}']"), (360, 740))
    phone.get_by_text("The curve in numbers").click()
    expect(phone.get_by_role("columnheader", name="Computer (Casual)")).to_be_visible()
    expect(phone.locator(".stale")).to_have_count(0)
    assert overflow(phone) <= 0
    assert axe(phone) == []


@pytest.mark.slow
def test_a_review_is_open_to_players_and_watchers(page: Page, new_page: NewPage) -> None:
    made = table(page, REAL_DICE)
    command(page, made, type="enter-dice", dice="11346")
    command(page, made, type="act", action="--")
    page.goto(f"/review/{made['table']}")
    expect(page.locator(".notice.bad")).to_have_text("The game is not over yet.")
    command(page, made, type="resign")
    page.reload()
    expect(page.locator("[data-worst]").first).to_contain_text(re.compile("Anna\\W*, turn 1"), timeout=PATIENCE)
    watcher = new_page()
    watcher.goto(made["watch"])
    watcher.locator(f"a[href^='/review/{made['table']}']").click()
    expect(watcher.locator("[data-worst]").first).to_contain_text("turn 1")
    watcher.goto(f"/review/{made['table']}")
    watcher.reload()
    expect(watcher.locator(".notice.bad")).to_be_visible()


@sweep("text", ["nonsense", RECORD.replace("33345", "11345"), RECORD.replace("line", "tokens")])
def test_an_invalid_record_is_refused_with_a_sentence(page: Page, text: str) -> None:
    page.goto("/review")
    page.get_by_label("Record of a finished game").fill(text)
    page.get_by_role("button", name="Review").click()
    notice = page.locator(".notice.bad")
    expect(notice).to_be_visible(timeout=PATIENCE)
    assert re.search(r"[a-z]+-[a-z]+:|error|undefined", notice.inner_text()) is None
    expect(page.get_by_label("Record of a finished game")).to_have_value(f"{text.strip()}\n")


@pytest.mark.slow
@in_step(size=SIZES, record=[RECORD, CORRECTED])
def test_a_step_fits_one_screen_and_the_board_keeps_its_size(new_page: NewPage, record: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    walk = reviewed(page, record)
    slider = page.get_by_role("slider", name="Step by step")
    boards = set()
    for step in range(int(slider.get_attribute("max") or 0) + 1):
        slider.fill(str(step))
        expect(walk).to_have_attribute("data-step", str(step))
        expect(page.locator(".stale")).to_have_count(0)
        painted(page)
        page.evaluate("scrollTo(0, 0)")
        boards.add(box(page.get_by_role("grid")))
        curve = page.get_by_role("img", name=re.compile("turn by turn"))
        for part in (page.get_by_role("grid"), page.locator("#review-step"), slider, curve):
            assert within(part, size), (step, part)
    assert len(boards) == 1
    assert overflow(page) <= 0
    assert axe(page) == []


@pytest.mark.slow
def test_a_blunder_is_tried_again_at_the_board(page: Page) -> None:
    walk = reviewed(page, RECORD)
    slider = page.get_by_role("slider", name="Step by step")
    slider.press("Home")
    page.get_by_role("button", name="To the next mistake").click()
    expect(page.locator("[data-try]")).to_be_visible()
    expect(page.locator(".stale")).to_have_count(0)
    step = walk.get_attribute("data-step")
    page.locator("[data-try]").click()
    expect(page.get_by_role("heading", name="What would you do?")).to_be_focused()
    assert axe(page) == []
    with page.expect_response("**/api/questions/answer", timeout=PATIENCE) as judged:
        page.locator("[role=gridcell] button:not([aria-disabled=true])").first.click()
    verdict = judged.value.json()
    expect(page.locator(f"[data-verdict='{'right' if verdict['right'] else 'wrong'}']")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Back to the review").first.click()
    expect(walk).to_have_attribute("data-step", step or "")
    expect(walk).to_be_focused()
    page.locator("[data-worst]").first.locator("xpath=following-sibling::button").click()
    expect(page.get_by_role("heading", name="What would you do?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(walk).to_be_visible()
    page.goto("/train")
    expect(page.locator("[data-score]")).to_contain_text("None yet")  # answers in a review do not count


def test_the_curve_rises_with_ones_own_side(page: Page) -> None:
    reviewed(page, RECORD.replace('"Anna"', '"club"'))  # Ben plays o, and is the only person
    curve = page.get_by_role("img", name=re.compile("Chance of .Ben. to win"))
    expect(curve).to_be_visible()
    values = [1 - value for value in asked(page, "review", record=RECORD.replace('"Anna"', '"club"'))["curve"][0]["values"]]
    page.get_by_text("The curve in numbers").click()
    cells = page.get_by_role("region", name="The curve in numbers").locator("td")
    expect(cells).to_have_count(len(values))
    expect(cells.first).to_have_text(per_cent(values[0]))
    expect(cells.last).to_have_text(per_cent(values[-1]))
    curve.click(position={"x": 60, "y": 20})
    expect(page.locator("#review-step")).to_contain_text("Turn 1,")


def test_a_level_is_named_and_the_range_is_explained(page: Page) -> None:
    def graded(route: Route) -> None:
        review = route.fetch().json()
        review["players"][0] |= {"grade": "club", "grades": ["expert", "club", "casual", "greedy"]}
        route.fulfill(json=review)

    page.route("**/api/review", graded)
    reviewed(page, RECORD)
    expect(page.locator("[data-player='0'] .main dd")).to_have_text("Club")
    page.get_by_text("What does this mean?").click()
    expect(page.get_by_text("one game says little. Levels from Greedy to Expert")).to_be_visible()
