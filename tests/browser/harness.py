"""Helpers for the tests of the browser client: a server process, tables, announcements, axe."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, expect

Json = dict[str, Any]
TOP: Final = Path(__file__).parent.parent.parent
AXE: Final = TOP / "ui" / "node_modules" / "axe-core" / "axe.min.js"
SECONDS: Final = 90
"""Timeout of every wait. It is generous, since the cores may be busy with other work."""
AGAINST_COMPUTER: Final[Json] = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]}
LIMITS: Final = {
    "DICECUP_MESSAGES_PER_SECOND": "100000",
    "DICECUP_MESSAGES_PER_ADDRESS": "100000",
    "DICECUP_CONNECTIONS_PER_ADDRESS": "100000",
    "DICECUP_PROCESSES": "1",
    "DICECUP_REQUESTS_PER_SECOND": "1000000",
    "DICECUP_TABLES_PER_IDENTITY": "1000000",
}
"""Settings that keep the limits of the server out of the tests."""
RETRIES: Final = 2
"""Requests after one whose connection the server had just ended, because it was idle."""
NEIGHBOUR: Final = "dicecup.local"
"""A host name without the privileges of localhost, as `http://192.168.…`."""
GONE: Final = r"^console: (WebSocket connection|Failed to load resource: net::)"
"""Errors of the console after a server has ended or the network has failed."""
LISTEN: Final = """
(() => {
  const announcements = (window.__said = []);
  const heard = (node) => {
    if (!(node instanceof Element ? node : node.parentElement)?.closest('[data-live]')) return;
    const text = node.textContent.trim();
    if (text) announcements.push(text);
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(heard);
  }).observe(document, { childList: true, subtree: true });
})();
"""

INSTANT: Final = """
location.host && (localStorage.getItem('dicecup-settings') ??
  localStorage.setItem('dicecup-settings', '{"pace": "instant", "unasked": ["pass", "defi"]}'));
"""
"""Shows actions of others at once and asks nothing before a pass or a Défi, unless settings are
stored already."""

STILL: Final = """
(async () => {
  for (;;) {
    const moving = document.getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    if (!moving.length) return;
    for (const animation of moving) animation.finish();
    await new Promise((done) => setTimeout(done));
  }
})()
"""
"""Ends all animations and transitions that end, and those that follow them. Chromium does not
always end the transitions of what is out of sight."""


class Server:
    """`dicecup serve` with its data in a folder. A restart keeps the port. `program` replaces
    `dicecup`."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None, program: Sequence[str] = ()) -> None:
        self.folder = folder
        self.port = 0
        self._environment = os.environ | LIMITS | {"DICECUP_DATA": str(folder)} | dict(environment or {})
        self._program = program or [str(Path(sys.executable).with_name("dicecup"))]
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8")

    def start(self) -> None:
        with (self.folder / "log").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*self._program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--lang", "en"],
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        told = self._process.stdout.readline()
        assert told, self.log
        self.port = int(told.strip().rpartition(":")[2])

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process; SIGKILL simulates a power cut."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.communicate()
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.end(how)
        self.start()


class Faults:
    """Errors of pages and consoles, and requests to other hosts. A test fails on each that it does
    not allow."""

    def __init__(self) -> None:
        self._seen: list[str] = []
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, pattern: str) -> None:
        """Allow faults that match a pattern in this test."""
        self._allowed.append(re.compile(pattern))

    @property
    def left(self) -> list[str]:
        return [fault for fault in self._seen if not any(pattern.search(fault) for pattern in self._allowed)]

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._told)
        context.on("weberror", self._failed)
        context.on("request", self._asked)

    def _told(self, message: ConsoleMessage) -> None:
        place = message.location.get("url", "")
        refused = "Failed to load resource: the server responded" in message.text and "/api/" in place
        if message.type == "error" and not refused:  # a refusal is a regular answer
            self._seen.append(f"console: {message.text} ({place})")

    def _failed(self, error: WebError) -> None:
        self._seen.append(f"page: {error.error}")

    def _asked(self, request: Request) -> None:
        if urlsplit(request.url).scheme not in ("blob", "data") and urlsplit(request.url).hostname not in (
            "127.0.0.1",
            "localhost",  # passkeys need a name
            NEIGHBOUR,
        ):
            self._seen.append(f"elsewhere: {request.url}")


def table(page: Page, setup: Json = AGAINST_COMPUTER, name: str = "Anna", **more: Any) -> Json:
    """Make a table with the person of this page in a seat, go to it and wait until it is shown.
    Return its `table` (id), `join` and `watch` links.

    `more`: other members of the request, such as `seats=[{"seat": 1, "name": "Ben"}]` for people on
    the same device."""
    answer = page.request.post("/api/tables", data={"setup": setup, "name": name} | more)
    assert answer.status == 201, answer.text()
    made: Json = answer.json()
    page.goto(f"/tables/{made['table']}")
    expect(page).to_have_title(re.compile(" · Dicecup$"))  # it is connected: what comes is announced
    return made


def command(page: Page, made: Json, **command: Any) -> int:
    """Send a command over HTTP, as another device of the same person would: `command(page, made,
    type="resign")`. A game that the page has yet to give its seeds to is waited for."""
    place = f"/api/tables/{made['table']}"
    while True:
        number = page.request.get(place, max_retries=RETRIES).json()["number"]
        sent = {"id": f"h{number}", "version": number, "command": command}
        answer = page.request.post(f"{place}/commands", data=sent, max_retries=RETRIES)
        told: Json = answer.json()
        if answer.ok:
            return int(told["number"])
        code = told["error"]["code"]
        assert code in ("stale-version", "game-not-begun"), told  # stale: a computer has acted meanwhile
        if code == "game-not-begun":
            page.wait_for_timeout(20)


def view(page: Page, made: Json) -> Json:
    """Return the view of a table for the person of this page."""
    seen: Json = page.request.get(f"/api/tables/{made['table']}", max_retries=RETRIES).json()["view"]
    return seen


def painted(page: Page) -> None:
    """Wait until the page has handled its messages and painted the result."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def resized(page: Page, width: int, height: int) -> None:
    """Give the window another size and wait until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        """([width, height]) => {
             const { clientWidth, clientHeight } = document.documentElement;
             return clientWidth === width && clientHeight === height;
           }""",
        arg=[width, height],
    )
    painted(page)
    painted(page)  # what the page measures in the first picture changes the next one


def wait_until(page: Page, holds: Callable[[], object]) -> None:
    """Wait until a condition of the test holds, while the page goes on."""
    end = monotonic() + SECONDS
    while not holds():
        assert monotonic() < end
        page.wait_for_timeout(20)


def announcements(page: Page) -> list[str]:
    """Return the announcements since the page was loaded, in order."""
    sentences: list[str] = page.evaluate("window.__said")
    return sentences


def axe(page: Page, *, only: str = "") -> list[str]:
    """Return the findings of axe once nothing moves or fades, one line an element. `only`: a
    selector of the part to check."""
    if only:
        page.locator(only).first.wait_for()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    page.evaluate(STILL)
    found = page.evaluate(
        "async (only) => (await axe.run(only || document, { resultTypes: ['violations'] })).violations",
        only,
    )
    return [f"{rule['id']}: {rule['help']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


def overflow(page: Page) -> int:
    """Return the pixels by which the page is wider than the window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider
