"""The language, the menu of a phone, and the link for a second device."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import announcements, axe, table
from tests.browser.start_driver import card


def test_the_language_changes_at_once_everywhere(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Deutsch").check()
    expect(page.get_by_role("dialog", name="Einstellungen")).to_be_visible()
    expect(card(page, "Yamm")).to_contain_text("Gegen den Computer")
    assert page.evaluate("document.documentElement.lang") == "de"
    page.get_by_role("radio", name="Dunkel").check()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 22, 20)"
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Einstellungen")).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Einstellungen")).to_be_visible()


def test_the_menu_of_a_phone_opens_and_closes(phone: Page) -> None:
    phone.goto("/")
    menu = phone.get_by_role("button", name="Menu")
    expect(menu).to_have_attribute("aria-expanded", "false")
    menu.tap()
    expect(menu).to_have_attribute("aria-expanded", "true")
    phone.keyboard.press("Escape")
    expect(menu).to_be_focused()
    menu.tap()
    phone.get_by_role("navigation").get_by_role("link", name="Rules").tap()
    expect(menu).to_have_attribute("aria-expanded", "false")
    phone.wait_for_url("**/rules")


@pytest.mark.slow
def test_a_link_signs_in_a_second_device_once(page: Page, new_page: NewPage) -> None:
    made = table(page)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Create a link").click()
    expect(page.get_by_text("This link works on this device only")).to_be_visible()
    field = page.get_by_role("textbox", name="Link for the other device")
    expect(field).to_be_focused()
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    other, late = new_page(), new_page()
    other.goto(field.input_value())
    button = other.get_by_role("button", name="Link this device")
    expect(button).to_be_visible()
    assert other.request.get("/api/tables").json()["tables"] == []
    assert axe(other) == []
    button.click()
    expect(other.locator(f'a[href="/tables/{made["table"]}"]')).to_be_visible()
    assert announcements(other) == ["This device is linked."]
    assert "#" not in other.url
    late.goto(field.input_value())
    late.get_by_role("button", name="Link this device").click()
    expect(late.locator("main .bad")).to_contain_text("no longer valid")
    expect(late.get_by_text("Create a new link on the other device")).to_be_visible()
    late.get_by_role("link", name="To the home page").click()
    expect(card(late, "Yamm")).to_be_visible()
