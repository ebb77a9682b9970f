"""The installed page: it opens without the server, and loads new versions on demand."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, NEIGHBOUR, Faults, Server, announcements, axe
from tests.sweep import sweep

HELD = "async () => (await (await caches.open('dicecup')).keys()).map(({ url }) => new URL(url).pathname)"


def test_the_page_can_be_installed(page: Page) -> None:
    page.goto("/")
    session = page.context.new_cdp_session(page)
    assert session.send("Page.getAppManifest")["errors"] == []
    told = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # pages of tests block service workers
    assert {error["errorId"] for error in told} <= {"in-incognito"}


def test_the_start_page_offers_the_installation(page: Page) -> None:
    page.goto("/")
    button = page.get_by_role("button", name="Install as an app")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    expect(button).to_have_count(0)
    page.evaluate(
        """() => dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
             prompt: async () => { window.__asked = true; } }))"""
    )
    assert axe(page) == []
    button.click()
    expect(button).to_have_count(0)
    assert page.evaluate("window.__asked")


@pytest.mark.slow
def test_pages_open_without_the_server(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    page = new_page(own_server, service_workers="allow")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready")
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    wanted = {path for path in loaded if path.startswith("/assets/")} | {"/"}
    assert any(path.startswith("/assets/en-") for path in wanted)
    page.wait_for_function(
        f"async (wanted) => {{ const held = await ({HELD})(); return wanted.every((path) => held.includes(path)) }}",
        arg=list(wanted),
    )
    own_server.end()
    faults.allow(GONE)
    for place in ("/", "/tables/0123456789abcdef0123"):
        page.goto(place)
        expect(page.get_by_role("navigation")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.slow
def test_a_game_without_https_has_fair_dice(new_page: NewPage, server: Server, faults: Faults) -> None:
    """Browsers offer such pages no storage of files and no `crypto.subtle`. The dice of two people
    are fair all the same."""
    faults.allow("Cross-Origin-Opener-Policy header has been ignored")
    anna, ben = new_page(service_workers="allow"), new_page(service_workers="allow")
    anna.goto(f"http://{NEIGHBOUR}:{server.port}/?game=yam-master")
    assert not anna.evaluate("isSecureContext || 'serviceWorker' in navigator || 'subtle' in crypto")
    made = anna.evaluate(
        """async () => (await fetch('/api/tables', {
             method: 'POST', headers: { 'Content-Type': 'application/json' },
             body: JSON.stringify({ setup: { game: 'yam-master', seats: [{}, {}], first: 0 }, name: 'Anna' }),
           })).json()"""
    )
    for page, key in ((anna, ""), (ben, f"#join={made['join_key']}")):
        page.goto(f"http://{NEIGHBOUR}:{server.port}/tables/{made['table']}{key}")
    ben.get_by_role("textbox").first.fill("Ben")
    ben.get_by_role("button", name="Join the game").click()
    anna.get_by_role("button", name="First throw").click()
    expect(ben.get_by_role("list", name="Dice", exact=True).get_by_role("listitem")).to_have_count(5)


def test_a_new_version_is_loaded_on_demand_only(page: Page) -> None:
    def newer(route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
        else:
            html = route.fetch().text()
            route.fulfill(body=re.sub(r"/assets/index-[\w-]+\.js", "/assets/index-newer.js", html), content_type="text/html")

    page.goto("/")
    expect(page.locator("#main")).to_be_visible()
    page.route("/", newer)
    page.evaluate("() => { window.same = true; dispatchEvent(new Event('online')) }")
    expect(page.get_by_text("A new version of Dicecup is available.").first).to_be_visible()
    assert announcements(page).count("A new version of Dicecup is available.") == 1
    assert axe(page, only="aside") == []
    assert page.evaluate("window.same")
    with page.expect_navigation():
        page.get_by_role("button", name="Reload").click()
    expect(page.locator("#main")).to_be_visible()
    assert not page.evaluate("window.same")
    expect(page.get_by_role("button", name="Reload")).to_have_count(0)


def test_a_missing_part_of_the_page_is_reported_and_reloaded(page: Page, faults: Faults) -> None:
    faults.allow("^console: Failed to load resource")
    page.goto("/")
    page.route("**/assets/Statistics-*.js", lambda route: route.fulfill(status=404))
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_text("This page could not be loaded").first).to_be_visible()
    page.unroute("**/assets/Statistics-*.js")
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Reload")).to_have_count(0)


@sweep("gone", ["index-*.js", "en-*.js"])
def test_a_page_without_its_files_shows_a_text(page: Page, faults: Faults, gone: str) -> None:
    faults.allow("^console: Failed to load resource|^page: .*Failed to fetch dynamically")
    page.route(f"**/assets/{gone}", lambda route: route.fulfill(status=404))
    page.goto("/")
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")
    expect(page.get_by_text("Dicecup is not there yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Réessayer")).to_be_visible()
