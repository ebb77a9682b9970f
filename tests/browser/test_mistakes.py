"""The page of own mistakes: a portion on a phone, without a connection, in three languages, and a
drill."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.analysis.mistakes.records import played
from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, Faults, Server, axe, overflow
from tests.browser.test_install import HELD
from tests.web.shared_server.test_mistakes import TAGS

PATIENCE = 240_000
"""Milliseconds for the review of a game, while the kernels may still be compiled."""
LANGUAGES = {
    "en": ("My mistakes", "Today", "Start"),
    "de": ("Meine Fehler", "Heute", "Anfangen"),
    "fr": ("Mes erreurs", "Aujourd’hui", "Commencer"),
}


def with_cards(page: Page) -> None:
    """Give the person of a page a reviewed game, and open the page of mistakes."""
    page.goto("/mistakes")
    expect(page.get_by_text("No mistakes to practise on yet.")).to_be_visible()
    text = played("yam-master", "random").to_text().replace('[Dice "seed:mistakes"]\n', TAGS)
    page.request.get("/api/me")
    game = {"table": "d" * 20, "record": text, "created": 1_790_000_000.0}
    joined = page.request.post("/api/device-games", data=game)
    assert joined.ok, joined.text()
    page.reload()
    expect(page.locator("[data-today] button")).to_be_visible(timeout=PATIENCE)


def answered(page: Page) -> None:
    """Answer the question from the list."""
    expect(page.get_by_role("heading", name="What would you do?")).to_be_focused()
    choice = page.locator("[data-choice]").first
    if not choice.is_visible():
        page.get_by_text("The best choices as a list").click()
    choice.click()
    expect(page.locator("[data-verdict]")).to_be_visible(timeout=PATIENCE)


@pytest.mark.slow
def test_a_new_person_practises_a_theme_on_a_phone(phone: Page) -> None:
    """Before the first game the computer makes the questions."""
    phone.goto("/mistakes")
    expect(phone.get_by_text("No mistakes to practise on yet.")).to_be_visible()
    assert overflow(phone) <= 0
    assert axe(phone) == []
    phone.get_by_role("button", name="Practise: Two pairs: keep both?").first.tap()
    expect(phone.locator("[data-made]")).to_contain_text("Two pairs: keep both?", timeout=PATIENCE)
    expect(phone.locator("[data-question]")).to_contain_text("Question 1 of 10, made by the computer")
    answered(phone)
    assert axe(phone) == []
    phone.get_by_role("button", name="Next question").tap()
    expect(phone.locator("[data-question]")).to_contain_text("Question 2 of 10", timeout=PATIENCE)
    answered(phone)
    phone.locator("[data-study] button", has_text="To the overview").last.tap()
    expect(phone.locator("[data-themes]")).to_be_visible()


@pytest.mark.slow
def test_a_portion_on_a_phone_and_the_next_day(phone: Page) -> None:
    with_cards(phone)
    assert overflow(phone) <= 0
    assert axe(phone) == []
    phone.get_by_role("button", name="Start").tap()
    answered(phone)
    expect(phone.locator("[data-was]")).to_contain_text("In your game of 21 September 2026 it was")
    assert axe(phone) == []
    count = int((phone.locator("[data-question] p").inner_text()).partition(" of ")[2].split()[0])
    assert count > 2
    for _ in range(count - 1):
        phone.get_by_role("button", name="Next question").tap()
        answered(phone)
    phone.locator("[data-verdict] ~ * button", has_text="To the overview").tap()
    today = phone.locator("[data-today]")
    expect(today.get_by_role("status")).to_contain_text(f"of {count} right.")
    expect(today).to_contain_text(f"Done for today: {count} questions answered.")
    expect(today.get_by_role("heading")).to_be_focused()
    phone.clock.install()
    phone.clock.fast_forward("24:00:00")
    phone.reload()
    expect(phone.get_by_role("button", name="Start")).to_be_visible()


LINE = "5/1x3/oooo1/2x1x/4x x 3:12345 8-8 9"
"""A token on e3 stops a line and gains a point on the opponent."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "opponent, name", [("Benedikt", "\u2068Benedikt\u2069"), ("casual 2", "the computer"), (None, "the opponent")]
)
def test_the_answer_to_a_card_calls_the_opponent_by_name(page: Page, opponent: str | None, name: str) -> None:
    page.goto("/mistakes")
    shown = page.request.post("/api/show", data={"game": "yam-master", "position": LINE}).json()
    card = {"id": "d-9.0", "theme": "blocking", "unit": "chance", "played": "--", "loss": 0.1, "created": 1_790_000_000.0}
    question = {"shown": shown, "difficulty": 1, "choices": ["e3", "--"]}
    card |= {"opponent": opponent, "question": question, "losses": {"e3": 0.0, "--": 0.1}, "right": ["e3"]}
    nothing = page.request.get("/api/mistakes").json()
    page.route("**/api/mistakes?**", lambda route: route.fulfill(json=nothing | {"cards": [card], "due": 1, "total": 1}))
    page.reload()
    page.get_by_role("button", name="Start").click()
    answered(page)
    expect(page.locator("[data-why]").first).to_contain_text(f"gains 1 point on {name};")


