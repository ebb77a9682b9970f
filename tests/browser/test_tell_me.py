"""The settings of messages while the page is closed, the page of links in mails, and muting."""

import base64
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, needed
from tests.browser.harness import Faults, Server, axe, overflow, table
from tests.sweep import in_step

TELLING = {
    "DICECUP_PUSH_KEY": base64.urlsafe_b64encode(bytes(range(1, 33))).decode().rstrip("="),
    "DICECUP_PUSH_CONTACT": "mailto:host@example.org",
    "DICECUP_PUSH_NETWORKS": "127.0.0.0/8",
    "DICECUP_SMTP": "smtp://127.0.0.1:1",
    "DICECUP_MAIL_FROM": "dice@example.org",
}
SUBSCRIBED = """
    Notification.requestPermission = async () => 'granted';
    let made = null;
    const subscribe = async ({ userVisibleOnly, applicationServerKey }) => (made = {
        endpoint: 'https://127.0.0.1/' + userVisibleOnly + applicationServerKey.length,
        get options() {
            const key = (window.otherKey ?? applicationServerKey).replace(/-/g, '+').replace(/_/g, '/');
            return { applicationServerKey: Uint8Array.from(atob(key), (one) => one.charCodeAt(0)).buffer };
        },
        toJSON() { return { endpoint: this.endpoint, expirationTime: null, keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }; },
        unsubscribe: async () => (made = null, sessionStorage.setItem('unsubscribed', 'yes')),
    });
    const pushManager = { subscribe, getSubscription: async () => made };
    navigator.serviceWorker.getRegistration = async () => ({ pushManager, getNotifications: async () => [] });
"""
"""A push service in the page: the browser of the tests has none."""


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    needed()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    served = Server(tmp_path_factory.mktemp("telling"), TELLING | {"DICECUP_PUBLIC_URL": f"http://127.0.0.1:{port}"})
    served.port = port
    served.start()
    yield served
    served.end()


def opened(new_page: NewPage, at: Server, **options: Any) -> Page:
    page = new_page(at, **options)
    page.add_init_script(SUBSCRIBED)
    page.goto("/")
    return page


def tell_me(page: Page, settings: str = "Settings") -> Locator:
    """Open the settings, behind the menu where the header is narrow."""
    button, menu = (page.get_by_role("button", name=name) for name in (settings, re.compile("Menu|Menü")))
    expect(button.or_(menu).first).to_be_visible()
    if menu.is_visible():
        menu.click()
    button.click()
    section = page.get_by_role("dialog").locator("[data-tell]")
    expect(section).to_be_visible()
    return section


def test_a_server_without_secrets_shows_no_choice(page: Page) -> None:
    page.goto("/")
    with page.expect_response("**/api/notices"):
        page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog").get_by_text("Sign out").first).to_be_visible()
    expect(page.locator("[data-tell]")).to_have_count(0)


