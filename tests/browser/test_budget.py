"""The size of the pages: compressed bytes of a first visit and of every file."""

import json
import re

import pytest
from playwright.sync_api import Page, Request, expect

from dicecup.web.app_files import BUILT
from tests.browser.harness import AGAINST_COMPUTER, Json, table
from tests.sweep import sweep

FIRST_VISIT = 90_000
"""Compressed bytes of JavaScript and CSS for the start page and a first game."""
BUNDLE = 26_000
"""Bytes of the largest file, compressed."""
SOLITAIRE: Json = {"game": "yamm(players=1)", "seats": [{}]}


@sweep("setup", [AGAINST_COMPUTER, SOLITAIRE], ids=["Yam Master", "Yamm"])
def test_a_first_visit_is_light(page: Page, setup: Json) -> None:
    asked: dict[str, Request] = {}

    def finished(request: Request) -> None:
        asked[request.url] = request

    page.on("requestfinished", finished)
    page.goto("/")
    expect(page.locator("main button").first).to_be_visible()
    table(page, setup)
    expect(page.locator("[data-main]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes = {
        url.rpartition("/")[2]: request.sizes()["responseBodySize"]
        for url, request in list(asked.items())
        if url.endswith((".js", ".css"))
    }
    assert any(name.startswith("index-") for name in sizes)
    assert sum(sizes.values()) <= FIRST_VISIT, sizes


def test_no_file_is_heavy() -> None:
    if not (BUILT / "sw.js").is_file():
        pytest.skip("the client is not built: make ui")
    listed = re.search(r"new Set\((\[.*?\])\)", (BUILT / "sw.js").read_text("utf-8"))
    assert listed is not None
    files = [BUILT / name.removeprefix("/") for name in json.loads(listed[1])]
    assert files
    packed = {file.name: file.with_name(f"{file.name}.br") for file in files}
    sizes = {name: (path if path.is_file() else path.with_suffix("")).stat().st_size for name, path in packed.items()}
    assert {name: size for name, size in sizes.items() if size > BUNDLE} == {}
