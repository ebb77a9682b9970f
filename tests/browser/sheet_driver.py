"""Helpers for the tests of the sheet of Yamm: tables, cells, and ways to choose them."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import Json, table

FULL: Final = "3,6,9,12,15,18,25,20,31,45,50"
"""A full column in the notation of a position."""
TWELVE_LEFT: Final = "/".join(
    [
        *(FULL, FULL, "3,6,9,12,15,.6"),
        *(FULL, FULL, ".3,12,15,18,25,20,31,45,50"),
        *("3,6,9,12,15,18,25,20,31,45,.1", "3,6,9,12,15,18,.1,24,31,45,50", "3,6,9,12,15,18,25,20,.2,50~f3.ST=2:12345"),
    ]
)
"""d3 from 6 down, u3 from 3 up, f1.Y, f2.H beside a Tief of 24, f3.FH; f3.ST is wet."""
EXPLAINED: Final = "/".join(
    [
        *("1,.10", FULL, FULL, ".8,31,45,50", FULL, FULL, ".1,6,.9", "x,6,9,12,15,18,25,20,31,45,50"),
        "3,6,9,12,15,18,25,20,31,.1,50~f3.ST=2:12345",
    ]
)
"""A sheet with cells of each kind; f3.ST is wet."""
ALONE: Final[Json] = {"game": "yamm(players=1)", "seats": [{}], "start": f"{TWELVE_LEFT} 0:????? 88"}
REAL: Final[Json] = ALONE | {"dice": "table"}
"""One person with `TWELVE_LEFT`, with dice of the server and with real dice."""


def pair_of_sheets(other: str = TWELVE_LEFT) -> str:
    """Return a position with two sheets, `TWELVE_LEFT` and another one."""
    return f"{TWELVE_LEFT}|{other} 0:????? 175"


def sit(page: Page, setup: Json, *names: str) -> Json:
    """Make a table with these people on this device, and wait for the sheet."""
    made = table(page, setup, seats=[{"seat": seat, "name": name} for seat, name in enumerate(names or ("Anna",))])
    expect(page.get_by_role("grid").first).to_be_visible()
    return made


def cell(page: Page, name: str) -> Locator:
    """Return a place of the sheet, or its button."""
    return page.locator(f"[data-cell='{name}']")


def box(page: Page, name: str) -> Json:
    """Return the rectangle of a cell in the window, in px."""
    found: Json = cell(page, name).evaluate("cell => cell.closest('td').getBoundingClientRect().toJSON()")
    return found


def sheet_of(page: Page, *names: str) -> Locator:
    """Return the sheet of a person or of a pair."""
    return page.get_by_role("grid", name="Sheet of " + " & ".join(f"\u2068{name}\u2069" for name in names), exact=True)


def open_cells(page: Page) -> list[str]:
    """Return the names of the cells that can be written now, in the order of the page."""
    return [each.get_attribute("data-cell") or "" for each in page.locator("td.open button").all()]


def focused(page: Page) -> str | None:
    """Return the name of the cell with the focus, `None` if it is elsewhere."""
    found: str | None = page.evaluate("document.activeElement.dataset.cell ?? null")
    return found


def wet(page: Page) -> Locator:
    """Return the cells whose result can still be moved."""
    return page.locator(".wet[data-cell]")


def throw(page: Page, dice: str) -> None:
    """Enter the faces of real dice by keys, once the page has loaded what enters them."""
    expect(page.locator(".slots")).to_be_visible()
    page.keyboard.type(dice)
    expect(page.locator("td.open").first).to_be_visible()


def go_to(page: Page, wanted: str) -> None:
    """Go through the open cells by keys."""
    for _ in range(20):
        page.keyboard.press("n")
        if focused(page) == wanted:
            return
    raise AssertionError(wanted)


def throw_first(page: Page) -> None:
    """Throw with the dice of the server until cells can be written."""
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator("td.open").first).to_be_visible()
    expect(page.locator("[data-main]")).to_have_attribute("aria-disabled", "false")


def answer(page: Page, chosen: str, press: Callable[[Locator], None]) -> None:
    """Wait until a chosen cell is written, and agree to a strike if the page asks."""
    yes = page.locator("[data-yes]").or_(page.get_by_role("button", name="Strike both"))
    written = wet(page).and_(cell(page, chosen)).or_(page.get_by_text("Game over"))
    expect(written.or_(yes).first).to_be_visible()
    if yes.is_visible():
        press(yes)
        expect(written.first).to_be_visible()


def into_the_sheet(page: Page) -> None:
    """Press Tab until a cell has the focus."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if focused(page):
            return
    raise AssertionError
