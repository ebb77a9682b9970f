"""Keys on the sheet of Yamm."""

from playwright.sync_api import Page, expect

from tests.browser.harness import view
from tests.browser.sheet_driver import ALONE, REAL, answer, focused, into_the_sheet, open_cells, sit, throw, throw_first, wet


def test_arrows_lead_through_the_sheet(page: Page) -> None:
    sit(page, REAL)
    throw(page, "66655")
    into_the_sheet(page)
    assert focused(page) == "d3.6"
    for key, there in [
        ("ArrowDown", "d3.ZT"),
        ("ArrowDown", "d3.H"),
        ("ArrowLeft", "d2.H"),
        ("Home", "d1.H"),
        ("End", "f3.H"),
        ("ArrowRight", "f3.H"),
        ("Control+Home", "d1.1"),
        ("ArrowUp", "d1.1"),
        ("Control+End", "f3.total"),
        ("n", "d3.6"),
        ("n", "u3.3"),
    ]:
        page.keyboard.press(key)
        assert focused(page) == there, key
    assert len(page.locator("[data-cell][tabindex='0']").all()) == 1


def test_a_key_on_a_cell_throws_and_does_not_write(page: Page) -> None:
    made = sit(page, ALONE)
    throw_first(page)
    into_the_sheet(page)
    page.keyboard.press("Space")
    expect(page.get_by_text("1 throw left")).to_be_visible()
    assert view(page, made)["turn"]["throws"] == 2
    chosen = focused(page)
    assert chosen in open_cells(page)
    page.keyboard.press("Enter")
    answer(page, chosen, lambda yes: yes.press("Enter"))
    expect(wet(page)).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_text("2 throws left")).to_be_visible()
    expect(page.get_by_role("button", name="Leave it there")).to_be_hidden()


def test_keys_reach_the_sheet_from_anywhere(page: Page) -> None:
    sit(page, REAL)
    throw(page, "66655")
    assert focused(page) is None
    page.keyboard.press("n")
    assert focused(page) == "d3.6"
    page.keyboard.press("n")
    assert focused(page) == "u3.3"
    page.get_by_role("button", name="Table").focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == "u3.3"
    page.get_by_role("button", name="Table").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("n")
    assert focused(page) is None
