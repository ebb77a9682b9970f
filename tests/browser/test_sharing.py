"""Sharing in the page: links, pictures and code for other web pages, and a visitor on a phone who
follows a shared link."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from dicecup.locale import LANGUAGES as CATALOGUES
from dicecup.locale import Messages
from dicecup.web.sharing import embedded
from dicecup.web.sharing.embedded import RankedLine
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, command, overflow, table
from tests.sweep import sweep

FULL: Final = "3,6,9,12,15,18,25,20,33,45,x"
ALONE: Final[Json] = {
    "game": "yamm(players=1)",
    "seats": [{}],
    "dice": "table",
    "start": "/".join([FULL] * 8 + ["3,6,9,12,15,18,25,20,33,45,.1 2:44444 99"]),
}
"""All cells but the last one, f3.Y, are written."""
QUESTION: Final = "/position?game=yam-master&position=1xxxx%2Fo4%2F5%2F5%2F5+x+1%3A11123+8-11+9&lang=fr"
PHONE: Final[Json] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE: Final = 240_000
"""Milliseconds. The first picture waits for the start of a process."""
LANGUAGES: Final = {"en-GB": "Share this game", "de-CH": "Dieses Spiel teilen", "fr-CH": "Partager cette partie"}
MORE: Final = {"en-GB": "Link and replay", "de-CH": "Link und Ablauf", "fr-CH": "Lien et déroulement"}


def shown(page: Page) -> Any:
    """Return the dialog, once its picture is drawn."""
    dialog = page.get_by_role("dialog")
    page.wait_for_function("() => document.querySelector('dialog[open] img')?.complete", timeout=PATIENCE)
    assert dialog.get_by_role("img").evaluate("picture => picture.naturalWidth") in (600, 1200)
    return dialog


@pytest.mark.slow
@sweep("locale", list(LANGUAGES))
def test_a_finished_game_is_shared_from_the_result(new_page: NewPage, locale: str, tmp_path: Path) -> None:
    page = new_page(locale=locale, **PHONE)
    made = table(page, ALONE)
    command(page, made, type="act", action="f3.Y")
    page.locator("[data-panel]").get_by_role("button", name=MORE[locale]).press("Enter")
    dialog = shown(page)
    expect(dialog.get_by_role("heading")).to_have_text(LANGUAGES[locale])
    dialog.locator("summary").press("Enter")
    code = dialog.locator("textarea").input_value()
    assert '<iframe src="http' in code
    assert f"/embed/tables/{made['table']}" in code
    assert (overflow(page), axe(page, only="dialog[open]")) == (0, [])
    with page.expect_download(timeout=PATIENCE) as saved:
        dialog.locator(".sharing > .row button").nth(1).click()
    path = tmp_path / "replay.gif"
    saved.value.save_as(path)
    assert path.read_bytes()[:3] == b"GIF"
    page.keyboard.press("Escape")
    expect(page.locator("[data-panel]").get_by_role("button", name=MORE[locale])).to_be_focused()


@pytest.mark.slow
def test_a_visitor_on_a_phone_follows_the_link_to_a_game(page: Page, new_page: NewPage) -> None:
    made = table(page, ALONE)
    command(page, made, type="act", action="f3.Y")
    link = page.request.get(f"/api/tables/{made['table']}/share?lang=de").json()["link"]
    phone = new_page(**PHONE)
    answer = phone.goto(link)
    assert answer is not None
    assert "Yamm: Anna" in answer.text().partition("</title>")[0]
    report = phone.locator("[data-step]")
    expect(report).to_be_visible(timeout=PATIENCE)
    expect(phone.get_by_role("link", name="To the table")).to_have_count(0)
    expect(phone.get_by_role("link", name="The rules of Yamm")).to_have_attribute("href", "/rules/yamm")
    assert (overflow(phone), axe(phone)) == (0, [])
    phone.get_by_role("button", name="Share this game").click()
    assert link.partition("&")[0] in shown(phone).get_by_role("textbox").first.input_value()


@pytest.mark.slow
@sweep("options", [PHONE, {"color_scheme": "dark"}], ids=["phone", "desktop"])
def test_a_position_is_answered(new_page: NewPage, options: Json) -> None:
    page = new_page(**options)
    page.goto(QUESTION)
    expect(page.get_by_role("heading", name="What would you do?")).to_be_visible(timeout=PATIENCE)
    assert (overflow(page), axe(page)) == (0, [])
    page.locator("[data-square=a1]").first.click()
    expect(page.locator("[data-verdict]")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Share this position").click()
    assert "/position?game=yam-master" in shown(page).get_by_role("textbox").first.input_value()


@pytest.mark.slow
def test_a_question_of_the_trainer_is_shared(new_page: NewPage) -> None:
    page = new_page(color_scheme="dark", locale="fr-CH")
    with page.expect_response("**/api/questions", timeout=PATIENCE) as asked:
        page.goto("/train/yam-master")
    position = asked.value.json()["shown"]["position"]
    page.get_by_role("button", name="Partager cette question").click()
    link = shown(page).get_by_role("textbox").first.input_value()
    assert parse_qs(urlsplit(link).query)["position"] == [position]
    assert axe(page, only="dialog[open]") == []


@sweep("query", ["?game=yam-master&position=x", "?game=yamm(players", ""])
def test_a_position_that_cannot_be_read_says_so(page: Page, faults: Any, query: str) -> None:
    faults.allow("422")
    page.goto(f"/position{query}")
    expect(page.locator(".notice.bad")).to_be_visible(timeout=PATIENCE)
    assert axe(page) == []


@pytest.mark.slow
@sweep("options", [PHONE, {"color_scheme": "dark"}], ids=["phone", "desktop"])
def test_the_frame_of_another_site_shows_the_game(page: Page, new_page: NewPage, options: Json) -> None:
    made = table(page, ALONE)
    command(page, made, type="act", action="f3.Y")
    embed = page.request.get(f"/api/tables/{made['table']}/share?lang=de").json()["embed"]
    other = new_page(**options)
    sizes: list[int] = []
    other.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
    other.goto(embed)
    expect(other.get_by_role("table")).to_have_count(1)
    expect(other.get_by_role("link", name="In Dicecup öffnen")).to_have_attribute("target", "_blank")
    assert (overflow(other), axe(other)) == (0, [])
    assert sum(sizes) <= 40_000
    assert other.context.cookies() == []


@pytest.mark.slow
@sweep("options", [PHONE, {"color_scheme": "dark"}], ids=["phone", "desktop"])
@pytest.mark.parametrize("language", CATALOGUES)
def test_the_frame_of_a_challenge_shows_its_ranking(new_page: NewPage, options: Json, language: str) -> None:
    messages = Messages(language)
    result = messages("ui_event_drawn", score="12\u00a0:\u00a012")
    lines = [
        RankedLine("–", messages("level_master"), messages("ui_event_line"), result),
        RankedLine("1", "Zoë Großmüller-Abendroth & Söhne aus Chur", messages("ui_event_unfinished"), result),
        RankedLine("2", "W" * 40, "", result),
    ]
    made = embedded.ranking_page(messages("ui_event_duel"), messages("ui_event_entrants", count=2), lines, language, "/")
    page = new_page(**options)
    page.route("**/embed/events/daily", lambda route: route.fulfill(body=made, content_type="text/html"))
    page.goto("/embed/events/daily")
    expect(page.get_by_role("row")).to_have_count(4)
    assert (overflow(page), axe(page)) == (0, [])


@pytest.mark.slow
def test_a_challenge_is_shared(page: Page) -> None:
    event = page.request.get("/api/events/today").json()["events"][0]["event"]
    page.goto(f"/events/{event}")
    page.get_by_role("button", name="Share this challenge").click()
    assert f"/events/{event}" in shown(page).get_by_role("textbox").first.input_value()
    assert axe(page, only="dialog[open]") == []
