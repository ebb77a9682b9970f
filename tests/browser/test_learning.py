"""Odds and hints at the table, the review of a game, the trainer: the pages show the numbers of the
server."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, command, overflow, said, table

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
    return f"{100 * value:.{digits}f} %"


def asked(page: Page, path: str, **body: Any) -> Json:
    answer = page.request.post(f"/api/{path}", data=body, timeout=PATIENCE)
    assert answer.ok, answer.text()
    found: Json = answer.json()
    return found


# --- At the table ---------------------------------------------------------------------------------


def test_odds_follow_the_dice_and_the_hint_is_the_best(page: Page) -> None:
    made = table(page, REAL_DICE)
    command(page, made, type="enter-dice", dice="11346")
    asked(page, "odds")
    panel = page.locator("[data-learning]")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.partition("/api/")[2]))
    expect(panel).to_be_visible()
    assert "analysis" not in requests
    panel.get_by_text("Odds and hints").click()
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
    assert said(page)[-1] == "Hint: keep 1 1"
    assert axe(page, only="[data-learning]") == []
    command(page, made, type="act", action="k11")
    expect(panel.get_by_text("The odds appear here")).to_be_visible()
    expect(choices).to_have_count(0)


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
    page.locator("h2", has_text="Step by step").focus()
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


def test_a_sheet_with_a_correction_on_a_phone(phone: Page) -> None:
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
    expect(phone.get_by_role("grid", name=re.compile("Sheet of"))).to_be_visible()
    phone.get_by_text("The curve in numbers").click()
    expect(phone.get_by_role("columnheader", name="Computer (Casual)")).to_be_visible()
    expect(phone.locator(".stale")).to_have_count(0)
    assert overflow(phone) <= 0
    assert axe(phone) == []


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


@pytest.mark.parametrize("text", ["nonsense", RECORD.replace("33345", "11345"), RECORD.replace("line", "tokens")])
def test_an_invalid_record_is_refused_with_a_sentence(page: Page, text: str) -> None:
    page.goto("/review")
    page.get_by_label("Record of a finished game").fill(text)
    page.get_by_role("button", name="Review").click()
    notice = page.locator(".notice.bad")
    expect(notice).to_be_visible(timeout=PATIENCE)
    assert re.search(r"[a-z]+-[a-z]+:|error|undefined", notice.inner_text()) is None
    expect(page.get_by_label("Record of a finished game")).to_have_value(f"{text.strip()}\n")


# --- The trainer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_a_question_is_answered(page: Page, game: str) -> None:
    with page.expect_response("**/api/questions", timeout=PATIENCE) as came:
        page.goto(f"/train/{game}")
    question = came.value.json()
    choices = page.locator("[data-choice]")
    expect(choices).to_have_count(len(question["choices"]), timeout=PATIENCE)
    assert [each.get_attribute("data-choice") for each in choices.all()] == question["choices"]
    assert axe(page) == []
    with page.expect_response("**/api/questions/answer", timeout=PATIENCE) as judged:
        page.keyboard.press("2")
    verdict = judged.value.json()
    expect(page.locator(f"[data-verdict='{'right' if verdict['right'] else 'wrong'}']")).to_be_visible()
    expect(page.locator("[data-action]").first).to_contain_text("the best")
    assert page.locator("[data-action]").first.get_attribute("data-action") == verdict["best"]
    expect(page.locator("[data-score]")).to_contain_text(f"Right of the last 1: {int(verdict['right'])}.")
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(choices.first).to_be_visible(timeout=PATIENCE)
    page.reload()
    expect(page.locator("[data-score]")).to_contain_text("Answered: 1")
