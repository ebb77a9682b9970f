"""Time from a tap until the page changes, and until the page shows the thrown dice.

The server runs on the same machine, and the window is as large as the screen of a phone. The
animation of rolling dice begins after the measured time. The goals are 100 ms until the page
changes and 200 ms until it shows the dice, also with the processor slowed down four times.
"""

from statistics import median
from typing import Final

from playwright.sync_api import Page

from bench._browser import SLOWDOWN, browser, slowed

TABLES: Final = 10
MAX_CHANGED, MAX_THROWN = 100, 200
"""Goals for the page's first change and for the thrown dice, in milliseconds."""
SETUP: Final = {"game": "yamm(players=1)", "seats": [{}]}
MEASURE: Final = """
() => {
  const pips = () => document.querySelector('.pips')?.textContent;
  const before = pips();
  const times = (window.__tap = {});
  let begin;
  const painted = (effect) => {
    if (effect in times || begin === undefined) return;
    times[effect] = null;
    requestAnimationFrame(() => setTimeout(() => (times[effect] = performance.now() - begin)));
  };
  document.addEventListener('pointerdown', ({ timeStamp }) => (begin = timeStamp), { capture: true, once: true });
  new MutationObserver(() => {
    painted('changed');
    if (pips() !== before && document.querySelectorAll('ul.dice li').length === 5) painted('thrown');
  }).observe(document.querySelector('main'), { attributes: true, characterData: true, childList: true, subtree: true });
}
"""
"""Script that stores milliseconds since the next tap in `window.__tap`.

`changed` is the time of the first frame after a change of the page, `thrown` the time of the first
frame that shows other dice.
"""


def tap(page: Page, effect: str, selector: str) -> dict[str, float]:
    """Tap an element, wait for an effect (`changed` or `thrown`) and return the times in ms."""
    page.evaluate(MEASURE)
    page.locator(selector).first.tap()
    page.wait_for_function(
        "(effect) => typeof window.__tap[effect] === 'number' && typeof window.__tap.changed === 'number'", arg=effect
    )
    times: dict[str, float] = page.evaluate("window.__tap")
    return times


def taps_of_table(page: Page) -> list[dict[str, float]]:
    """Throw, keep a die and throw again at a new table; return the times of the three taps."""
    created = page.request.post("/api/tables", data={"setup": SETUP, "name": "Anna"}).json()
    page.goto(f"/tables/{created['table']}")
    page.locator("[data-main]").wait_for()
    page.wait_for_load_state("networkidle")
    first = tap(page, "thrown", "[data-main]")
    page.wait_for_timeout(1200)
    kept = tap(page, "changed", "ul.dice button")
    second = tap(page, "thrown", "[data-main]")
    return [first, kept, second]


def main() -> None:
    """Print the times at full speed and with the processor slowed down."""
    with browser() as (chromium, url):
        for factor in (1, SLOWDOWN):
            context = chromium.new_context(
                base_url=url,
                viewport={"width": 360, "height": 740},
                has_touch=True,
                is_mobile=True,
                locale="en",
                service_workers="block",
            )
            page = context.new_page()
            slowed(page, factor)
            taps_of_table(page)  # fills caches
            taps = [times for _ in range(TABLES) for times in taps_of_table(page)]
            context.close()
            changed, thrown = ([times[effect] for times in taps if effect in times] for effect in ("changed", "thrown"))
            print(
                f"{'full speed' if factor == 1 else f'slowed {factor} times'}: page changes after {median(changed):.0f} ms "
                f"(worst of {len(changed)}: {max(changed):.0f}; goal: under {MAX_CHANGED}), "
                f"shows thrown dice after {median(thrown):.0f} ms "
                f"(worst of {len(thrown)}: {max(thrown):.0f}; goal: under {MAX_THROWN})"
            )


if __name__ == "__main__":
    main()
