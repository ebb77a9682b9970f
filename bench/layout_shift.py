"""Layout shift during whole games in the browser: how far the page moves by itself.

A person plays Yam Master and Yamm against the computer `random` on a phone and on a desktop, from
the first throw to the panel with the result. The sum counts every shift, also those that follow a
tap at once, which the metric CLS leaves out. The goal is at most 0.02 in each game.
"""

import sys
from typing import Final

from playwright.sync_api import Browser, Page

from bench._browser import browser

MAX_SHIFT: Final = 0.02
GAMES: Final = {"Yam Master": "yam-master", "Yamm": "yamm"}
WINDOWS: Final = {"phone": (360, 740), "desktop": (1440, 900)}
SETTINGS: Final = """
location.host && localStorage.setItem('dicecup-settings', '{"pace": "instant", "unasked": ["pass", "defi", "strike"]}');
"""
"""Shows the turns of the computer at once, and asks nothing before an action."""
WATCH: Final = """
window.__shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.__shift += entry.value;
}).observe({ type: 'layout-shift', buffered: false });
"""
NEXT: Final = """
() => {
  if (document.querySelector('[data-panel]')) return 'over';
  if (document.querySelector('.settling, .tumbling')) return null;
  const found = ['.places [data-place]', '[data-square][aria-disabled=false]', '[data-main][aria-disabled=false]:not(.told)'];
  return found.find((each) => document.querySelector(each)) ?? null;
}
"""
"""Returns a selector for what the person taps next, `over` at the end, else `null`."""


def shift_of_game(chromium: Browser, url: str, game: str, window: tuple[int, int]) -> tuple[float, int]:
    """Play a game; return the sum of all layout shifts and the number of taps."""
    width, height = window
    phone = width < 600
    context = chromium.new_context(
        base_url=url, viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone, locale="en"
    )
    context.add_init_script(SETTINGS)
    page = context.new_page()
    setup = {"game": game, "seats": [{}, {"kind": "level", "level": "random"}]}
    created = page.request.post("/api/tables", data={"setup": setup, "name": "Anna"}).json()
    page.goto(f"/tables/{created['table']}")
    page.locator("[data-main]").wait_for()
    page.evaluate(WATCH)
    taps = _play(page)
    page.wait_for_timeout(3000)  # the end of the game is shown
    shift = float(page.evaluate("window.__shift"))
    context.close()
    return shift, taps


def _play(page: Page) -> int:
    """Tap until the game is over; return the number of taps."""
    for taps in range(100_000):
        target = page.wait_for_function(NEXT).json_value()
        if target == "over":
            return taps
        page.evaluate("target => document.querySelector(target)?.click()", target)  # it may have gone meanwhile
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    raise SystemExit("the game does not end")


def main() -> int:
    """Print the shift of each game; return 0 if all reach the goal and 1 otherwise."""
    worst = 0.0
    with browser() as (chromium, url):
        for name, game in GAMES.items():
            for window, size in WINDOWS.items():
                shift, taps = shift_of_game(chromium, url, game, size)
                worst = max(worst, shift)
                print(f"{name}, {window}: layout shift {shift:.4f} in {taps} taps (goal: at most {MAX_SHIFT})")
    return 0 if worst <= MAX_SHIFT else 1


if __name__ == "__main__":
    sys.exit(main())
