"""The devices that are signed in: their list in the settings, and signing them out."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Faults, axe, overflow, table
from tests.sweep import in_step

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "user_agent": "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36",
}


def joined(first: Page, page: Page) -> Page:
    """Open the start page as the person of the first page, and return the page."""
    page.goto("/")
    secret = first.request.post("/api/transfers").json()["secret"]
    assert page.request.post("/api/transfers/redeem", data={"secret": secret}).ok
    return page


def devices(page: Page, *, menu: bool = False) -> Locator:
    """Open the settings and return the entries of the devices."""
    if menu:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    entries = page.get_by_role("dialog").locator("li[data-device]")
    expect(entries.first).to_be_visible()
    return entries


@pytest.mark.slow
def test_a_person_signs_another_device_out(new_page: NewPage, faults: Faults) -> None:
    laptop = new_page()
    laptop.goto("/")
    made = table(laptop)
    phone = joined(laptop, new_page(**PHONE))
    phone.goto(f"/tables/{made['table']}")
    expect(phone.get_by_role("heading", name="Yam Master")).to_be_visible()
    laptop.goto("/")
    entries = devices(laptop)
    expect(entries).to_have_count(2)
    expect(entries.first).to_contain_text("this device")
    other = entries.filter(has_text="Chrome, Android")
    expect(other).to_contain_text("last seen")
    other.get_by_role("button", name="Sign out: Chrome, Android").click()
    expect(other.get_by_role("button", name="No")).to_be_focused()
    faults.allow("404|401")
    other.get_by_role("button", name="Sign out", exact=True).click()
    expect(entries).to_have_count(1)
    laptop.wait_for_function("() => window.__said.includes('Signed out.')")
    expect(phone.get_by_text("This device was signed out")).to_be_visible()
    assert laptop.request.get(f"/api/tables/{made['table']}").ok
    assert phone.request.get(f"/api/tables/{made['table']}").status == 404


def test_a_person_signs_this_device_out(new_page: NewPage) -> None:
    page = new_page(**PHONE)
    page.goto("/")
    made = table(page)
    page.goto("/")
    (own,) = devices(page, menu=True).all()
    own.get_by_role("button", name="Sign out").click()
    expect(own).to_contain_text("you cannot return to your games")
    with page.expect_navigation():
        own.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.request.get(f"/api/tables/{made['table']}").status == 404


@pytest.mark.slow
@in_step(language=["de-CH", "en-GB", "fr-CH"], width=[360, 1280])
def test_the_list_fits_and_can_be_read_by_all(new_page: NewPage, language: str, width: int) -> None:
    first = new_page()
    first.goto("/")
    table(first)
    first.request.post("/api/tokens")
    page = joined(first, new_page(locale=language, viewport={"width": width, "height": 740}))
    if width == PHONE["viewport"]["width"]:
        page.get_by_role("button", name=re.compile("Menu|Menü")).click()
    page.get_by_role("button", name=re.compile("Settings|Einstellungen|Réglages")).click()
    entries = page.get_by_role("dialog").locator("li[data-device]")
    expect(entries).to_have_count(3)
    page.locator("section .all button").click()
    expect(page.locator("[data-no]")).to_be_focused()
    page.locator("section .all").scroll_into_view_if_needed()
    assert overflow(page) <= 0
    assert axe(page) == []
