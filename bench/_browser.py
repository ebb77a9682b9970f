"""Chromium and a server, for figures of the browser client."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench._server import served

SLOWER = 4
"""The factor by which the processor is slowed, to measure as on a phone."""


@contextmanager
def browser() -> Iterator[tuple[Browser, str]]:
    """Yield a browser, and the URL of a server with the built client."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("no Chromium")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=options)
        yield started, server.url
        started.close()


def slowed(page: Page, times: int = SLOWER) -> CDPSession:
    """Slow the processor of a page, and return its connection to the developer tools."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})
    return session
