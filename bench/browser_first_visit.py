"""Transferred bytes and time until the page is usable, for a first and a second visit.

The server runs on the same machine, and the browser's processor is slowed down four times. The
goals for a first visit are at most 90 kB of compressed JavaScript and CSS for the start page and a
table together, and a usable page within one second. The second visit uses the browser's cache.
"""

from statistics import median
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page

from bench._browser import SLOWDOWN, browser, slowed

RUNS: Final = 5
MAX_BYTES: Final = 90_000
"""Goal for the bytes of JavaScript and CSS of a first visit."""
MAX_SECONDS: Final = 1.0
"""Goal for the seconds until the page is usable at a first visit."""
GAMES: Final = {
    "Yam Master": {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]},
    "Yamm": {"game": "yamm(players=1)", "seats": [{}]},
}
WATCH_USABLE: Final = """
(() => {
  const found = () => document.querySelector('main h1') && document.querySelector('main button:not([disabled])');
  const watch = new MutationObserver(() => {
    if (!found()) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => console.debug(`usable ${performance.now()}`)));
  });
  watch.observe(document, { childList: true, subtree: true });
})();
"""
"""Script that tells on the console when the page became usable, in milliseconds.

A page is usable when a frame with a heading and an enabled button has been painted. Its event
handlers are attached by then. The console is used because a script that Playwright evaluates
counts as a tap, after which a table loads its sounds.
"""


class Transfer:
    """Bytes of the response bodies that came over the network, by type of resource."""

    def __init__(self, session: CDPSession) -> None:
        self._requests: dict[str, tuple[str, int]] = {}
        self.bytes: dict[str, int] = {}
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFinished", self._on_finished)
        session.send("Network.enable")

    def _on_response(self, event: dict[str, Any]) -> None:
        # At this event `encodedDataLength` counts the headers only.
        self._requests[event["requestId"]] = event["type"], int(event["response"]["encodedDataLength"])

    def _on_finished(self, event: dict[str, Any]) -> None:
        kind, headers = self._requests.get(event["requestId"], ("", 0))
        self.bytes[kind] = self.bytes.get(kind, 0) + max(int(event["encodedDataLength"]) - headers, 0)

    @property
    def code(self) -> int:
        """The bytes of JavaScript and CSS."""
        return self.bytes.get("Script", 0) + self.bytes.get("Stylesheet", 0)


class Visits(NamedTuple):
    """Measurements of a first and a second visit with one browser profile."""

    start_code: int
    """Bytes of JavaScript and CSS for the start page."""
    code: int
    """Bytes of JavaScript and CSS for the start page and a table together."""
    seconds: float
    """Time until the start page was usable."""
    bytes_again: int
    """Bytes of all kinds that the second visit of the start page transferred."""
    seconds_again: float
    """Time until the start page was usable at the second visit."""


def visit(chromium: Browser, url: str, game: str) -> Visits:
    """Open the start page, a table of `game` and the start page again in a fresh profile."""
    context = chromium.new_context(base_url=url, viewport={"width": 360, "height": 740}, service_workers="block")
    context.add_init_script(WATCH_USABLE)
    page = context.new_page()
    transfer = Transfer(slowed(page))
    seconds = usable(page, "/")
    page.wait_for_load_state("networkidle")
    start_code = transfer.code
    answer = page.request.post("/api/tables", data={"setup": GAMES[game], "name": "Anna"})
    usable(page, f"/tables/{answer.json()['table']}")
    page.wait_for_load_state("networkidle")
    code = transfer.code
    transfer.bytes.clear()
    seconds_again = usable(page, "/")
    page.wait_for_load_state("networkidle")
    bytes_again = transfer.code
    context.close()
    return Visits(start_code, code, seconds, bytes_again, seconds_again)


def usable(page: Page, path: str) -> float:
    """Open a path and return the seconds until the page is usable."""
    with page.expect_console_message(lambda message: message.text.startswith("usable ")) as told:
        page.goto(path)
    return float(told.value.text.split()[1]) / 1000


def main() -> None:
    """Print the measurements of a first and a second visit for each game."""
    with browser() as (chromium, url):
        for game in GAMES:
            visits = [visit(chromium, url, game) for _ in range(RUNS)]
            last = visits[-1]
            seconds = [each.seconds for each in visits]
            seconds_again = [each.seconds_again for each in visits]
            print(
                f"first visit, {game}: {last.code / 1000:.1f} kB of JavaScript and CSS as sent "
                f"({last.start_code / 1000:.1f} kB for the start page; goal: at most {MAX_BYTES / 1000:.0f}), "
                f"usable after {median(seconds):.2f} s with the processor slowed down {SLOWDOWN} times "
                f"(worst of {RUNS}: {max(seconds):.2f} s; goal: at most {MAX_SECONDS:.0f} s)"
            )
            print(f"second visit: {last.bytes_again / 1000:.1f} kB, usable after {median(seconds_again):.2f} s")


if __name__ == "__main__":
    main()
