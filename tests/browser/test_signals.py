"""Sound, vibration, notification, title and wake lock: the calls of the page to the browser, and
the events that cause them."""

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import DUEL, joined, play
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, command, table

SLOW: Final[Json] = DUEL | {"clock": {"kind": "days", "seconds": 3 * 86_400}}
SETTINGS: Final = {"muted": False, "vibration": True, "notifications": True}
TURN: Final = ["sound", "turn"]
WIN: Final = ["sound", "win"]
VIBRATION: Final = ["vibrate", 80]
KINDS: Final = ("sound", "vibrate", "notification")
RECORD_CALLS: Final = """
(() => {
  const calls = (window.__calls = []);
  const mark = performance.mark.bind(performance);
  performance.mark = (name, options) => {
    if (name.startsWith('sound ')) calls.push(['sound', name.slice(6)]);
    return mark(name, options);
  };
  navigator.vibrate = (length) => calls.push(['vibrate', length]) > 0;
  window.Notification = class {
    static permission = 'granted';
    constructor(title, { body, tag }) {
      calls.push(['notification', title, body, tag]);
    }
  };
  const wakeLock = {
    request: async (kind) => {
      calls.push(['lock', kind]);
      return { release: async () => void calls.push(['release', kind]) };
    },
  };
  Object.defineProperty(navigator, 'wakeLock', { value: wakeLock });
  Object.defineProperty(Document.prototype, 'hidden', { get: () => window.__hidden === true });
})();
"""
"""Records the calls of the page to the APIs of the browser."""


def watched(page: Page, **settings: bool) -> Page:
    """Return the page with recorded calls and these settings."""
    page.add_init_script(RECORD_CALLS)
    page.add_init_script(f"localStorage.setItem('dicecup-settings', {json.dumps(json.dumps(SETTINGS | settings))})")
    return page


def calls(page: Page, least: int, *kinds: str) -> list[list[Any]]:
    """Wait for so many recorded calls of these kinds, return them in order of their kind and clear
    the record."""
    of_kinds = f"window.__calls.filter(([kind]) => {json.dumps(kinds)}.includes(kind))"
    page.wait_for_function(f"(least) => {of_kinds}.length >= least", arg=least)
    found: list[list[Any]] = page.evaluate(f"() => {{ const found = {of_kinds}; window.__calls.length = 0; return found; }}")
    return sorted(found, key=lambda call: kinds.index(call[0]))


def begun(page: Page, new_page: NewPage, setup: Json) -> tuple[Json, Page]:
    """Return a running game in which Anna (the page) is on turn, and the browser of Ben, who plays
    over HTTP."""
    made = table(page, setup)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    page.get_by_role("heading", level=1).click()
    ben = joined(new_page, made)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    return made, ben


def test_a_turn_and_the_end_are_signalled(page: Page, new_page: NewPage) -> None:
    made, ben = begun(watched(page), new_page, SLOW)
    assert calls(page, 2, *KINDS) == [TURN, VIBRATION]
    expect(page).to_have_title("● Yam Master · Dicecup")
    play(page, made, "11346")
    expect(page.get_by_role("button", name="Throw all five again")).to_be_visible()
    play(page, made, "--")
    expect(page).to_have_title("Yam Master · Dicecup")
    play(ben, made, "22345", "--")
    assert calls(page, 2, *KINDS) == [TURN, VIBRATION]
    command(ben, made, type="resign")
    assert calls(page, 1, *KINDS) == [WIN]


@pytest.mark.slow
def test_a_hidden_page_shows_a_notification(page: Page, new_page: NewPage) -> None:
    made, ben = begun(watched(page, muted=True, vibration=False), new_page, SLOW)
    play(page, made, "11346", "--")
    expect(page).to_have_title("Yam Master · Dicecup")
    page.evaluate("window.__hidden = true")
    play(ben, made, "22345", "--")
    assert calls(page, 1, *KINDS) == [["notification", "It is your turn", "Ben", made["table"]]]


def test_a_game_without_days_shows_no_notification(page: Page, new_page: NewPage) -> None:
    made, ben = begun(watched(page), new_page, DUEL)
    play(page, made, "11346", "--")
    calls(page, 2, *KINDS)
    page.evaluate("window.__hidden = true")
    play(ben, made, "22345", "--")
    assert calls(page, 2, *KINDS) == [TURN, VIBRATION]


@pytest.mark.slow
def test_signals_that_are_switched_off_stay_off(page: Page, new_page: NewPage) -> None:
    made, ben = begun(watched(page, muted=True, vibration=False, notifications=False), new_page, SLOW)
    page.evaluate("window.__hidden = true")
    play(page, made, "11346", "--")
    play(ben, made, "22345", "--")
    expect(page).to_have_title("● Yam Master · Dicecup")
    assert calls(page, 0, *KINDS) == []


def test_the_screen_stays_on_while_real_dice_are_thrown(page: Page, new_page: NewPage) -> None:
    made, ben = begun(watched(page), new_page, DUEL)
    assert calls(page, 1, "lock", "release") == [["lock", "screen"]]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert calls(page, 1, "lock", "release") == [["lock", "screen"]]
    command(ben, made, type="resign")
    assert calls(page, 1, "lock", "release") == [["release", "screen"]]


@pytest.mark.slow
def test_the_dice_of_the_server_need_no_wake_lock(page: Page) -> None:
    table(watched(page))
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    assert calls(page, 0, "lock", "release") == []
