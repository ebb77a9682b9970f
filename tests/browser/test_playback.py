"""Actions of others are played out one after the other, can be skipped and looked through; taps in
quick succession throw once."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, painted, table, view
from tests.browser.node_program import HERE, run_node
from tests.sweep import sweep

DUEL: Final[Json] = {
    "game": "yam-master",
    "seats": [{}, {"kind": "level", "level": "random"}],
    "start": "5/5/5/5/5 x 1:11134 12-12 1",
}
"""Anna has thrown three ones, and the computer is next."""
THROW, KEEP, DEFI, RESULT, OWN_RESULT = 600, 400, 900, 700, 500
"""Milliseconds at the normal pace, as in ui/src/playback/frames.ts."""


# --- The queue ------------------------------------------------------------------------------------


def shown(*steps: tuple[Any, ...]) -> list[Any]:
    """Return what a queue shows: the time and the names of the frames, or `rest`."""
    return [tuple(each) for each in json.loads(run_node(HERE / "playback_runner.mjs", given=steps))]


def frames(**times: int) -> list[Json]:
    return [{"name": name, "time": time} for name, time in times.items()]


def test_each_frame_is_shown_for_its_time() -> None:
    told = shown(("add", frames(a=600, b=400)), ("wait", 100), ("add", frames(c=700)), ("wait", 5000))
    assert told == [(0, "a"), (600, "b"), (1000, "c"), (1700, "rest")]


def test_frames_without_a_time_are_shown_with_the_next() -> None:
    assert shown(("add", frames(a=0)), ("add", frames(b=0, c=600, d=0)), ("wait", 600)) == [
        (0, "a"),
        (0, "rest"),
        (0, "b c"),
        (600, "d"),
        (600, "rest"),
    ]


def test_skipping_shows_the_newest_frame_once() -> None:
    assert shown(("add", frames(a=600, b=400, c=700)), ("wait", 300), ("skip",), ("wait", 5000)) == [
        (0, "a"),
        (300, "b c"),
        (300, "rest"),
    ]


def test_collected_frames_are_shown_when_no_more_come() -> None:
    told = shown(
        ("add", frames(a=600, b=400)),
        ("collect", frames(c=0), 400),
        ("wait", 300),
        ("collect", frames(d=0), 400),
        ("wait", 399),
        ("wait", 1),
        ("add", frames(e=600)),
    )
    assert told == [(0, "a"), (700, "b c d"), (700, "rest"), (700, "e")]


# --- At the table ---------------------------------------------------------------------------------


NUMBERS: Final = """
window.__numbers = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'update') window.__numbers.push(message.number);
    });
  }
};
"""
"""Records the numbers of the updates that the page gets."""
TWO: Final = [{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Ben"}]
"""Two people on one device."""
SIX: Final[Json] = {"game": "yamm(players=6)", "seats": [{}] + 5 * [{"kind": "level", "level": "random"}]}


@pytest.fixture
def watching(new_page: NewPage) -> Page:
    """A page at the normal pace."""
    page = new_page(pace="normal")
    page.add_init_script(NUMBERS)
    return page


def main_button(page: Page) -> Locator:
    return page.locator(".tray [data-main]")


def mine(page: Page) -> Locator:
    """Return the button of the first throw, when Anna may throw."""
    return page.locator(".tray [data-main][aria-disabled=false]", has_text="First throw")


def faces(page: Page) -> str:
    """Return the faces on the mat in ascending order."""
    names = page.locator("ul.dice li .visually-hidden").all_text_contents()
    return "".join(sorted(re.sub(r"\D", "", name) for name in names))


def kept(page: Page) -> str:
    names = page.locator("ul.dice li.kept .visually-hidden").all_text_contents()
    return "".join(sorted(re.sub(r"\D", "", name) for name in names))


def received(page: Page, made: Json) -> list[str]:
    """Wait until the computers have played and the page has all updates. Return the words of the
    last turn."""
    while (seen := view(page, made))["demand"]["what"] != "throw" or seen["demand"]["seats"] != [0]:
        page.wait_for_function("fetch('/api/me').then(() => true)")
    page.wait_for_function("(number) => window.__numbers.at(-1) >= number", arg=seen["number"])
    return [word for line in seen["history"][-1:] for word in line.split(" ")[1:]]


def place_and_let_computer_answer(page: Page, setup: Json = DUEL) -> tuple[Json, list[str]]:
    """Let Anna place a token while the clock of the page stands, and the computer answer.

    Return the table and the words of the computer's turn."""
    page.clock.install()
    made = table(page, setup)
    square = page.locator("[data-square=a1]")
    expect(square).to_have_attribute("aria-disabled", "false")
    page.clock.pause_at(page.evaluate("Date.now() + 5000") / 1000)
    square.click()
    return made, received(page, made)