@pytest.mark.slow
def test_without_a_connection_answers_wait_on_the_device(page: Page, faults: Faults) -> None:
    with page.expect_response("**/api/mistakes?day=*", timeout=PATIENCE):
        with_cards(page)
    before = page.locator("[data-today] p").inner_text()
    page.route("**/api/**", lambda route: route.abort())
    faults.allow("Failed to load resource")
    page.get_by_role("button", name="Start").click()
    answered(page)
    expect(page.get_by_text("The reasons need a connection.")).to_be_visible()
    page.locator("[data-study] button", has_text="To the overview").last.click()
    expect(page.get_by_text("your answers wait on this device")).to_be_visible()
    assert page.locator("[data-today] p").inner_text() != before
    page.unroute("**/api/**")
    with page.expect_response("**/api/mistakes/answers") as sent:
        page.reload()
    assert len(sent.value.json()["due"]) == 1
    expect(page.get_by_text("your answers wait on this device")).to_have_count(0)


@pytest.mark.slow
def test_a_device_opens_its_cards_without_a_server(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """The page was opened once. Later its tab, its worker and the server are gone."""
    page = new_page(own_server, service_workers="allow", viewport={"width": 360, "height": 740}, has_touch=True)
    with_cards(page)
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("async () => (await (await caches.open('dicecup-mistakes')).keys()).length === 4", timeout=PATIENCE)
    page.wait_for_function(
        f"""async () => {{
             const held = new Set(await ({HELD})());
             const loaded = performance.getEntriesByType('resource').map(({{ name }}) => new URL(name).pathname);
             return loaded.every((path) => !path.startsWith('/assets/') || held.has(path)); }}"""
    )
    count = page.locator("[data-today] p").inner_text()
    session = page.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    own_server.end()
    faults.allow(GONE)
    page.goto("about:blank")
    for day in range(2):
        page.goto("/mistakes")
        expect(page.get_by_text("your answers wait on this device")).to_be_visible()
        expect(page.locator("[data-today] p")).to_have_text(count)
        page.get_by_role("button", name="Start").tap()
        answered(page)
        expect(page.get_by_text("The reasons need a connection.")).to_be_visible()
        page.get_by_role("button", name="Next question").tap()
        answered(page)
        assert axe(page) == []
        if not day:
            page.clock.install()
            page.clock.fast_forward("24:00:00")
    own_server.start()
    with page.expect_response("**/api/mistakes/answers") as sent:
        page.goto("/mistakes")
    assert len(sent.value.json()["due"]) == 2
    expect(page.get_by_text("your answers wait on this device")).to_have_count(0)


@pytest.mark.slow
def test_themes_are_practised_by_keyboard_in_three_languages(page: Page) -> None:
    with_cards(page)
    themes = page.locator("[data-themes]")
    own = themes.locator("[data-theme-row]").filter(has_not=page.locator(".cards", has_text=re.compile(r"^\s*0\b")))
    drill = own.get_by_role("button").first
    name = (drill.get_attribute("aria-label") or "").removeprefix("Practise: ")
    drill.focus()
    page.keyboard.press("Enter")
    choice = page.locator("[data-choice]").first
    choice.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-was]")).to_contain_text(name, timeout=PATIENCE)
    page.get_by_role("button", name="Don’t ask this again").press("Enter")
    with page.expect_response("**/api/mistakes/cards/*"):
        page.get_by_role("button", name="Really remove it?").press("Enter")
    expect(page.get_by_text("Removed: this decision will not be asked again.")).to_be_visible()
    page.goto("/mistakes")
    page.emulate_media(color_scheme="dark")
    for language, (title, today, start) in LANGUAGES.items():
        page.evaluate("language => localStorage.setItem('dicecup-settings', JSON.stringify({language}))", language)
        page.reload()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect(page.get_by_role("heading", name=today)).to_be_visible()
        expect(page.get_by_role("button", name=start)).to_be_visible()
        assert overflow(page) <= 0
        assert axe(page) == []
