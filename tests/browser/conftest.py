"""Fixtures for tests in Chromium against a real server that serves the built client.

    from tests.browser.harness import axe, command, overflow, announcements, table, view

    def test_something(page: Page) -> None:      # desktop, English; `phone` is 360 × 740 with touch
        made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
        page.get_by_role("button", name="Throw").click()
        assert announcements(page) == [...]
        assert axe(page) == []

`new_page(...)` is the browser of another person (options of a Playwright context, such as
`locale="de-CH"`); `faults.allow(GONE)` where a test breaks a connection; `own_server` may be ended
and started again. A test fails on any error of a page or on its console, and on any request to
another host.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from dicecup.web.app_files import BUILT
from tests.browser.harness import AXE, INSTANT, LISTEN, NEIGHBOUR, SECONDS, Faults, Server

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Without the parts for a screen, Chromium takes half the time."""
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
expect.set_options(timeout=1000 * SECONDS)


class NewPage(Protocol):
    def __call__(self, at: Server | None = None, pace: str = "instant", **options: Any) -> Page: ...


def needed() -> str:
    """Return the program of the browser. Skip the test where the browser or the built client is
    missing."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: install the package `chromium-headless-shell`")
    if not (BUILT / "index.html").is_file() or not AXE.is_file():
        pytest.skip("the client is not built: make ui")
    return CHROMIUM


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of this process."""
    needed()
    served = Server(tmp_path_factory.mktemp("server"))
    served.start()
    yield served
    served.end()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that the test may end and start."""
    needed()
    served = Server(tmp_path)
    served.start()
    yield served
    served.end()


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    executable = needed()
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        # no other host is reachable; NEIGHBOUR is this machine
        options = [f"--host-resolver-rules=MAP {NEIGHBOUR} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]
        if os.name == "posix" and os.geteuid() == 0:
            options.append("--no-sandbox")
        browser = playwright.chromium.launch(executable_path=executable, args=options)
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser, with the event loop of Playwright set as running for this test only. Async tests
    have loops of their own."""
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def faults() -> Iterator[Faults]:
    found = Faults()
    yield found
    assert found.left == []


@pytest.fixture
def new_page(browser: Browser, server: Server, faults: Faults) -> Iterator[NewPage]:
    """A function that opens a page of a new person, on the given server or the shared one.

    Actions of others are shown at once, nothing moves, and no question is asked before a pass or a
    Défi. With `pace="normal"` the page has the settings of a new device."""
    contexts: list[BrowserContext] = []

    def make(at: Server | None = None, pace: str = "instant", **options: Any) -> Page:
        usual = {
            "base_url": (at or server).url,
            "locale": "en-GB",
            "service_workers": "block",  # stored pages would hide the answers of the server
            "viewport": {"width": 1280, "height": 800},
            "reduced_motion": "reduce" if pace == "instant" else "no-preference",
        }
        context = browser.new_context(**(usual | options))
        contexts.append(context)
        context.set_default_timeout(1000 * SECONDS)
        context.add_init_script(LISTEN)
        if pace == "instant":
            context.add_init_script(INSTANT)
        faults.watch(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page of a new person: 1280 × 800, English."""
    return new_page()


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    """A page of a new person on a phone in portrait: 360 × 740, touch."""
    return new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, device_scale_factor=2)
