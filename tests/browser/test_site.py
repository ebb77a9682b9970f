"""The docs site: it builds without a warning, its links lead somewhere, it asks no other host, it
is accessible, and its search finds words in each language."""

import os
import re
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from docs.site.pages import LANGUAGES
from tests.browser.conftest import needed
from tests.browser.harness import SECONDS, Faults, axe, overflow

pytestmark = pytest.mark.slow

PAGES = (
    "{language}/index.html",
    "{language}/first-steps-yamm.html",
    "{language}/rules-yam-master.html",
    "{language}/rules-yamm.html",
    "{language}/club-night.html",
)
FOR_PROGRAMMERS = (
    "en/protocol.html",
    "en/http.html",
    "en/websockets.html",
    "en/figures.html",
    "en/analysis.html",
    "en/decisions/index.html",
    "api/dicecup.html",
)
FOUND = {
    "en": ("challenges", "Rules of Yam Master"),
    "de": ("Würfeln", "Mit echten Würfeln spielen"),
    "fr": ("pions", "Règles de Yam Master"),
}
"""A word in another form than the pages have it, and a page that holds it."""


class Quiet(SimpleHTTPRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name of the base class)
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site. The first process of a run that needs it builds it for all."""
    pytest.importorskip("sphinx", reason="Sphinx is not installed: make site")
    fcntl = pytest.importorskip("fcntl", reason="this system has no locks that processes share")
    needed()
    from docs.site.build import build

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "site" / "index.html").is_file():  # among the last files of a build
            build(shared / "site")
    return shared / "site"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of a server of the site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def visit(browser: Browser, faults: Faults, address: str, scheme: str, width: int) -> Page:
    context = browser.new_context(
        base_url=address,
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 740},
    )
    context.set_default_timeout(1000 * SECONDS)
    faults.watch(context)
    return context.new_page()


class Links(HTMLParser):
    """The ids of a page, its links, and what it loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            elif name in ("href", "src", "srcset", "action", "data", "poster") and value is not None:
                (self.links if tag == "a" else self.loaded).append(value)


def test_every_link_leads_somewhere_and_nothing_comes_from_another_host(site: Path) -> None:
    pages = {file: Links(file) for file in site.rglob("*.html")}
    assert len(pages) > 100
    dead: list[str] = []
    for file, page in pages.items():
        dead += [f"{file}: two elements {each}" for each in page.ids if page.ids.count(each) > 1]
        dead += [
            f"{file}: loads {each}"
            for each in page.loaded
            if urlsplit(each).scheme not in ("", "data") or urlsplit(each).netloc
        ]
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            to = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            anchor = unquote(parts.fragment)
            if not parts.scheme and (not to.is_file() or (anchor and to in pages and anchor not in pages[to].ids)):
                dead.append(f"{file}: {link}")
    for style in site.rglob("*.css"):
        dead += [f"{style}: {each}" for each in re.findall(r"url\(([^)]*)\)|@import", style.read_text("utf-8")) if "//" in each]
    assert dead == []


def test_pages_are_accessible_and_ask_no_other_host(browser: Browser, faults: Faults, address: str) -> None:
    """Each page is visited once: pages of a language alternate between light and dark, phone and
    desktop, and each combination occurs."""
    looks = [("light", 1280), ("dark", 360), ("dark", 1280), ("light", 360)]
    names = [name.format(language=language) for language in LANGUAGES for name in PAGES] + list(FOR_PROGRAMMERS)
    found: list[str] = []
    for scheme, width in looks:
        page = visit(browser, faults, address, scheme, width)
        for name in names[looks.index((scheme, width)) :: len(looks)]:
            page.goto(name)
            found += [f"{name} ({scheme}): {each}" for each in axe(page)]
            found += [f"{name}: wider than {width}"] if overflow(page) else []
        page.context.close()
    assert found == []


def test_the_search_finds_a_word_in_each_language(browser: Browser, faults: Faults, address: str) -> None:
    page = visit(browser, faults, address, "light", 1280)
    for language, (word, title) in FOUND.items():
        page.goto(f"{language}/index.html")
        page.get_by_role("searchbox").fill(word)
        page.keyboard.press("Enter")
        expect(page.locator("#search-results").get_by_role("link", name=title).first).to_be_visible()
        assert axe(page) == []
    page.context.close()


def test_the_search_of_the_api_reference_has_a_heading(browser: Browser, faults: Faults, address: str) -> None:
    page = visit(browser, faults, address, "light", 1280)
    page.goto("api/dicecup.html")
    page.get_by_role("searchbox").fill("roll")
    expect(page.locator(".search-result").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Search the API reference")
    assert axe(page) == []
    page.context.close()


def test_the_first_page_opens_the_language_of_the_browser(browser: Browser, faults: Faults, address: str) -> None:
    context = browser.new_context(base_url=address, locale="de-CH")
    faults.watch(context)
    page = context.new_page()
    page.goto("index.html")
    page.wait_for_url("**/de/index.html")
    page.get_by_role("link", name="Français").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dicecup")
    assert page.evaluate("document.documentElement.lang") == "fr"
    context.close()