@pytest.mark.slow
def test_the_turn_of_a_computer_is_played_out(watching: Page) -> None:
    _, words = place_and_let_computer_answer(watching)
    clock = watching.clock
    assert faces(watching) == "11134"  # Anna's result is shown first
    expect(mine(watching)).to_have_count(0)
    clock.run_for(OWN_RESULT)
    for word in words[:-1]:
        if word.isdigit():
            assert faces(watching) == word
            clock.run_for(THROW)
        else:
            dice = word.lstrip("!k")
            assert kept(watching) == dice.strip("-")
            assert watching.locator(".lifted").count() == 5 - len(dice.strip("-"))
            assert watching.locator(".aloud").count() == word.startswith("!")
            clock.run_for(DEFI if word.startswith("!") else KEEP)
    expect(mine(watching)).to_have_count(1)
    assert faces(watching) == words[-2]
    ended = ["Défi ✗" if words[-1] == "--" else "Défi ✓"] if "!" in " ".join(words) else []
    assert watching.locator(".aloud").all_text_contents() == ended
    expect(watching.locator(".dice.past")).to_have_count(0)
    clock.run_for(RESULT)
    expect(watching.locator(".dice.past")).to_have_count(1)


@pytest.mark.slow
@sweep("way", ["tray", "board", "key"])
def test_a_tap_or_a_key_skips_and_does_nothing_else(watching: Page, way: str) -> None:
    made, _ = place_and_let_computer_answer(watching)
    watching.clock.run_for(OWN_RESULT)
    expect(mine(watching)).to_have_count(0)
    if way == "key":
        watching.keyboard.press(" ")
    else:
        (main_button(watching) if way == "tray" else watching.locator("[data-square=c3]")).click(force=True)
    expect(mine(watching)).to_have_count(1)
    assert view(watching, made)["turn"]["throws"] == 0
    before = view(watching, made)["number"]
    mine(watching).click()  # the next tap throws
    watching.wait_for_function("(number) => window.__numbers.at(-1) > number", arg=before)
    assert view(watching, made)["turn"]["throws"] == 1


@pytest.mark.slow
def test_without_movement_the_steps_are_shown(new_page: NewPage) -> None:
    page = new_page(pace="normal", reduced_motion="reduce")
    page.add_init_script(NUMBERS)
    _, words = place_and_let_computer_answer(page)
    page.clock.run_for(OWN_RESULT)
    assert faces(page) == words[0]
    assert page.locator(".tumbling").count() == 0
    expect(mine(page)).to_have_count(0)


@pytest.mark.slow
def test_each_action_is_announced_once(watching: Page) -> None:
    _, words = place_and_let_computer_answer(watching)
    watching.clock.run_for(OWN_RESULT + len(words) * DEFI)
    expect(mine(watching)).to_have_count(1)
    told = " ".join(announcements(watching))
    throws = [word for word in words if word.isdigit()]
    assert [told.count(f": {' '.join(word)}.") for word in throws] == [throws.count(word) for word in throws]
    assert told.count("Your turn") == 2  # before and after the turn of the computer


