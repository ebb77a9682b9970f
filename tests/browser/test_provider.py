"""Signing in with the provider of the server, in the page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage, needed
from tests.browser.harness import Server, announcements, axe, overflow, table
from tests.browser.test_account import PHONE, authenticator, create
from tests.browser.test_admin import grant
from tests.sweep import in_step
from tests.web.people.identity_provider import CLIENT, SECRET, IdentityProvider, identity_provider


@pytest.fixture(scope="module")
def club() -> Iterator[IdentityProvider]:
    with identity_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def clubhouse(club: IdentityProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    needed()
    given = {"DICECUP_OIDC_ISSUER": club.url, "DICECUP_OIDC_CLIENT": CLIENT, "DICECUP_OIDC_SECRET": SECRET}
    served = Server(tmp_path_factory.mktemp("clubhouse"), given | {"DICECUP_OIDC_NAME": "Club"})
    served.start()
    yield served
    served.end()


@pytest.fixture
def site(clubhouse: Server, club: IdentityProvider) -> str:
    club.is_down = club.denies = False
    return clubhouse.url.replace("127.0.0.1", "localhost")


def member(club: IdentityProvider, name: str) -> None:
    """Let this person sign in next at the provider."""
    club.person = {"sub": name, "preferred_username": name}


@pytest.mark.slow
def test_a_new_person_gets_an_account_and_signs_in_elsewhere(new_page: NewPage, site: str, club: IdentityProvider) -> None:
    member(club, "anna")
    laptop, phone = new_page(base_url=site), new_page(base_url=site, **PHONE)
    laptop.goto("/")
    made = table(laptop)
    laptop.goto("/account")
    laptop.get_by_role("button", name="Continue with Club").click()
    expect(laptop.get_by_label("Handle")).to_have_value("anna")
    assert laptop.url == f"{site}/sign-in"  # without the code
    assert "Choose a handle" in announcements(laptop)
    laptop.get_by_label("Handle").fill("a b")
    laptop.get_by_role("button", name="Create an account").click()
    expect(laptop.get_by_label("Handle")).to_have_attribute("aria-invalid", "true")
    laptop.get_by_label("Handle").fill("Anna")
    laptop.get_by_label("Handle").press("Enter")
    expect(laptop.locator("ol code")).to_have_count(10)
    laptop.get_by_role("button", name="I have stored them").click()
    laptop.wait_for_url("**/account")
    expect(laptop.get_by_text("You can sign in with Club.")).to_be_visible()
    phone.goto("/account")
    phone.get_by_role("button", name="Continue with Club").click()
    phone.wait_for_url("**/account")
    expect(phone.get_by_text("Anna", exact=True)).to_be_visible()
    assert phone.request.get(f"/api/tables/{made['table']}").ok


@pytest.mark.slow
def test_a_device_with_games_is_asked_first(new_page: NewPage, site: str, club: IdentityProvider) -> None:
    member(club, "berta")
    laptop, phone = new_page(base_url=site), new_page(base_url=site)
    laptop.goto("/account")
    laptop.get_by_role("button", name="Continue with Club").click()
    laptop.get_by_role("button", name="Create an account").click()
    expect(laptop.locator("ol code")).to_have_count(10)
    phone.goto("/")
    made = table(phone)
    phone.goto("/account")
    phone.get_by_role("button", name="Continue with Club").click()
    expect(phone.get_by_text("This device has a game of its own.")).to_be_visible()
    expect(phone.get_by_role("button", name="No")).to_be_focused()
    phone.get_by_role("button", name="Sign in all the same").click()
    expect(phone.get_by_text("berta", exact=True)).to_be_visible()
    assert phone.request.get(f"/api/tables/{made['table']}").status == 404


@pytest.mark.slow
def test_an_account_with_a_passkey_adds_and_removes_the_provider(new_page: NewPage, site: str, club: IdentityProvider) -> None:
    member(club, "carla")
    page = new_page(base_url=site)
    authenticator(page)
    create(page, "Carla")
    page.get_by_role("button", name="I have stored them").click()
    page.get_by_role("button", name="Add Club").click()
    expect(page.locator("main").get_by_text("You can sign in with Club.")).to_be_visible()
    page.get_by_role("button", name="Remove Club").click()
    expect(page.get_by_role("button", name="No")).to_be_focused()
    page.get_by_role("button", name="Remove Club").click()
    expect(page.get_by_text("You cannot sign in with Club yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="Sign in with Club")).to_be_focused()


@pytest.mark.slow
def test_what_went_wrong_is_one_sentence(new_page: NewPage, site: str, club: IdentityProvider) -> None:
    page = new_page(base_url=site)
    for address in ("/sign-in?code=x&state=y", "/sign-in"):
        page.goto(address)
        expect(page.get_by_role("main").get_by_text("This sign-in did not begin in this tab")).to_be_visible()
        assert page.url == f"{site}/sign-in"
    club.denies = True
    page.goto("/account")
    page.get_by_role("button", name="Continue with Club").click()
    expect(page.get_by_role("main").get_by_text("Club has not signed you in.")).to_be_visible()
    assert axe(page) == []
    club.denies = False
    club.answers = [(503, b"")]
    page.get_by_role("link", name="To your account").click()
    page.get_by_role("button", name="Continue with Club").click()
    expect(page.get_by_role("main").get_by_text("Club does not answer as it should.")).to_be_visible()


@pytest.mark.slow
@in_step(language=["de-CH", "en-GB", "fr-CH"], viewport=[{"width": 320, "height": 568}, {"width": 1440, "height": 900}])
def test_the_pages_fit_and_can_be_read_by_all(
    new_page: NewPage, site: str, club: IdentityProvider, language: str, viewport: dict[str, int]
) -> None:
    member(club, f"d{language}{viewport['width']}")
    page = new_page(base_url=site, locale=language, viewport=viewport)
    page.goto("/account")
    page.get_by_role("button", name=re.compile("Club")).click()
    page.wait_for_url("**/sign-in**")
    form = page.locator("main form")
    expect(form).to_be_visible()
    assert (overflow(page), axe(page)) == (0, [])
    form.get_by_role("button").click()
    expect(page.locator("ol code")).to_have_count(10)
    assert (overflow(page), axe(page)) == (0, [])
    page.goto("/account")
    expect(page.get_by_role("heading", name=re.compile("Club"))).to_be_visible()
    assert (overflow(page), axe(page)) == (0, [])


@pytest.mark.slow
def test_administrators_find_the_administration_in_settings_and_account(
    new_page: NewPage, site: str, clubhouse: Server
) -> None:
    page, other = new_page(base_url=site), new_page(base_url=site)
    page.goto("/")
    grant(page, clubhouse)
    for each, count in ((page, 1), (other, 0)):
        each.goto("/account")
        expect(each.get_by_role("link", name="Privacy")).to_be_visible()
        expect(each.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()
        expect(each.get_by_role("link", name="Administration")).to_have_count(count)
        with each.expect_response("**/api/account"):
            each.get_by_role("button", name="Settings").click()
        expect(each.get_by_role("dialog").get_by_role("link", name="Administration")).to_have_count(count)
    page.get_by_role("dialog").get_by_role("link", name="Administration").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reports")
