"""The time from a tap until the page changes, and until the thrown dice are in the page.

The server runs on the same machine, and the window has the size of a phone. The targets are 100 ms
and 200 ms, also with the processor slowed four times. The animation of the dice is not measured.
"""

from statistics import median
from typing import Any, Final

from playwright.sync_api import Page

from bench._browser import SLOWER, browser, slowed

GAMES: Final = 10
SEEN, THROWN = 100, 200
"""The targets in milliseconds."""
SETUP: Final = {"game": "yamm(players=1)", "seats": [{}]}
MEASURE: Final = """
() => {
  const throws = () => document.querySelector('.pips')?.textContent;
  const before = throws();
  const told = (window.__tap = {});
  let begun;
  const painted = (what) => {
    if (what in told || begun === undefined) return;
    told[what] = null;
    requestAnimationFrame(() => setTimeout(() => (told[what] = performance.now() - begun)));
  };
  document.addEventListener('pointerdown', ({ timeStamp }) => (begun = timeStamp), { capture: true, once: true });
  new MutationObserver(() => {
    painted('seen');
    if (throws() !== before && document.querySelectorAll('ul.dice li').length === 5) painted('thrown');
  }).observe(document.querySelector('main'), { attributes: true, characterData: true, childList: true, subtree: true });
}
"""
"""`seen`: the first frame after the page changed. `thrown`: the first frame after the dice
changed."""


def tapped(page: Page, what: str, selector: str) -> dict[str, float]:
    """Tap an element and return the milliseconds until each event."""
    page.evaluate(MEASURE)
    page.locator(selector).first.tap()
    page.wait_for_function(
        "(what) => typeof window.__tap[what] === 'number' && typeof window.__tap.seen === 'number'", arg=what
    )
    told: dict[str, float] = page.evaluate("window.__tap")
    return told


def played(page: Page) -> list[dict[str, Any]]:
    """Throw, keep a die and throw again at a new table; return the times of the three taps."""
    made = page.request.post("/api/tables", data={"setup": SETUP, "name": "Anna"}).json()
    page.goto(f"/tables/{made['table']}")
    page.locator("[data-main]").wait_for()
    page.wait_for_load_state("networkidle")
    first = tapped(page, "thrown", "[data-main]")
    page.wait_for_timeout(1200)
    kept = tapped(page, "seen", "ul.dice button")
    second = tapped(page, "thrown", "[data-main]")
    return [first, kept, second]


def main() -> None:
    with browser() as (chromium, url):
        for times in (1, SLOWER):
            context = chromium.new_context(
                base_url=url,
                viewport={"width": 360, "height": 740},
                has_touch=True,
                is_mobile=True,
                locale="en",
                service_workers="block",
            )
            page = context.new_page()
            slowed(page, times)
            played(page)
            taps = [tap for _ in range(GAMES) for tap in played(page)]
            context.close()
            seen, thrown = (sorted(tap[what] for tap in taps if what in tap) for what in ("seen", "thrown"))
            print(
                f"{'processor as it is' if times == 1 else f'slowed {times} times'}: "
                f"something is seen after {median(seen):.0f} ms "
                f"(worst of {len(seen)}: {seen[-1]:.0f}; under {SEEN} wanted), thrown dice after {median(thrown):.0f} ms "
                f"(worst of {len(thrown)}: {thrown[-1]:.0f}; under {THROWN} wanted)"
            )


if __name__ == "__main__":
    main()
