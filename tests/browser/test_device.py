"""Playing without a server, in the real browser: Python in a worker, the games in IndexedDB."""

import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.around import menu
from tests.browser.conftest import NewPage
from tests.browser.device_page import PATIENCE, PHONE, READY, begin, dice, has_kernels, prepared, resign, until
from tests.browser.harness import GONE, Faults, Server, announcements, axe, overflow
from tests.browser.versions import NEWER, Versions
from tests.sweep import in_step

LANGUAGES: Final = ("en-GB", "de-CH", "fr-CH")


@pytest.mark.slow
def test_a_game_without_the_server(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """Loaded once, then begun, left, and gone on with while the server is stopped. The throw after
    a closed page shows the dice that lay there."""
    page = new_page(own_server, service_workers="allow", **PHONE)
    prepared(page)
    page.wait_for_function("(ready) => window.__said.some((sentence) => sentence.startsWith(ready))", arg=READY)
    own_server.end()
    page.context.set_offline(True)
    faults.allow(GONE)
    page.goto("/device")
    expect(page.locator("main").get_by_text(READY)).to_be_visible()
    assert axe(page) == []
    assert overflow(page) == 0
    begin(page)
    page.locator("[data-main]").click()
    thrown = dice(page)
    assert axe(page) == []
    place = page.url
    page.close()
    again = page.context.new_page()
    again.goto(place)
    assert dice(again) == thrown
    assert not [sentence for sentence in announcements(again) if "onnection" in sentence]
    again.goto("/")
    line = again.get_by_role("link", name=re.compile("Yam Master.*on this device"))
    line.click()
    assert dice(again) == thrown


@pytest.mark.slow
def test_a_game_is_reviewed_without_the_server(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """The result names luck and loss, the review leads to each decision, and one is tried again at
    the board."""
    page = new_page(own_server, service_workers="allow", locale="de-CH", **PHONE)
    page.goto("/device")
    page.wait_for_function("() => window.__said.length > 0")
    if not has_kernels(page):
        pytest.skip("the page holds no kernels")
    own_server.end()
    page.context.set_offline(True)
    faults.allow(GONE)
    page.goto("/device")
    begin(page)
    page.locator("[data-main]").click()
    expect(page.locator("ul.dice li")).to_have_count(5)
    page.locator("[data-main]").click()
    resign(page)
    expect(page.locator("[data-luck]")).to_contain_text("%", timeout=PATIENCE)
    assert axe(page) == []
    review = page.locator("a[href$='/review']")
    review.click()
    walk = page.locator("[data-step]")
    expect(walk).to_be_visible(timeout=PATIENCE)
    assert axe(page) == []
    assert overflow(page) <= 0
    page.reload()
    expect(walk).to_be_visible(timeout=PATIENCE)
    page.locator("[data-try]").click()
    page.locator("[data-pass]").click()
    expect(page.locator("[data-verdict]")).to_be_visible(timeout=PATIENCE)
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(walk).to_be_visible()
    page.goto("/")
    page.locator("a.review").click()
    expect(walk).to_be_visible(timeout=PATIENCE)


PLAYED: Final = """async () => {
  const opened = indexedDB.open('dicecup');
  await new Promise((done) => { opened.onsuccess = done; });
  const all = opened.result.transaction('events').objectStore('events').getAll();
  await new Promise((done) => { all.onsuccess = done; });
  opened.result.close();
  return all.result.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'acted').length;
}"""
"""The number of actions in all games on this device."""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["Yam Master", "Yamm"])
def test_an_expert_plays_and_gives_hints_without_the_server(
    own_server: Server, new_page: NewPage, faults: Faults, game: str
) -> None:
    page = new_page(own_server, service_workers="allow", **PHONE)
    prepared(page)
    if not has_kernels(page):
        pytest.skip("the page holds no kernels")
    own_server.end()
    faults.allow(GONE)
    page.goto("/device")
    expect(page.locator("main").get_by_text(READY)).to_be_visible()
    page.locator("main .games a", has_text=game).click()
    page.get_by_role("radio", name="Expert").check()
    assert axe(page) == []
    page.locator("form.new button.primary").click()
    page.locator("[data-main]").click()
    dice(page)
    panel = page.locator("[data-learning]")
    panel.get_by_role("button", name="Odds and hints").click()
    panel.get_by_role("button", name="Show a hint").click()
    expect(panel.locator("[data-action]").first).to_be_visible(timeout=PATIENCE)
    assert axe(page) == []
    assert overflow(page) == 0
    if game == "Yam Master":
        page.keyboard.press("Escape")
        before = page.evaluate(PLAYED)
        page.get_by_role("button", name="Pass").click()
        until(page, f"async () => (await ({PLAYED})()) >= {before + 2}")


@pytest.mark.slow
@in_step(locale=LANGUAGES, game=["Yam Master", "Yamm"])
def test_a_table_on_this_device_is_a_table(new_page: NewPage, locale: str, game: str) -> None:
    page = new_page(locale=locale, **PHONE)
    page.goto("/device")
    page.locator("main .games a", has_text=game).click()
    page.locator("form.new button.primary").click()
    expect(page.locator("[data-main]")).to_be_visible()
    page.locator("[data-main]").click()
    assert axe(page) == []
    assert overflow(page) == 0


@pytest.mark.slow
def test_two_tabs_show_the_same_game(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/device")
    begin(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("[data-main]")).to_be_visible()
    page.locator("[data-main]").click()
    assert dice(other) == dice(page)


@pytest.mark.slow
def test_after_a_game_on_this_device_every_button_leads_somewhere(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/device")
    begin(page)
    menu(page, "Resign")
    page.get_by_role("button", name="Yes, resign").click()
    for _ in range(2):  # also after it was loaded again
        expect(page.get_by_role("button", name="Play again")).to_be_visible()
        expect(page.get_by_role("combobox", name="Level").locator("option", has_text="Greedy")).to_have_count(1)
        expect(page.get_by_role("link", name="Review the game")).to_have_count(int(has_kernels(page)))
        page.reload()


@pytest.mark.slow
def test_a_record_leaves_the_device_and_goes_on_there(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """Saved as a file, and opened for a new game, while the server is stopped."""
    page = new_page(own_server, service_workers="allow", **PHONE)
    prepared(page)
    own_server.end()
    page.context.set_offline(True)
    faults.allow(GONE)
    page.goto("/device")
    begin(page)
    page.locator("[data-main]").click()
    lying = dice(page)
    with page.expect_download() as saved:
        menu(page, "Record so far")
    text = saved.value.path().read_bytes()
    page.goto("/device")
    page.get_by_role("button", name="Continue from a record").click()
    assert axe(page) == []
    assert overflow(page) == 0
    page.locator("input[type=file]").set_input_files({"name": "game.txt", "mimeType": "text/plain", "buffer": text})
    page.get_by_role("button", name="Next").click()
    page.locator("form.new button.primary").click()
    page.wait_for_url(re.compile("/device/[0-9a-f]{20}$"))
    assert dice(page) == lying


@pytest.mark.slow
def test_a_newer_version_of_the_page_plays_on(new_page: NewPage, faults: Faults) -> None:
    """Loaded during a game, it plays with its own program. The next start has no connection."""
    faults.allow(GONE)
    with Versions() as versions:
        page = new_page(base_url=versions.url, service_workers="allow")
        prepared(page)
        begin(page)
        page.locator("[data-main]").click()
        thrown = dice(page)
        versions.newer = True
        page.reload()
        assert dice(page) == thrown
        assert any(NEWER in path for path in versions.served if path.startswith("/python/dicecup-"))
        until(page, "async () => (await navigator.serviceWorker.getRegistration()).waiting")
        place = page.url
        page.close()
        versions.end()
        page.context.set_offline(True)
        again = page.context.new_page()
        again.goto("/device")
        expect(again.locator("main").get_by_text(READY)).to_be_visible()
        again.goto(place)
        assert dice(again) == thrown
