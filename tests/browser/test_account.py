"""The account page: a passkey of a virtual authenticator, recovery codes, another device."""

import re
from secrets import token_hex
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, NEIGHBOUR, Faults, Json, Server, axe, command, overflow, table, wait_until
from tests.sweep import in_step

PHONE: Final[Json] = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture
def site(server: Server) -> str:
    """Return the address under which pages have passkeys."""
    return server.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def handle() -> str:
    """Return a handle that no earlier attempt of a test took."""
    return f"Anna_{token_hex(4)}"


def authenticator(page: Page) -> tuple[Any, str]:
    """Give a page an authenticator that says yes. Return its session and its id."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, made["authenticatorId"]


def create(page: Page, handle: str) -> list[str]:
    """Create an account on the page and return its recovery codes."""
    page.goto("/account")
    page.get_by_label("Handle").fill(handle)
    page.get_by_role("button", name="Create with a passkey").click()
    expect(page.locator("ol code")).to_have_count(10)
    return page.locator("ol code").all_text_contents()


def move_passkeys(source: tuple[Any, str], target: tuple[Any, str]) -> None:
    """Copy the passkeys of an authenticator to another one, as a passkey manager does."""
    session, authenticator_id = source
    for credential in session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator_id})["credentials"]:
        target[0].send("WebAuthn.addCredential", {"authenticatorId": target[1], "credential": credential})


@pytest.mark.slow
def test_an_account_signs_another_device_in(new_page: NewPage, site: str, handle: str) -> None:
    laptop, phone = new_page(base_url=site), new_page(base_url=site, **PHONE)
    keys = authenticator(laptop)
    laptop.goto("/")
    made = table(laptop)
    create(laptop, handle)
    assert laptop.evaluate("document.activeElement.textContent") == "Recovery codes"
    laptop.get_by_role("button", name="I have stored them").click()
    expect(laptop.get_by_text("10 codes are left.")).to_be_visible()
    phone.goto("/account")
    move_passkeys(keys, authenticator(phone))
    phone.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.get_by_text(handle, exact=True)).to_be_visible()
    assert phone.request.get(f"/api/tables/{made['table']}").ok
    usual = "JSON.parse(localStorage.getItem('dicecup-settings')).name"
    assert phone.evaluate(usual) == handle  # the name in the forms
    phone.evaluate("localStorage.setItem('dicecup-mistakes', '[]')")
    phone.get_by_role("button", name="Sign out", exact=True).click()
    phone.wait_for_url("**/")
    assert phone.evaluate(usual) == ""
    assert phone.evaluate("localStorage.getItem('dicecup-mistakes')") is None
    assert phone.request.get("/api/account").json()["account"] is None
    assert laptop.request.get("/api/account").json()["account"]["handle"] == handle


@pytest.mark.slow
def test_a_device_with_games_is_asked_before_it_signs_in(new_page: NewPage, site: str, handle: str, faults: Faults) -> None:
    laptop, phone = new_page(base_url=site), new_page(base_url=site)
    authenticator(laptop)
    codes = create(laptop, handle)
    phone.goto("/account")
    phone.get_by_label("Recovery code").fill(codes[0].lower())
    made = table(phone.context.new_page())  # in another tab
    faults.allow("ERR_FAILED")
    phone.route("**/api/tables", lambda route: route.abort(), times=1)
    phone.get_by_label("Recovery code").press("Enter")
    expect(phone.get_by_text("No connection").first).to_be_visible()  # nobody knows whether it has games
    phone.get_by_label("Recovery code").press("Enter")
    expect(phone.get_by_text("This device has a game of its own.")).to_be_visible()
    expect(phone.get_by_role("button", name="No")).to_be_focused()
    assert phone.request.get(f"/api/tables/{made['table']}").ok
    phone.get_by_role("button", name="Sign in all the same").click()
    expect(phone.get_by_text("9 codes are left.")).to_be_visible()
    assert phone.request.get(f"/api/tables/{made['table']}").status == 404


@pytest.mark.slow
def test_passkeys_are_added_renamed_and_removed(new_page: NewPage, site: str, handle: str) -> None:
    page = new_page(base_url=site)
    session, first = authenticator(page)
    create(page, handle)
    page.get_by_role("button", name="I have stored them").click()
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": first})
    authenticator(page)
    page.get_by_role("button", name="Add a passkey").click()
    entries = page.locator("main li")
    expect(entries).to_have_count(2)
    entries.last.get_by_role("button", name=re.compile("Rename")).click()
    page.get_by_label("Name", exact=True).fill("Key")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(entries.last).to_contain_text("Key")
    page.get_by_role("button", name="Remove: Key").click()
    expect(page.get_by_role("button", name="No")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Remove: Key")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(entries).to_have_count(1)
    entries.first.get_by_role("button", name=re.compile("Remove")).click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("main").get_by_text("This is your only passkey.")).to_be_visible()


@pytest.mark.slow
def test_an_account_is_deleted(new_page: NewPage, site: str, handle: str) -> None:
    page = new_page(base_url=site)
    authenticator(page)
    create(page, handle)
    page.get_by_role("button", name="Delete the account").click()
    expect(page.get_by_role("button", name="No")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete the account")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete the account").last.click()
    page.wait_for_url("**/")
    expect(page.get_by_text("Your account is deleted.").first).to_be_visible()
    assert page.request.get("/api/account").json()["account"] is None


@pytest.mark.slow
def test_an_old_tab_does_nothing_to_the_account_of_another_one(
    new_page: NewPage, site: str, handle: str, faults: Faults
) -> None:
    page = new_page(base_url=site)
    faults.allow("409 (Conflict)")
    authenticator(page)
    create(page, handle)
    old = page.context.new_page()
    old.goto("/account")
    old.get_by_role("button", name="Delete the account").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/")
    other = f"Ben_{token_hex(4)}"
    codes = create(page, other)
    old.get_by_role("button", name="Delete the account").last.click()
    expect(old.get_by_text(f"Another account is signed in here by now: {other}.").first).to_be_visible()
    expect(old.get_by_text(other, exact=True)).to_be_visible()
    assert page.request.get("/api/account").json()["account"]["handle"] == other
    assert len(codes) == page.request.get("/api/account").json()["account"]["codes"] == 10


@pytest.mark.slow
def test_recovery_codes_are_copied_and_replaced_after_a_question(
    new_page: NewPage, site: str, handle: str, faults: Faults
) -> None:
    page = new_page(base_url=site, permissions=["clipboard-read", "clipboard-write"])
    authenticator(page)
    codes = create(page, handle)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("The codes are copied.").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "\n".join(codes)
    faults.allow("ERR_FAILED")
    page.route("**/api/account", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.unroute("**/api/account")
    assert page.locator("ol code").all_text_contents() == codes  # they are shown once, so they stay
    page.get_by_role("button", name="I have stored them").click()
    page.get_by_role("button", name="Make new codes").click()
    expect(page.get_by_text("The codes that you have now will not work any more.")).to_be_visible()
    expect(page.get_by_role("button", name="No")).to_be_focused()
    answers: list[str] = []
    page.on("response", lambda answer: answers.append(answer.url))
    page.get_by_role("button", name="Make new codes").dblclick()
    expect(page.locator("ol code")).to_have_count(10)
    expect(page.locator("ol code").first).to_be_in_viewport()
    assert len([url for url in answers if "/codes" in url]) == 1  # codes of a second press would end those that are shown
    assert set(codes).isdisjoint(page.locator("ol code").all_text_contents())


def test_a_page_without_https_says_so(new_page: NewPage, server: Server, faults: Faults) -> None:
    faults.allow("Cross-Origin-Opener-Policy header has been ignored")
    page = new_page(base_url=f"http://{NEIGHBOUR}:{server.port}")
    page.goto("/account")
    expect(page.get_by_text("Passkeys need an address that begins with https")).to_be_visible()
    expect(page.get_by_label("Recovery code")).to_be_visible()
    expect(page.get_by_role("button", name="Create with a passkey")).to_have_count(0)


@pytest.mark.slow
def test_a_server_that_requires_accounts_leads_to_one_and_back(new_page: NewPage, tmp_path: Any, faults: Faults) -> None:
    faults.allow(GONE)
    server = Server(tmp_path, {"DICECUP_ACCOUNTS": "required"})
    server.start()
    try:
        page = new_page(server, base_url=server.url.replace("127.0.0.1", "localhost"))
        authenticator(page)
        page.goto("/")
        page.get_by_role("button", name=re.compile("Play")).first.click()
        expect(page.locator("main").get_by_text("This server asks for an account")).to_be_visible()
        page.get_by_label("Handle").fill("Anna")
        page.get_by_role("button", name="Create with a passkey").click()
        page.get_by_role("button", name="I have stored them").click()
        page.wait_for_url("**/")
        page.get_by_role("button", name=re.compile("Play")).first.click()
        page.wait_for_url("**/tables/*")
    finally:
        server.end()


@pytest.mark.slow
@in_step(
    language=["de-CH", "en-GB", "fr-CH"],
    viewport=[{"width": 360, "height": 740}, {"width": 1280, "height": 800}, {"width": 740, "height": 360}],
)
def test_the_page_fits_and_can_be_read_by_all(new_page: NewPage, site: str, handle: str, language: str, viewport: Json) -> None:
    page = new_page(base_url=site, locale=language, viewport=viewport)
    authenticator(page)
    page.goto("/account")
    form = page.locator("form").first
    expect(form).to_be_visible()
    assert (overflow(page), axe(page)) == (0, [])
    form.locator("input").first.fill(handle)
    form.locator("button").click()
    expect(page.locator("ol code")).to_have_count(10)
    assert (overflow(page), axe(page)) == (0, [])
    for place in ("/archive", "/privacy"):
        page.goto(place)
        expect(page.locator("h2").first).to_be_visible()
        assert (overflow(page), axe(page)) == (0, [])


@pytest.mark.slow
def test_the_privacy_page_says_how_long_each_kind_is_kept(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/privacy")
    for kind in ("The cookie", "What is said at tables", "Meet people", "Ratings", "Tell me", "Reports", "My mistakes"):
        section = page.get_by_role("heading", name=kind, exact=True, level=2).locator("xpath=following-sibling::p[2]")
        expect(section).to_contain_text("Kept:")
    expect(page.get_by_role("heading", level=2)).to_have_count(13)


@pytest.mark.slow
def test_the_archive_is_searched_and_a_profile_shown(new_page: NewPage, site: str, handle: str) -> None:
    page, other = new_page(base_url=site), new_page(base_url=site, **PHONE)
    authenticator(page)
    create(page, handle)
    page.get_by_role("button", name="I have stored them").click()
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    sent = {"id": "x", "version": 3, "command": {"type": "resign", "seat": 0}}
    assert page.request.post(f"/api/tables/{made['table']}/commands", data=sent).ok
    against = table(page)
    command(page, against, type="resign")
    page.goto("/archive")
    expect(page.locator("main li")).to_have_count(2)
    expect(page.locator("main li").filter(has_text="Yam Master")).to_contain_text("Anna – Random")
    page.get_by_label("Game").select_option("yam-master")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("main li")).to_have_count(1)
    page.get_by_label("Result").select_option("won")
    held: list[Route] = []

    def hold(request: Route) -> None:
        held.append(request)

    page.route("**/api/archive?*", hold)
    page.get_by_role("button", name="Search").click()
    wait_until(page, lambda: len(held) == 1)
    page.get_by_label("Result").select_option("lost")
    page.get_by_role("button", name="Search").click()
    wait_until(page, lambda: len(held) == 2)
    for request in reversed(held):  # the older answer comes last
        request.continue_()
    expect(page.locator("main li")).to_have_count(1)
    expect(page.locator("main li")).to_contain_text("Lost")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Take all games with you").click()
    assert saved.value.suggested_filename == "dicecup-games.zip"
    assert page.request.put("/api/account", data={"handle": handle, "public": True}).ok
    other.goto(f"/people/{handle.lower()}")
    expect(other.get_by_role("heading", name=handle)).to_be_visible()
    assert (overflow(other), axe(other), axe(page)) == (0, [], [])
