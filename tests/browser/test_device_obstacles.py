"""What the page says where playing without a server is not possible yet, or no longer."""

import json
import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.device_page import (
    PHONE,
    READY,
    before_worker,
    begin,
    dice,
    prepared,
    tell_worker,
    until,
)
from tests.browser.harness import NEIGHBOUR, Faults, Server, axe, overflow
from tests.sweep import sweep

SENTENCES: Final = {
    "en-GB": {
        "no-wasm": "This browser forbids WebAssembly",
        "no-storage": "This browser stores no games",
        "full": "There is no room on this device",
        "damaged": "The program on this device was damaged",
        "no-files": "has to be loaded once",
        "insecure": "needs an address that begins with https",
        "failed": "could not be started here",
    },
    "de-CH": {
        "no-wasm": "Dieser Browser verbietet WebAssembly",
        "no-storage": "Dieser Browser speichert keine Spiele",
        "full": "Auf diesem Gerät ist kein Platz",
        "damaged": "Das Programm auf diesem Gerät war beschädigt",
        "no-files": "muss einmal geladen werden",
        "insecure": "unter einer Adresse, die mit https beginnt",
        "failed": "liess sich hier nicht starten",
    },
    "fr-CH": {
        "no-wasm": "Ce navigateur interdit WebAssembly",
        "no-storage": "Ce navigateur n’enregistre aucune partie",
        "full": "Il n’y a pas assez de place",
        "damaged": "Le programme sur cet appareil était endommagé",
        "no-files": "doit être chargé une fois",
        "insecure": "une adresse qui commence par https",
        "failed": "n’a pas pu démarrer ici",
    },
}
"""By language and obstacle, what the page says."""


def said(page: Page, locale: str, obstacle: str) -> None:
    """Wait for the sentence about an obstacle, which axe accepts and which fits."""
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(SENTENCES[locale][obstacle])
    assert axe(page) == []
    assert overflow(page) == 0


@sweep("locale", SENTENCES)
def test_a_policy_without_webassembly_is_explained(new_page: NewPage, locale: str, faults: Faults) -> None:
    faults.allow("WebAssembly")

    def forbid(route: Route) -> None:
        answer = route.fetch()
        policy = answer.headers["content-security-policy"].replace(" 'wasm-unsafe-eval'", "")
        route.fulfill(response=answer, headers=answer.headers | {"content-security-policy": policy})

    page = new_page(locale=locale, **PHONE)
    page.context.route("**/pythonWorker-*.js", forbid)
    page.goto("/device")
    said(page, locale, "no-wasm")
    page.get_by_role("alert").get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    said(page, locale, "no-wasm")


@pytest.mark.slow
@pytest.mark.parametrize("locale", SENTENCES)
@pytest.mark.parametrize(
    "obstacle, script",
    [
        ("no-storage", "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') };"),
        ("full", "IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError') };"),
        ("no-files", "self.fetch = () => Promise.reject(new TypeError('gone'));"),
        ("failed", "Cache.prototype.match = () => Promise.reject(new Error('unexpected'));"),
    ],
)
def test_an_obstacle_is_one_sentence(new_page: NewPage, faults: Faults, locale: str, obstacle: str, script: str) -> None:
    if obstacle == "failed":
        faults.allow("unexpected")
    page = new_page(locale=locale, **PHONE)
    before_worker(page, script)
    page.goto("/device")
    said(page, locale, obstacle)


@pytest.mark.slow
@pytest.mark.parametrize("locale", SENTENCES)
def test_an_address_without_https_is_one_sentence(new_page: NewPage, server: Server, faults: Faults, locale: str) -> None:
    faults.allow("Cross-Origin-Opener-Policy header has been ignored")
    page = new_page(locale=locale, **PHONE)
    page.goto(f"http://{NEIGHBOUR}:{server.port}/device")
    said(page, locale, "insecure")


@pytest.mark.slow
def test_a_page_that_could_not_be_stored_does_not_promise_to_open(new_page: NewPage) -> None:
    """Pages of tests have no service worker, unless they ask for one."""
    page = new_page(locale="fr-CH", **PHONE)
    page.goto("/device")
    expect(page.locator("main").get_by_text("n’a pas pu enregistrer la page elle-même")).to_be_visible()
    assert axe(page) == []
    assert overflow(page) == 0
    begin(page)


