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
"""How many times the processor is slowed, as a phone's is slower than the computer that
measures."""


@contextmanager
def browser() -> Iterator[tuple[Browser, str]]:
    """A browser, and the URL of a server with the built client."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("no Chromium")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=options)
        yield started, server.url
        started.close()


def slowed(page: Page, times: int = SLOWER) -> CDPSession:
    """The page's connection to the browser's own tools; its processor is slower from now on."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})
    return session