@pytest.mark.slow
def test_skipped_actions_are_one_announcement(watching: Page) -> None:
    place_and_let_computer_answer(watching)
    before = len(announcements(watching))
    watching.keyboard.press("Enter")
    expect(mine(watching)).to_have_count(1)
    watching.wait_for_function("(count) => window.__said.length > count", arg=before)
    (told,) = announcements(watching)[before:]
    assert told.endswith("Your turn.")


@pytest.mark.slow
def test_a_running_clock_of_ones_own_is_not_spent_on_watching(watching: Page) -> None:
    clock = {"kind": "game", "seconds": 300, "increment": 0}
    place_and_let_computer_answer(watching, DUEL | {"clock": clock})
    expect(mine(watching)).to_have_count(1)  # the clock of the page stands


@pytest.mark.slow
def test_many_turns_are_counted_and_looked_through(watching: Page) -> None:
    watching.clock.install()
    made = table(watching, SIX)
    expect(mine(watching)).to_have_count(1)
    received(watching, made)
    mine(watching).click()
    cell = watching.locator("button[data-cell].scores").first
    cell.wait_for()
    watching.clock.pause_at(watching.evaluate("Date.now() + 5000") / 1000)
    before = view(watching, made)["number"]
    cell.click()
    watching.wait_for_function("(number) => window.__numbers.at(-1) > number", arg=before)
    received(watching, made)
    watching.clock.run_for(OWN_RESULT)
    tray = watching.locator(".tray")
    expect(tray.get_by_text("5 turns were played")).to_be_visible()
    history = view(watching, made)["history"]
    earlier = tray.get_by_role("button", name="Turn before")
    earlier.click()
    last = history[-2].split(" ")[1:]
    throws = " › ".join(word for word in last if word.isdigit())
    expect(tray.get_by_text(throws)).to_be_visible()
    assert faces(watching) == throws[-5:]
    tray.get_by_role("button", name="Turn after").click()
    expect(tray.get_by_text("5 turns were played")).to_be_visible()
    watching.clock.resume()
    assert axe(watching, only=".tray") == []


def expect_tokens(page: Page, *squares: str) -> None:
    """Wait until tokens lie on these squares and no others. A token that goes fades first."""
    expect(page.locator("[data-square].taken")).to_have_count(len(squares))
    for square in squares:
        expect(page.locator(f"[data-square={square}].taken")).to_be_visible()


@pytest.mark.slow
def test_an_earlier_turn_shows_the_board_as_it_was(watching: Page) -> None:
    lines = "1. 11134 a1\n2. 22235 a2\n3. 33346 b1\n"
    table(watching, {"game": "yam-master", "seats": [{}, {}], "start": f'[Game "yam-master"]\n\n{lines}'}, seats=TWO)
    earlier = watching.locator(".tray").get_by_role("button", name="Turn before")
    later = watching.locator(".tray").get_by_role("button", name="Turn after")
    expect(later).to_have_attribute("aria-disabled", "true")
    expect_tokens(watching, "a1", "b1", "a2")
    earlier.focus()
    watching.keyboard.press("Enter")
    expect(watching.get_by_role("grid", name="Board after turn 2")).to_be_visible()
    expect_tokens(watching, "a1", "a2")
    assert announcements(watching)[-1].startswith("Turn 2, ")
    watching.keyboard.press("Enter")
    expect(watching.get_by_role("grid", name="Board after turn 1")).to_be_visible()
    expect_tokens(watching, "a1")
    assert axe(watching, only=".game") == []
    later.click()
    expect(watching.get_by_role("grid", name="Board after turn 2")).to_be_visible()
    watching.keyboard.press("Escape")
    expect(watching.get_by_role("grid", name="Board", exact=True)).to_be_visible()
    expect_tokens(watching, "a1", "b1", "a2")
    earlier.click()
    expect(watching.get_by_role("grid", name="Board after turn 2")).to_be_visible()
    main_button(watching).click()  # a throw leads back to the present
    expect(watching.get_by_role("grid", name="Board", exact=True)).to_be_visible()


SHEET_AFTER: Final = {"de-CH": "Blatt von \u2068{}\u2069 nach Zug {}", "fr-CH": "Feuille de \u2068{}\u2069 après le tour {}"}


