"""Odds and hints at the table: the page shows the numbers of the server."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, command, overflow, painted, table
from tests.browser.learning_driver import PATIENCE, REAL_DICE, SIZES, asked, box, per_cent
from tests.sweep import in_step

HOT_SEAT: Json = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}

SHEET: Json = {"game": "yamm(players=1)", "seats": [{}], "dice": "table"}


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


@pytest.mark.slow
def test_a_chance_that_cannot_be_known_is_not_shown(page: Page) -> None:
    busy = {"error": {"code": "busy", "message": "Busy"}}
    page.route("**/api/odds", lambda route: route.fulfill(status=503, json=busy))
    made = table(page, REAL_DICE)
    command(page, made, type="enter-dice", dice="11346")
    expect(page.locator("[data-defi] .short:not(.widest)")).to_have_text("")
    page.unroute("**/api/odds")
    page.get_by_role("button", name="1", exact=True).first.click()
    expect(page.locator("[data-defi] .short:not(.widest)")).to_contain_text("%", timeout=PATIENCE)


@pytest.mark.slow
@in_step(size=SIZES, setup=[REAL_DICE, SHEET])
def test_the_panel_moves_nothing_and_leaves_the_dice_free(new_page: NewPage, setup: Json, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    made = table(page, setup)
    command(page, made, type="enter-dice", dice="11346")
    main = page.locator("[data-main]")
    expect(main).to_contain_text("Throw")
    expect(page.locator(".tray")).not_to_contain_text("…", timeout=PATIENCE)  # the chance of a Défi is known
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