@pytest.mark.slow
def test_a_browser_is_told_and_no_longer(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    section = tell_me(page)
    box = section.get_by_role("checkbox", name="Show messages on this device")
    expect(box).not_to_be_checked()
    with page.expect_response("**/api/notices/push"):
        box.check()
    expect(section.get_by_role("heading", name="Quiet hours")).to_be_visible()
    assert len(page.request.get("/api/notices").json()["pushes"]) == 1
    section.get_by_role("checkbox", name="Tell me nothing").check()
    expect(section.get_by_label("From")).to_have_value("22:00")
    with page.expect_response("**/quiet-hours"):
        section.get_by_label("To").fill("07:30")
    assert page.request.get("/api/notices").json()["quiet"]["ends"] == 450
    with page.expect_response("**/api/notices/push/*"):
        box.uncheck()
    expect(section.get_by_role("heading", name="Quiet hours")).to_have_count(0)
    assert page.request.get("/api/notices").json()["pushes"] == []


@pytest.mark.slow
def test_messages_are_off_where_the_server_has_a_new_key(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    name = "Show messages on this device"
    with page.expect_response("**/api/notices/push"):
        tell_me(page).get_by_role("checkbox", name=name).check()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(tell_me(page).get_by_role("checkbox", name=name)).to_be_checked()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.evaluate("window.otherKey = 'BCVxsr7N'")
    box = tell_me(page).get_by_role("checkbox", name=name)
    expect(box).not_to_be_checked()
    page.evaluate("window.otherKey = undefined")
    with page.expect_response("**/api/notices/push"):
        box.check()
    expect(box).to_be_checked()


@pytest.mark.slow
def test_messages_to_other_devices_are_turned_off(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    with page.expect_response("**/api/notices/push"):
        tell_me(page).get_by_role("checkbox", name="Show messages on this device").check()
    page.reload()  # the page has no subscription any more, as on another device
    section = tell_me(page)
    expect(section.get_by_text("Messages go to one other device.")).to_be_visible()
    section.get_by_role("button", name="Turn off there").click()
    expect(section.get_by_role("heading", name="Tell me")).to_be_focused()
    expect(section.get_by_text("other device")).to_have_count(0)
    assert page.request.get("/api/notices").json()["pushes"] == []


@pytest.mark.slow
def test_a_refusal_leaves_the_box_empty(new_page: NewPage, telling: Server, faults: Faults) -> None:
    page = opened(new_page, telling)
    box = tell_me(page).get_by_role("checkbox", name="Show messages on this device")
    page.evaluate("() => { Notification.requestPermission = async () => 'denied'; }")
    box.click()
    expect(page.locator("[data-tell] .notice.bad")).to_contain_text("does not allow notifications")
    expect(box).not_to_be_checked()
    page.evaluate("() => { Notification.requestPermission = async () => 'granted'; }")
    faults.allow("503")
    page.route("**/api/notices/push", lambda route: route.fulfill(status=503))
    with page.expect_response("**/api/notices/push"):
        box.click()
    expect(page.locator("[data-tell]")).to_have_attribute("aria-busy", "false")
    expect(box).not_to_be_checked()


@pytest.mark.slow
def test_quiet_hours_follow_their_person_to_another_time_zone(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    section = tell_me(page)
    section.get_by_role("checkbox", name="Show messages on this device").check()
    expect(section.get_by_role("heading", name="Quiet hours")).to_be_visible()
    hours = {"zone": "Pacific/Auckland", "begins": 1380, "ends": 420}
    assert page.request.put("/api/notices/quiet-hours", data=hours).ok
    page.reload()
    section = tell_me(page)
    expect(section.get_by_text("Times in Pacific/Auckland")).to_be_visible()
    move = section.get_by_role("button", name="Use the time zone of this device")
    assert axe(page) == []
    move.click()
    expect(move).to_have_count(0)
    expect(section.get_by_role("heading", level=3)).to_be_focused()
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert page.request.get("/api/notices").json()["quiet"] == hours | {"zone": zone}


@pytest.mark.slow
def test_equal_times_keep_the_quiet_hours(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    section = tell_me(page)
    section.get_by_role("checkbox", name="Show messages on this device").check()
    section.get_by_role("checkbox", name="Tell me nothing").check()
    section.get_by_label("To").fill("22:00")
    expect(section.get_by_text("The two times are the same.")).to_be_visible()
    assert page.request.get("/api/notices").json()["quiet"]["ends"] == 480
    with page.expect_response("**/quiet-hours"):
        section.get_by_label("To").fill("22:30")
    expect(section.get_by_text("The two times are the same.")).to_have_count(0)


@pytest.mark.slow
def test_the_choices_of_an_unconfirmed_address_are_saved(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    section = tell_me(page)
    section.get_by_label("Mail address").fill("anna@example.org")
    section.get_by_role("button", name="Send the link").click()
    expect(section.get_by_text("A mail is on its way")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as changed:
        section.get_by_role("checkbox", name="One mail a day").check()
    assert changed.value.ok
    (mail,) = page.request.get("/api/notices").json()["mails"]
    assert (mail["daily"], mail["confirmed"]) == (True, False)
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as changed:
        page.get_by_role("radio", name="Deutsch").check()
    assert changed.value.request.post_data_json == {"language": "de"}


@pytest.mark.slow
def test_signing_out_ends_the_subscription_of_the_browser(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    token = page.request.post("/api/tokens").json()["token"]  # the device is listed from now on
    page.reload()
    with page.expect_response("**/api/notices/push"):
        tell_me(page).get_by_role("checkbox", name="Show messages on this device").check()
    entry = page.get_by_role("dialog").locator("li[data-device]").first
    entry.get_by_role("button", name="Sign out").click()
    with page.expect_navigation():
        entry.get_by_role("button", name="Sign out", exact=True).click()
    assert page.evaluate("() => sessionStorage.getItem('unsubscribed')") == "yes"
    page.context.clear_cookies()
    left = page.request.get("/api/notices", headers={"Authorization": f"Bearer {token}"}).json()
    assert left["pushes"] == []


@pytest.mark.slow
def test_a_mail_address_is_asked_and_forgotten_by_keyboard(new_page: NewPage, telling: Server) -> None:
    page = opened(new_page, telling)
    section = tell_me(page)
    section.get_by_label("Mail address").focus()
    page.keyboard.type("anna@example.org")
    page.keyboard.press("Enter")
    expect(section.get_by_text("A mail is on its way to anna@example.org.")).to_be_visible()
    section.get_by_role("button", name="Forget the address").focus()
    page.keyboard.press("Enter")
    expect(section.get_by_text("on its way")).to_have_count(0)
    expect(section.get_by_role("heading", name="Tell me")).to_be_focused()


@pytest.mark.slow
def test_a_link_in_a_mail_acts_after_a_click(new_page: NewPage, telling: Server, faults: Faults) -> None:
    page = new_page(telling)
    for link, button in (("confirm", "Confirm"), ("stop", "Stop the mails")):
        page.goto(f"/mail#{link}=wrong")
        page.reload()
        faults.allow("404")
        page.get_by_role("button", name=button).click()
        expect(page.locator(".notice.bad")).to_be_visible()
        assert axe(page) == []


@pytest.mark.slow
def test_a_table_is_muted_by_those_who_are_told(new_page: NewPage, telling: Server) -> None:
    page, ben = opened(new_page, telling), new_page(telling)
    with page.expect_response("**/api/notices/push"):
        tell_me(page).get_by_role("checkbox", name="Show messages on this device").check()
    made = table(page, {"game": "yam-master", "seats": [{}, {}]})
    ben.request.get("/api/me")
    number = page.request.get(f"/api/tables/{made['table']}").json()["number"]
    sit = {"id": "sit", "version": number, "command": {"type": "sit", "name": "Ben"}}
    headers = {"Dicecup-Key": made["join_key"]}
    assert ben.request.post(f"/api/tables/{made['table']}/commands", data=sit, headers=headers).ok
    page.get_by_role("button", name="Table", exact=True).click()
    button = page.get_by_role("button", name="No messages about this table")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.request.get(f"/api/tables/{made['table']}/mute").json() == {"muted": True}


@pytest.mark.slow
@in_step(language=["en", "de", "fr"], size=[(360, 740), (740, 360), (1280, 900)])
def test_every_choice_fits(new_page: NewPage, telling: Server, language: str, size: tuple[int, int]) -> None:
    settings = {"en": "Settings", "de": "Einstellungen", "fr": "Réglages"}[language]
    page = opened(new_page, telling, locale=language, viewport={"width": size[0], "height": size[1]})
    section = tell_me(page, settings)
    section.get_by_role("checkbox").first.check()
    expect(section.locator("h4")).to_have_count(2)
    section.get_by_role("checkbox").last.check()
    section.locator("input[type=email]").fill("anna@example.org")
    section.locator("button[type=submit]").click()  # before the answer about the quiet hours
    expect(section.locator("input[type=time]")).to_have_count(2)
    expect(section.get_by_text("anna@example.org")).to_be_visible()
    assert (axe(page), overflow(page)) == ([], 0)
