"""The first visit of a browser: the bytes that are loaded, and the time until the page can be used.

The server runs on the same machine, and the processor is slowed four times. The targets are 90 kB
of compressed JavaScript and CSS for the start page and a first game, and one second. The page is
then loaded once more from the browser's cache.
"""

from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page

from bench._browser import SLOWER, browser, slowed

RUNS: Final = 5
BYTES, SECONDS = 90_000, 1.0
"""The targets."""
GAMES: Final = {
    "Yam Master": {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]},
    "Yamm": {"game": "yamm(players=1)", "seats": [{}]},
}
USABLE: Final = """
(() => {
  const found = () => document.querySelector('main h1') && document.querySelector('main button:not([disabled])');
  const watch = new MutationObserver(() => {
    if (!found()) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.__usable = performance.now())));
  });
  watch.observe(document, { childList: true, subtree: true });
})();
"""
"""The page can be used when a frame with a heading and an enabled button has been painted."""


class Loaded:
    """The bytes of response bodies, by kind of file."""

    def __init__(self, session: CDPSession) -> None:
        self._began_with: dict[str, tuple[str, int]] = {}
        self.bytes: dict[str, int] = {}
        session.on("Network.responseReceived", self._began)
        session.on("Network.loadingFinished", self._ended)
        session.send("Network.enable")

    def _began(self, event: dict[str, Any]) -> None:
        self._began_with[event["requestId"]] = event["type"], int(event["response"]["encodedDataLength"])  # of its headers

    def _ended(self, event: dict[str, Any]) -> None:
        kind, headers = self._began_with.get(event["requestId"], ("", 0))
        self.bytes[kind] = self.bytes.get(kind, 0) + max(int(event["encodedDataLength"]) - headers, 0)

    @property
    def code(self) -> int:
        """Return the bytes of JavaScript and CSS."""
        return self.bytes.get("Script", 0) + self.bytes.get("Stylesheet", 0)


def visit(chromium: Browser, url: str, game: str) -> tuple[int, int, float, int, float]:
    """Return the bytes of code of the start page and with a table, and the seconds until it can be
    used.

    The last two values are the bytes and the seconds of a later visit."""
    context = chromium.new_context(base_url=url, viewport={"width": 360, "height": 740}, service_workers="block")
    context.add_init_script(USABLE)
    page = context.new_page()
    loaded = Loaded(slowed(page))
    seconds = usable(page, "/")
    page.wait_for_load_state("networkidle")
    first = loaded.code
    answer = page.request.post("/api/tables", data={"setup": GAMES[game], "name": "Anna"})
    usable(page, f"/tables/{answer.json()['table']}")
    page.locator("[data-main]").wait_for()  # wait for the dice
    page.wait_for_load_state("networkidle")
    both = loaded.code
    loaded.bytes.clear()
    again = usable(page, "/")
    page.wait_for_load_state("networkidle")
    bytes_again = loaded.code
    context.close()
    return first, both, seconds, bytes_again, again


def usable(page: Page, place: str) -> float:
    page.goto(place)
    page.wait_for_function("() => window.__usable")
    return float(page.evaluate("window.__usable")) / 1000


def main() -> None:
    with browser() as (chromium, url):
        for game in GAMES:
            visits = [visit(chromium, url, game) for _ in range(RUNS)]
            first, both, _, again_bytes, _ = visits[-1]
            seconds, again = (sorted(visit[at] for visit in visits) for at in (2, 4))
            print(
                f"first visit, {game}: {both / 1000:.1f} kB of JavaScript and CSS as sent "
                f"({first / 1000:.1f} kB for the start page; "
                f"at most {BYTES / 1000:.0f} wanted), usable after {median(seconds):.2f} s "
                f"with the processor slowed {SLOWER} times "
                f"(worst of {RUNS}: {seconds[-1]:.2f} s; at most {SECONDS:.0f} s wanted)"
            )
            print(f"later: {again_bytes / 1000:.1f} kB, usable after {median(again):.2f} s")


if __name__ == "__main__":
    main()
