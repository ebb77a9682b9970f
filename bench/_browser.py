"""Chromium and a server for the figures of the browser client."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from threading import Event, Thread
from typing import Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench._server import served

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
SLOWDOWN = 4
"""Factor by which the processor is slowed down to imitate the processor of a phone."""
SLICE: Final = 0.004
"""Seconds for which a slowed process runs before it is stopped."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium. Raises `SystemExit` where it is not installed."""
    executable = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if executable is None:
        raise SystemExit("Chromium is not installed")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=options)
        yield started
        started.close()


@contextmanager
def browser() -> Iterator[tuple[Browser, str]]:
    """Start Chromium and a server with the built client; yield the browser and the server's URL.

    Raises `SystemExit` where Chromium is not installed.
    """
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, chromium() as started:
        yield started, server.url


def slowed(page: Page, factor: int = SLOWDOWN) -> CDPSession:
    """Slow down the processor of a page by a factor; return the DevTools session that does so."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": factor})
    return session


def processes(browser: Browser, kind: str) -> list[int]:
    """Return the processes of a kind."""
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return [each["id"] for each in found if each["type"] == kind]


@contextmanager
def slowed_processes(numbers: list[int]) -> Iterator[None]:
    """Let processes run for a quarter of the time."""
    over = Event()

    def slow() -> None:
        while not over.is_set():
            for number in numbers:
                os.kill(number, SIGSTOP)
            time.sleep(SLICE * (SLOWDOWN - 1))
            for number in numbers:
                os.kill(number, SIGCONT)
            time.sleep(SLICE)

    thread = Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
