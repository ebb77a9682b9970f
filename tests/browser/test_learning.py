"""Odds and hints at the table, the review of a game, the trainer: the pages show the numbers of the
server."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, command, overflow, painted, table
from tests.sweep import sweep

PATIENCE = 60_000
"""Milliseconds. The first analysis waits for the start of the worker processes."""
REAL_DICE: Json = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "dice": "table", "first": 0}
HOT_SEAT: Json = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}
RECORD = """[Game "yam-master"]
[X "Anna"]
[O "Ben"]
[Dice "table"]
[Result "x 0-0"]
[End "line"]

1. 11166 a1
2. 13466 k66 ~ 12366 k66 66666 c3
3. 23344 k33 33345 b1
4. 12345 b4
5. 22446 k44 34446 d1
6. 22333 !k333 13333 d3
7. 55566 k66 26666 e1
8. 13456 !k3456 13456 k3456 33456 --
9. 12346 !k1234 12345 c1
"""
SHEET: Json = {"game": "yamm(players=1)", "seats": [{}], "dice": "table"}
SIZES = [(320, 568), (360, 740), (740, 360), (1440, 900)]
"""Windows in which one screen holds a position and what belongs to it."""
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


def per_cent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}%"


Box = tuple[float, float, float, float]


def box(part: Locator) -> Box:
    """Return left, top, right and bottom of an element in px of the window."""
    found = part.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def within(part: Locator, size: tuple[int, int]) -> bool:
    """Return whether an element lies completely in a window that is not scrolled."""
    left, top, right, bottom = box(part)
    return left >= -1 and top >= -1 and right <= size[0] + 1 and bottom <= size[1] + 1


def reviewed(page: Page, record: str) -> Locator:
    """Open the review of a record and return its step, once it is drawn."""
    page.goto("/review")
    page.get_by_label("Record of a finished game").fill(record)
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".stale")).to_have_count(0)
    return page.locator("[data-step]")


def asked(page: Page, path: str, **body: Any) -> Json:
    answer = page.request.post(f"/api/{path}", data=body, timeout=PATIENCE)
    assert answer.ok, answer.text()
    found: Json = answer.json()
    return found


# --- At the table ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_odds_follow_the_dice_and_the_hint_is_the_best(page: Page) -> None:
    made = table(page, REAL_DICE)
    command(page, made, type="enter-dice", dice="11346")
    asked(page, "odds")
    panel = page.locator("[data-learning]")
    opener = panel.get_by_role("button", name="Odds and hints")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.partition("/api/")[2]))
    expect(opener).to_be_visible()
    assert "analysis" not in requests
    opener.click()
    expect(panel.get_by_role("region", name="Odds and hints")).to_be_focused()
    numbers = panel.locator("[data-aim='1'] .number")
    for keys, keep in (("", "-"), ("12", "11"), ("2", "1")):
        page.keyboard.type(keys)
        odds = asked(page, "odds", game="yam-master", dice="11346", throws_left=2, keep=keep)
        expect(numbers.first).to_have_text(per_cent(odds["1"]["probability"]))
    best = asked(page, "odds", game="yam-master", dice="11346", throws_left=2)
    expect(numbers.last).to_have_text(per_cent(best["1"]["probability"]))
    panel.get_by_role("button", name="Show a hint").click()
    choices = panel.locator("[data-action]")
    expect(choices.first).to_be_visible(timeout=PATIENCE)
    view = page.request.get(f"/api/tables/{made['table']}").json()["view"]
    found = asked(page, "analysis", game=view["game"], position=view["position"])
    assert choices.first.get_attribute("data-action") == found["choices"][0]["action"] == "k11"
    expect(choices.first).to_contain_text("the best")
    expect(choices.first).to_contain_text(per_cent(found["value"]))
    assert announcements(page)[-1] == "Hint: keep 1 1"
    assert axe(page, only="[data-learning]") == []
    command(page, made, type="act", action="k11")
    expect(panel.get_by_text("The odds appear here")).to_be_visible()
    expect(choices).to_have_count(0)
    panel.get_by_role("region", name="Odds and hints").focus()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(panel.get_by_role("region")).to_have_count(0)


@sweep("size", SIZES)
@sweep("setup", [REAL_DICE, SHEET])
def test_the_panel_moves_nothing_and_leaves_the_dice_free(new_page: NewPage, setup: Json, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    made = table(page, setup)
    command(page, made, type="enter-dice", dice="11346")
    main = page.locator("[data-main]")
    expect(main).to_contain_text("Throw")
    expect(page.locator(".tray")).not_to_contain_text("…")  # the chance of a Défi is known
    painted(page)
    before = box(main)
    page.get_by_role("button", name="Odds and hints").click()
    panel = page.get_by_role("region", name="Odds and hints")
    expect(panel.locator("[data-aim]").first).to_be_attached()
    painted(page)
    assert box(main) == before
    left, top, right, bottom = box(panel)
    assert right <= before[0] or left >= before[2] or bottom <= before[1] or top >= before[3]
    assert min(right - left, bottom - top) >= 120
    main.click(trial=True)
    assert overflow(page) <= 0


@pytest.mark.parametrize(
    "locale, words", [("en-GB", "gains 1 point on the computer;"), ("de-CH", "gegenüber dem Computer 1 Punkt;")]
)
def test_a_hint_says_that_the_opponent_is_a_computer(new_page: NewPage, locale: str, words: str) -> None:
    page = new_page(locale=locale)
    start = "5/1x3/oooo1/2x1x/4x x 3:12345 8-8 9"
    table(
        page,
        {
            "game": "yam-master",
            "seats": [{}, {"kind": "level", "level": "greedy"}],
            "dice": "table",
            "start": start,
        },
    )
    page.locator("[data-learning] button").click()
    page.locator("[data-hint] button").first.click()
    expect(page.locator("[data-hint] [data-why]").first).to_contain_text(words, timeout=PATIENCE)


def test_no_odds_or_hints_with_other_people_or_for_watchers(page: Page, new_page: NewPage) -> None:
    made = table(page, HOT_SEAT, seats=[{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Ben"}])
    command(page, made, type="enter-dice", dice="11346", seat=0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Yam Master")
    expect(page.get_by_text("11346").or_(page.locator("[data-square='c3']")).first).to_be_visible()
    expect(page.locator("[data-learning]")).to_have_count(0)
    alone = table(page, REAL_DICE)
    expect(page.locator("[data-learning]")).to_have_count(1)
    watcher = new_page()
    watcher.goto(alone["watch"])
    expect(watcher.locator("[data-square='c3']")).to_be_visible()
    expect(watcher.locator("[data-learning]")).to_have_count(0)


# --- The review -----------------------------------------------------------------------------------


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
@sweep("size", SIZES)
@sweep("record", [RECORD, CORRECTED], ids=["yam-master", "yamm"])
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


# --- The trainer ----------------------------------------------------------------------------------


def question(page: Page, game: str) -> Json:
    """Open the trainer and return its first question."""
    with page.expect_response("**/api/questions", timeout=PATIENCE) as came:
        page.goto(f"/train/{game}")
    found: Json = came.value.json()
    expect(page.get_by_role("heading", name="What would you do?")).to_be_visible()
    return found


def answered(page: Page, way: Callable[[], None]) -> Json:
    """Answer the question in a way, and return the verdict, once it is shown."""
    with page.expect_response("**/api/questions/answer", timeout=PATIENCE) as judged:
        way()
    verdict: Json = judged.value.json()
    expect(page.locator(f"[data-verdict='{'right' if verdict['right'] else 'wrong'}']")).to_be_visible()
    return verdict


@sweep("game", ["yam-master", "yamm"])
def test_a_question_is_answered_from_the_list(page: Page, game: str) -> None:
    asked_first = question(page, game)
    choices = page.locator("[data-choice]")
    expect(choices).to_have_count(len(asked_first["choices"]))
    assert [each.get_attribute("data-choice") for each in choices.all()] == asked_first["choices"]
    assert axe(page) == []
    verdict = answered(page, choices.nth(1).click)
    expect(page.locator("[data-action]").first).to_contain_text("the best")
    assert page.locator("[data-action]").first.get_attribute("data-action") == verdict["best"]
    expect(page.locator("[data-score]")).to_contain_text(f"Right: {int(verdict['right'])} of 1.")
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(choices.first).to_be_visible(timeout=PATIENCE)
    page.reload()
    expect(page.locator("[data-score]")).to_contain_text(f"Right: {int(verdict['right'])} of 1.")


def test_a_question_is_answered_by_keyboard_at_the_board(page: Page) -> None:
    asked_first = question(page, "yam-master")
    legal = [each["action"] for each in asked_first["shown"]["actions"]]
    if any(action.startswith("k") for action in legal):
        page.keyboard.press("1")
        expect(page.locator("[data-answer] [aria-pressed=true]").first).to_be_visible()
        verdict = answered(page, lambda: page.keyboard.press("Space"))
    else:
        page.locator("[role=gridcell] button:not([aria-disabled=true])").first.focus()
        verdict = answered(page, lambda: page.keyboard.press("Enter"))
    assert announcements(page)[-1].startswith("Right." if verdict["right"] else "Not quite")


@pytest.mark.slow
@sweep("size", [(320, 568), (360, 740), (740, 360)])
@sweep("game", ["yam-master", "yamm"])
def test_question_and_answer_fit_one_screen(new_page: NewPage, game: str, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True, reduced_motion="reduce")
    asked_first = question(page, game)
    painted(page)
    grid, dice = page.get_by_role("grid"), page.locator("[data-answer]")
    assert within(grid, size)
    assert within(dice, size)
    assert within(page.locator("[data-question]"), size)
    before = box(grid)
    legal = [each["action"] for each in asked_first["shown"]["actions"]]
    if any(action.startswith("k") for action in legal):
        page.locator("[data-answer] button[aria-pressed]").first.tap()
        answered(page, page.locator("[data-throw]").tap)
    else:
        place = page.locator("[role=grid] button:not([aria-disabled=true])").first
        answered(page, place.click)
    painted(page)
    page.evaluate("scrollTo(0, 0)")
    assert box(grid) == before
    assert within(page.get_by_role("button", name="Next question"), size)
    assert within(page.locator("[data-verdict]"), size)
    assert overflow(page) <= 0
    assert axe(page) == []


def test_in_a_large_window_the_rest_of_the_trainer_is_beside_the_board(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 2560, "height": 1440})
    question(page, "yam-master")
    expect(page.get_by_role("group", name="Which game?")).to_be_in_viewport(ratio=1)


def test_the_trainer_offers_the_games_that_the_server_analyses(page: Page) -> None:
    def without_yamm(route: Route) -> None:
        answer = route.fetch()
        listed = answer.json()
        listed["games"] = [game | {"analysed": game["id"] != "yamm"} for game in listed["games"]]
        route.fulfill(json=listed)

    page.route("**/api/games", without_yamm)
    question(page, "yam-master")
    chooser = page.get_by_role("group", name="Which game?")
    expect(chooser.get_by_role("button")).to_have_text(["Yam Master"])
