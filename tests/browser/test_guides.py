"""The guided first games, played from the first step to the last by touch and by keyboard."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from dicecup.locale import catalogue
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, overflow, painted, resized
from tests.sweep import in_step, sweep

MAIN = '[data-main][aria-disabled="false"]'
ASKS = "!JSON.parse(localStorage.getItem('dicecup-settings') ?? '{}').unasked?.includes('defi')"
"""Whether a Défi is asked about before it is declared."""
APART = """() => {
  const bubble = document.querySelector('section.bubble').getBoundingClientRect();
  return [...document.querySelectorAll('.highlight')].every((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const beside = bubble.right <= left + 1 || right <= bubble.left + 1;
    return beside || bubble.bottom <= top + 1 || bottom <= bubble.top + 1;
  });
}"""
"""Whether the guide covers nothing of what it points at."""
GAMES = ["yam-master", "yamm"]
every_game = sweep("game", GAMES)


def steps_of(page: Page, game: str) -> list[Json]:
    steps: list[Json] = page.request.get(f"/api/guides/{game}").json()["steps"]
    return steps


def sentence(step: Json, language: str = "en") -> str:
    text: str = catalogue(language)[step["text"]]
    return text.format(**step["values"])


def bubble(page: Page) -> Locator:
    return page.locator("section.bubble")


def expect_step(page: Page, step: Json, language: str = "en") -> None:
    """Wait until a step is shown, and assert that its place is highlighted."""
    expect(bubble(page).locator(".sentence")).to_have_text(sentence(step, language))
    expect(bubble(page)).not_to_have_class(re.compile("hidden"))
    if step["mark"]:
        expect(page.locator(".highlight").first).to_be_visible()
        page.wait_for_function(APART)


def places_to_toggle(page: Page, action: str) -> list[int]:
    """Return the places of the dice whose choice differs from a keep."""
    wanted = list(action.lstrip("!k"))
    changed = []
    for place, die in enumerate(page.locator("main [data-face]").all()):
        face = die.get_attribute("data-face") or ""
        if is_wanted := face in wanted:
            wanted.remove(face)
        if is_wanted != (die.get_by_role("button").get_attribute("aria-pressed") == "true"):
            changed.append(place)
    return changed


def by_touch(page: Page, step: Json) -> None:
    """Do what a step asks for with taps."""
    does, action, mark = step["does"], step["action"], step["mark"].split(" ")
    if does == "read":
        bubble(page).get_by_role("button").last.tap()
    elif does == "throw":
        page.locator(MAIN).tap()
    elif action.startswith(("k", "!k")):
        for place in places_to_toggle(page, action):
            page.locator("main [data-face]").nth(place).get_by_role("button").tap()
        if does == "act":
            page.locator(MAIN).tap()
            if action.startswith("!") and page.evaluate(ASKS):
                page.locator("main .ask [data-yes]").tap()
        elif action.startswith("!"):
            page.locator("[data-defi]").tap()
    else:
        if does == "move":  # a second tap at the same place would count as a double tap
            bubble(page).locator(".sentence").tap()
        target = page.locator(f'button[data-{mark[0]}="{mark[1]}"]')
        size = target.bounding_box()
        target.tap()
        if does == "act" and mark[0] == "cell" and size and min(size["width"], size["height"]) < 44:
            page.locator(f'.lens [data-place="{mark[1]}"]').tap()


def by_keyboard(page: Page, step: Json) -> None:
    """Do what a step asks for with keys, from where the focus is."""
    does, action = step["does"], step["action"]
    if action.startswith(("k", "!k")):
        for place in places_to_toggle(page, action):
            page.keyboard.press(str(place + 1))
        if does == "choose" and not action.startswith("!"):
            return
        wanted = "[data-defi]" if does == "choose" else MAIN
    else:
        kind, _, name = step["mark"].partition(" ")
        wanted = {"read": "section.bubble button", "throw": MAIN}.get(does, f'button[data-{kind}="{name}"]')
    expect(page.locator(f"{wanted}:focus")).to_be_visible()
    page.keyboard.press("Enter")


def go_through(page: Page, game: str, do: Callable[[Page, Json], None], language: str, look: Callable[[int], None]) -> None:
    """Play a guide from its first step to the end."""
    page.goto(f"/learn/{game}")
    steps = steps_of(page, game)
    for number, step in enumerate(steps):
        expect_step(page, step, language)
        look(number)
        do(page, step)
    expect(bubble(page).get_by_role("heading")).to_be_focused()


def expect_each_step_announced_once(page: Page, game: str, language: str) -> None:
    """Assert that the live region has announced each step once, in order."""
    sentences = [sentence(step, language) for step in steps_of(page, game)]
    assert [each for each in announcements(page) if each in sentences] == sentences


@pytest.mark.slow
@every_game
def test_a_guide_is_played_by_touch_on_a_small_phone(new_page: NewPage, game: str) -> None:
    page = new_page(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True, locale="de-CH")

    def look(number: int) -> None:
        assert overflow(page) == 0, number

    go_through(page, game, by_touch, "de", look)
    expect_each_step_announced_once(page, game, "de")


def cut_names(page: Page) -> list[str]:
    """Return the visible names of players that have less room than they need."""
    cut: list[str] = page.locator("[data-players] bdi:not(.long, .short), [data-players] .short .start").evaluate_all(
        "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    )
    return cut


@pytest.mark.slow
@sweep("language", ["en-GB", "de-CH", "fr-CH"])
def test_no_name_is_cut_in_the_header_of_a_guide(new_page: NewPage, language: str) -> None:
    page = new_page(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True, locale=language)
    page.goto("/learn/yam-master")
    expect(page.locator("[data-players] li")).to_have_count(2)
    for width in (320, 340, 341, 360, 375):
        resized(page, width, 568)
        assert cut_names(page) == [], width
        assert overflow(page) == 0, width


@pytest.mark.slow
@in_step(width=[740, 820, 1440, 740], height=[360, 1180, 900, 360], game=GAMES)
def test_a_guide_covers_nothing_that_it_points_at(new_page: NewPage, game: str, width: int, height: int) -> None:
    page = new_page(viewport={"width": width, "height": height}, has_touch=True, locale="fr-CH")
    go_through(page, game, by_touch, "fr", lambda _: None)  # each step checks it


@pytest.mark.slow
@every_game
def test_a_guide_is_played_by_keyboard_and_has_no_findings_of_axe(page: Page, game: str) -> None:
    def look(number: int) -> None:
        if number % 4 == 0:
            assert axe(page) == [], number

    go_through(page, game, by_keyboard, "en", look)
    expect_each_step_announced_once(page, game, "en")
    assert axe(page) == []


@pytest.mark.slow
@every_game
def test_a_guide_plays_out_the_turns_of_the_computer_in_its_time(new_page: NewPage, game: str) -> None:
    """At the normal pace a sentence appears when everything before it has been shown."""
    page = new_page(pace="normal", reduced_motion="reduce", locale="fr-CH", has_touch=True)
    go_through(page, game, by_touch, "fr", lambda _: None)
    expect_each_step_announced_once(page, game, "fr")


@pytest.mark.slow
@every_game
def test_a_guide_goes_on_where_it_was_left(page: Page, game: str) -> None:
    steps = steps_of(page, game)
    page.goto(f"/learn/{game}")
    for step in steps[:6]:
        expect_step(page, step)
        by_keyboard(page, step)
    expect_step(page, steps[6])
    page.get_by_role("link", name="Continue later").click()
    expect(page).to_have_url(re.compile("/$"))
    page.goto(f"/learn/{game}")
    expect_step(page, steps[6])
    assert [each for each in announcements(page) if each in {sentence(step) for step in steps}] == [sentence(steps[6])]
    for step in steps[6:9]:
        expect_step(page, step)
        by_keyboard(page, step)
    expect_step(page, steps[9])


@pytest.mark.slow
@every_game
def test_one_step_back_shows_the_same_position_again(page: Page, game: str) -> None:
    steps = steps_of(page, game)
    page.goto(f"/learn/{game}")
    for step in steps[:7]:
        expect_step(page, step)
        by_keyboard(page, step)
    for step in reversed(steps[:7]):
        bubble(page).get_by_role("button", name="Back").click()
        expect_step(page, step)
    expect(bubble(page).get_by_role("button", name="Back")).to_have_count(0)
    for step in steps[:8]:
        expect_step(page, step)
        by_keyboard(page, step)


@pytest.mark.slow
def test_another_legal_action_is_not_done_and_the_sentence_comes_again(page: Page) -> None:
    steps = steps_of(page, "yam-master")
    page.goto("/learn/yam-master")
    for step in steps[:5]:
        expect_step(page, step)
        by_keyboard(page, step)
    expect_step(page, steps[5])
    page.locator('[data-square="e5"]').click()
    told = f"The rules allow that too. For now: {sentence(steps[5])}"
    expect(bubble(page).locator(".sentence")).to_have_text(told)
    painted(page)
    assert announcements(page)[-1] == told
    expect(page.locator('[data-square="d1"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect_step(page, steps[6])


@pytest.mark.slow
def test_a_result_that_is_put_down_is_taken_up_again(page: Page) -> None:
    """Without a taken up result the step goes back to the one that takes it up."""
    steps = steps_of(page, "yamm")
    moving = next(place for place, step in enumerate(steps) if step["does"] == "move")
    page.goto("/learn/yamm")
    for step in steps[: moving + 1]:
        expect_step(page, step)
        by_keyboard(page, step)
    expect_step(page, steps[moving + 1])
    page.keyboard.press("Escape")
    expect_step(page, steps[moving])
    by_keyboard(page, steps[moving])
    expect_step(page, steps[moving + 1])


def test_after_the_guide_a_novice_plays(page: Page) -> None:
    steps = steps_of(page, "yam-master")
    page.goto("/")
    kept: dict[str, Any] = {"yam-master": {"step": steps[-1]["text"], "done": False}}
    page.evaluate("kept => localStorage.setItem('dicecup-guides', JSON.stringify(kept))", kept)
    page.goto("/learn/yam-master")
    expect_step(page, steps[-1])
    by_keyboard(page, steps[-1])
    bubble(page).get_by_role("button", name="Play at level Novice").click()
    expect(page).to_have_url(re.compile("/tables/"))
    shown = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["view"]
    assert [seat["level"] for seat in shown["seats"]] == ["", "novice"]


def test_a_game_without_a_guide_says_so(page: Page) -> None:
    page.goto("/learn/chess")
    expect(page.get_by_role("link", name="To the home page")).to_be_visible()
