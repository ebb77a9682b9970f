"""Chromium and a server for the figures of the browser client."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench._server import served

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
SLOWDOWN = 4
"""Factor by which the processor is slowed down to imitate the processor of a phone."""


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
