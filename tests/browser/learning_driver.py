"""What the tests of hints, review and trainer share: a record, windows, the rectangles of elements,
and questions to the server."""

from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.harness import Json

PATIENCE = 240_000
"""Milliseconds. The first analysis waits for the start of the worker processes."""

REAL_DICE: Json = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "dice": "table", "first": 0}

SIZES = [(320, 568), (360, 740), (740, 360), (1440, 900)]
"""Windows in which one screen holds a position and what belongs to it."""

RECORD = """[Game "yam-master"]
[X "Anna"]
[O "Ben"]
[Dice "table"]
[Result "x 0-0"]
[End "line"]

1. 11166 a1
2. 13466 k66 ~ 12366 k66 66666 c3
3. 23344 k33 33345 b1
4. 12345 b4
5. 22446 k44 34446 d1
6. 22333 !k333 13333 d3
7. 55566 k66 26666 e1
8. 13456 !k3456 13456 k3456 33456 --
9. 12346 !k1234 12345 c1
"""


def per_cent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}%"


Box = tuple[float, float, float, float]


def box(part: Locator) -> Box:
    """Return left, top, right and bottom of an element in px of the window."""
    found = part.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def within(part: Locator, size: tuple[int, int]) -> bool:
    """Return whether an element lies completely in a window that is not scrolled."""
    left, top, right, bottom = box(part)
    return left >= -1 and top >= -1 and right <= size[0] + 1 and bottom <= size[1] + 1


def asked(page: Page, path: str, **body: Any) -> Json:
    answer = page.request.post(f"/api/{path}", data=body, timeout=PATIENCE)
    assert answer.ok, answer.text()
    found: Json = answer.json()
    return found