@sweep("language, named", list(SHEET_AFTER.items()))
def test_an_earlier_turn_shows_the_sheet_as_it_was(new_page: NewPage, language: str, named: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale=language)
    lines = "1. 11266 f2.6\n2. 11234 f1.1\n3. 33345 f2.3\n"
    table(page, {"game": "yamm", "seats": [{}, {}], "start": f'[Game "yamm"]\n\n{lines}'}, seats=TWO)
    earlier = page.locator(".tray .past button").first
    earlier.tap()
    expect(page.get_by_role("grid", name=named.format("Ben", 2))).to_be_visible()
    assert page.locator("td .number").all_text_contents() == ["2"]
    earlier.tap()
    expect(page.get_by_role("grid", name=named.format("Anna", 1))).to_be_visible()
    assert page.locator("td .number").all_text_contents() == ["12"]
    expect(earlier).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid", name=re.compile("Anna\u2069$"))).to_be_visible()
    assert page.locator("td .number").all_text_contents() == ["9", "12"]


# --- Taps in quick succession ---------------------------------------------------------------------


@sweep("motion", ["no-preference", "reduce"])
def test_a_double_tap_throws_once(new_page: NewPage, motion: Any) -> None:
    page = new_page(reduced_motion=motion)
    page.add_init_script(NUMBERS)
    page.clock.install()
    made = table(page, {"game": "yamm(players=1)", "seats": [{}]})
    expect(main_button(page)).to_have_attribute("aria-disabled", "false")  # the seeds are exchanged
    page.clock.pause_at(page.evaluate("Date.now() + 5000") / 1000)
    for throws in (1, 2):
        before = view(page, made)["number"]
        main_button(page).click()
        page.wait_for_function("(number) => window.__numbers.at(-1) > number", arg=before)
        page.clock.run_for(250)
        main_button(page).click(force=True)  # nothing comes of it
        page.keyboard.press(" ")
        page.clock.run_for(1000)
        expect(main_button(page)).to_have_attribute("aria-disabled", "false")
        assert view(page, made)["turn"]["throws"] == throws


# --- Questions in place ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pass_asks_once_in_place(watching: Page) -> None:
    made = table(watching, DUEL | {"seats": [{}, {}]}, seats=TWO)
    passing = watching.get_by_role("button", name="Pass", exact=True)
    tray = watching.locator(".tray")
    expect(passing).to_be_visible()
    painted(watching)
    place = tray.bounding_box()
    passing.click()
    question = tray.get_by_role("group", name="End your turn without a token?")
    expect(question.get_by_role("button", name="No")).to_be_focused()
    assert tray.bounding_box() == place
    assert axe(watching, only=".tray") == []
    watching.keyboard.press("Escape")
    expect(question).to_have_count(0)
    passing.click()
    question.get_by_label("Don’t ask again").check()
    assert view(watching, made)["history"] == []
    question.get_by_role("button", name="Pass").click()
    expect(mine(watching)).to_be_visible()
    mine(watching).click()
    passing.click()
    expect(mine(watching)).to_be_visible()  # without a question


@pytest.mark.slow
def test_a_defi_asks_where_it_can_cost_the_turn(watching: Page, new_page: NewPage) -> None:
    for page, game, asks in (
        (watching, "yam-master", True),
        (new_page(pace="normal"), "yam-master(failed_defi=ignored)", False),
    ):
        made = table(page, DUEL | {"game": game, "seats": [{}, {}]}, seats=TWO)
        page.get_by_role("button", name="Declare a Défi (Challenge)").click()
        main_button(page).click()
        if asks:
            page.get_by_role("button", name="No", exact=True).click()
            assert view(page, made)["turn"]["throws"] == 1
            main_button(page).click()
            page.get_by_role("button", name="Declare it").click()
        expect(page.get_by_role("button", name="Declare a Défi (Challenge)")).to_have_count(0)
        assert view(page, made)["turn"]["defi"]
