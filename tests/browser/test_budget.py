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
SOUNDS = ("TableSounds-", "synthesis-")
"""Files that a table loads after the first tap. A script of Playwright counts as one."""
BUNDLE = 26_000
"""Bytes of the largest file, compressed; the weights of the dice reader are larger."""
WEIGHTS = "weights-"
READER = 200_000
"""Compressed bytes of everything that reads dice from the camera."""
READER_FILES = ("CameraDialog-", "diceWorker-", WEIGHTS)
SOLITAIRE: Json = {"game": "yamm(players=1)", "seats": [{}]}


def headers_of(request: Request) -> dict[str, str]:
    response = request.response()
    assert response is not None
    return response.all_headers()


@sweep("setup", [AGAINST_COMPUTER, SOLITAIRE], ids=["Yam Master", "Yamm"])
def test_a_first_visit_is_light(page: Page, setup: Json) -> None:
    asked: list[Request] = []

    def finished(request: Request) -> None:
        asked.append(request)

    page.on("requestfinished", finished)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/")
    expect(page.locator("main button").first).to_be_visible()
    table(page, setup)
    expect(page.locator("[data-main]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes: dict[str, int] = {}
    for request in asked.copy():  # headers are waited for, meanwhile more may come
        name = request.url.rpartition("/")[2]
        if name.endswith((".js", ".css")) and not name.startswith(SOUNDS):
            # A file that is asked for again comes from the browser's cache.
            sizes.setdefault(name, int(headers_of(request)["content-length"]))
    assert {name.partition("-")[0] for name in sizes} >= {"index", "base", "start", "table"}
    assert sum(sizes.values()) <= FIRST_VISIT, sizes


def packed_sizes() -> dict[str, int]:
    """Return the compressed bytes of every file that a page of this version may load."""
    if not (BUILT / "sw.js").is_file():
        pytest.skip("the client is not built: make ui")
    listed = re.search(r"new Set\((\[.*?\])\)", (BUILT / "sw.js").read_text("utf-8"))
    assert listed is not None
    files = [BUILT / name.removeprefix("/") for name in json.loads(listed[1])]
    assert files
    packed = {file.name: file.with_name(f"{file.name}.br") for file in files}
    return {name: (path if path.is_file() else path.with_suffix("")).stat().st_size for name, path in packed.items()}


def test_no_file_is_heavy() -> None:
    assert {name: size for name, size in packed_sizes().items() if size > BUNDLE and not name.startswith(WEIGHTS)} == {}


def test_the_reader_of_dice_is_light() -> None:
    sizes = {name: size for name, size in packed_sizes().items() if name.startswith(READER_FILES)}
    assert {name.partition("-")[0] for name in sizes} == {name.removesuffix("-") for name in READER_FILES}
    assert sum(sizes.values()) <= READER, sizes
