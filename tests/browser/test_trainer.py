"""The trainer: the page shows the verdicts of the server."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, overflow, painted
from tests.browser.learning_driver import PATIENCE, box, within
from tests.sweep import sweep


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


@pytest.mark.slow
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
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True)
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


@pytest.mark.slow
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