@pytest.mark.slow
def test_a_damaged_file_is_loaded_anew_or_reported(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    damage = """async () => {
      const cache = await caches.open('dicecup-python');
      const [file] = (await cache.keys()).filter(({ url }) => /dicecup-\\w+\\.zip$/.test(url));
      await cache.put(file, new Response('damaged'));
    }"""
    page = new_page(own_server, service_workers="allow")
    prepared(page)
    page.evaluate(damage)
    page.goto("/device")
    expect(page.locator("main").get_by_text(READY)).to_be_visible()
    page.evaluate(damage)
    faults.allow("^console: Failed to load resource")
    page.context.route("**/python/dicecup-*.zip", lambda route: route.abort())  # nor has the browser kept it
    page.goto("/device")
    said(page, "en-GB", "damaged")
    page.context.unroute("**/python/dicecup-*.zip")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("main").get_by_text(READY)).to_be_visible()


@pytest.mark.slow
def test_a_full_store_refuses_a_throw_and_loses_nothing(new_page: NewPage) -> None:
    page = new_page()
    before_worker(page, FULL)
    page.goto("/device")
    begin(page)
    expect(page.locator("[data-main]")).to_be_enabled()  # the computer may have begun
    tell_worker(page, "nothing")
    page.locator("[data-main]").click()
    expect(page.get_by_text("There is no room left on this device for games.").first).to_be_visible()
    tell_worker(page, "everything")
    page.locator("[data-main]").click()
    assert dice(page)


FULL: Final = """
  self.stores = 'everything';
  const told = new BroadcastChannel('test');
  told.onmessage = ({ data }) => { self.stores = data; told.postMessage('done'); };
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (...given) {
    const byComputer = given[0].command === '' && /"seat": ?1/.test(given[0].body);
    const isFull = self.stores === 'nothing' || (self.stores === 'people' && byComputer);
    if (isFull) throw new DOMException('full', 'QuotaExceededError');
    return add.apply(this, given);
  };"""
"""A store with room for `everything`, `nothing`, or only what `people` do."""


@pytest.mark.slow
def test_a_turn_of_the_computer_that_cannot_be_saved_waits_for_room(new_page: NewPage) -> None:
    page = new_page()
    before_worker(page, FULL)
    page.goto("/device")
    begin(page)
    tell_worker(page, "people")
    page.locator("[data-main]").click()
    assert dice(page)
    page.get_by_role("button", name="Pass", exact=True).click()
    notice = page.get_by_text("There is no room left on this device. Free some space")
    expect(notice.first).to_be_visible()
    assert axe(page) == []
    tell_worker(page, "everything")
    expect(notice).to_have_count(0)
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()


STORED: Final = """() => new Promise((done) => {
  indexedDB.open('dicecup').onsuccess = ({ target: { result: database } }) => {
    database.transaction('events').objectStore('events').getAll().onsuccess = ({ target: { result } }) => {
      database.close();
      done(result.map(({ body }) => body));
    };
  };
})"""
"""Returns the events of all games, as JSON texts."""


@pytest.mark.slow
def test_a_page_that_ends_between_saving_and_showing_throws_the_same_dice(new_page: NewPage) -> None:
    page = new_page()
    silent = """
      const told = new BroadcastChannel('test');
      told.onmessage = () => { self.postMessage = () => undefined; told.postMessage('done'); };"""
    before_worker(page, silent)
    page.goto("/device")
    begin(page)
    place = page.url
    tell_worker(page, "be silent")
    before = len(page.evaluate(STORED))
    page.locator("[data-main]").click()
    until(page, f"async () => (await ({STORED})()).length > {before}")
    (thrown,) = page.evaluate(STORED)[before:]
    expect(page.get_by_role("list", name="Dice", exact=True).get_by_role("listitem")).to_have_count(0)
    page.close()
    again = page.context.new_page()
    again.goto(place)
    assert "".join(sorted(dice(again))) == "".join(sorted(re.findall(r"[1-6]", str(json.loads(thrown)["dice"]))))


INTERPRETER: Final = "**/python/pyodide-*/pyodide.asm.wasm"


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/device", "/?game=yam-master&on=device"])
def test_loading_is_told_in_megabytes(new_page: NewPage, address: str) -> None:
    page = new_page(**PHONE)
    page.context.route(INTERPRETER, lambda _: None)  # never answered
    page.goto(address)
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("main label")).to_have_text(re.compile(r"^\d\.\d of [67]\.\d MB loaded$"))
    assert axe(page) == []


@pytest.mark.slow
def test_a_new_game_says_why_the_program_did_not_start(new_page: NewPage) -> None:
    """The address of a new game on the device is opened first, and the program cannot be loaded at
    once."""
    page = new_page()
    page.context.route(INTERPRETER, lambda route: route.abort(), times=1)
    page.goto("/?game=yam-master&on=device")
    expect(page.get_by_role("heading", name="Yam Master: new game")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
