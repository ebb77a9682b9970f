"""Playing without a server, in the real browser: Python in a worker, the games in IndexedDB."""

import json
import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.around import menu
from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, NEIGHBOUR, Faults, Json, Server, announcements, axe, overflow
from tests.browser.versions import NEWER, Versions
from tests.sweep import sweep

READY: Final = "Everything is on this device."
PHONE: Final[Json] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE: Final = 180_000


def prepared(page: Page) -> None:
    """Open the page for the first time and wait until it says that it needs no connection."""
    page.goto("/device")
    expect(page.locator("main").get_by_text(READY)).to_be_visible()


def begin(page: Page, game: str = "Yam Master") -> None:
    """Begin a game on this device against the computer, and wait for the person's turn. In Yam
    Master a die decides who starts."""
    page.locator("main .games a", has_text=game).click()
    page.locator("form.new button.primary").click()
    expect(page.locator("[data-main]")).to_be_enabled()


def until(page: Page, condition: str) -> None:
    """Wait until an asynchronous function of the page returns a truth value.
    (`wait_for_function` takes the first one that it returns.)"""
    waiting = f"""async (patience) => {{
      for (const end = Date.now() + patience; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {{
        if (await ({condition})()) return true;
      }}
      return false;
    }}"""
    assert page.evaluate(waiting, PATIENCE), condition


def dice(page: Page) -> list[str]:
    shown = page.get_by_role("list", name="Dice", exact=True).get_by_role("listitem")
    expect(shown).to_have_count(5)
    return shown.all_inner_texts()


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


def has_kernels(page: Page) -> bool:
    """Return whether the page was built with kernels. The server must run."""
    listed: Json = page.request.get("/python/index.json").json()
    return "kernels" in listed


def resign(page: Page) -> None:
    """Give the game up, in any language."""
    page.locator("button.open").click()
    page.locator("dialog[open] li button.danger").click()
    page.locator("dialog[open] .row button.danger").click()
    expect(page.locator("[data-luck]")).to_be_attached()


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "de-CH", "fr-CH"])
def test_a_game_is_reviewed_without_the_server(own_server: Server, new_page: NewPage, faults: Faults, locale: str) -> None:
    """The result names luck and loss, the review leads to each decision, and one is tried again at
    the board."""
    page = new_page(own_server, service_workers="allow", locale=locale, **PHONE)
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


JOINING: Final = """() => new Promise((done) => {
  indexedDB.open('dicecup').onsuccess = ({ target: { result: database } }) => {
    database.transaction('joining').objectStore('joining').count().onsuccess = ({ target: { result } }) => {
      database.close();
      done(result);
    };
  };
})"""
"""Returns the number of finished games that the server has not got."""


def joined(page: Page) -> list[Json]:
    """Wait until the server has all games of the device and return those that it has."""
    until(page, f"async () => (await ({JOINING})()) === 0")
    found: list[Json] = page.request.get("/api/device-games").json()["tables"]
    return found


@pytest.mark.slow
def test_a_game_joins_once_when_the_server_is_back(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    """The first answer of the server is lost, and two pages send the game."""
    page = new_page(own_server, service_workers="allow")
    prepared(page)
    own_server.end()
    faults.allow(GONE)
    page.goto("/device")
    begin(page)
    resign(page)
    table = page.url.rpartition("/")[2]
    assert page.evaluate(JOINING) == 1
    own_server.start()
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.context.route("**/api/device-games", lose)
    page.goto("/")
    page.wait_for_function("() => document.querySelector('main a.review')")
    assert lost == [200]
    other = page.context.new_page()
    for each in (page, other):
        each.goto("/", wait_until="commit")
    (game,) = joined(page)
    assert (game["table"], game["outcome"]) == (table, "lost")
    for each in (page, other):
        expect(each.locator("main .card a.review")).to_have_count(1)
        expect(each.get_by_role("link", name=re.compile("Yam Master.*on this device"))).to_have_count(1)


@pytest.mark.slow
def test_a_page_that_ends_while_a_game_joins_loses_none(new_page: NewPage) -> None:
    page = new_page()
    page.context.route("**/api/device-games", lambda _: None)  # never answered
    page.goto("/device")
    begin(page)
    resign(page)
    page.close()
    again = page.context.new_page()
    again.context.unroute("**/api/device-games")
    again.goto("/")
    assert len(joined(again)) == 1


@pytest.mark.slow
def test_a_game_joins_at_its_end_and_when_the_network_is_back(new_page: NewPage, faults: Faults) -> None:
    faults.allow(GONE)
    page = new_page()
    page.goto("/device")
    begin(page)
    resign(page)
    assert len(joined(page)) == 1
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("[data-main]")).to_be_visible()
    page.context.set_offline(True)
    resign(page)
    assert page.evaluate(JOINING) == 1
    page.context.set_offline(False)
    assert len(joined(page)) == 2


ELSEWHERE: Final = {
    "en-GB": ("without a connection", "1 of them was played without a connection."),
    "de-CH": ("ohne Verbindung", "1 davon wurde ohne Verbindung gespielt."),
    "fr-CH": ("sans connexion", "1 d’entre elles a été jouée sans connexion."),
}


@pytest.mark.slow
@sweep("locale", ELSEWHERE)
def test_a_joined_game_is_marked_on_other_devices(new_page: NewPage, locale: str) -> None:
    page = new_page(locale=locale, **PHONE)
    page.goto("/device")
    begin(page)
    page.locator("[data-main]").click()
    resign(page)
    assert len(joined(page)) == 1
    secret = page.request.post("/api/transfers").json()["secret"]
    other = new_page(locale=locale, **PHONE)
    assert other.request.post("/api/transfers/redeem", data={"secret": secret}).ok
    other.goto("/statistics")
    mark, counted = ELSEWHERE[locale]
    expect(other.get_by_text(counted)).to_be_visible(timeout=PATIENCE)
    assert axe(other) == []
    other.goto("/")
    line = other.locator(".finished .card")
    expect(line).to_contain_text(mark)
    assert axe(other) == []
    assert overflow(other) == 0
    line.locator("a").first.click()
    expect(other.locator("[data-step]")).to_be_visible(timeout=PATIENCE)


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


SENTENCES: Final = {
    "en-GB": {
        "no-wasm": "This browser forbids WebAssembly",
        "no-storage": "This browser stores no games",
        "full": "There is no room on this device",
        "damaged": "The program on this device was damaged",
        "no-files": "has to be loaded once",
        "insecure": "needs an address that begins with https",
        "failed": "could not be started here",
        "not-stored": "could not store the page itself",
    },
    "de-CH": {
        "no-wasm": "Dieser Browser verbietet WebAssembly",
        "no-storage": "Dieser Browser speichert keine Spiele",
        "full": "Auf diesem Gerät ist kein Platz",
        "damaged": "Das Programm auf diesem Gerät war beschädigt",
        "no-files": "muss einmal geladen werden",
        "insecure": "unter einer Adresse, die mit https beginnt",
        "failed": "liess sich hier nicht starten",
        "not-stored": "konnte die Seite selbst nicht speichern",
    },
    "fr-CH": {
        "no-wasm": "Ce navigateur interdit WebAssembly",
        "no-storage": "Ce navigateur n’enregistre aucune partie",
        "full": "Il n’y a pas assez de place",
        "damaged": "Le programme sur cet appareil était endommagé",
        "no-files": "doit être chargé une fois",
        "insecure": "une adresse qui commence par https",
        "failed": "n’a pas pu démarrer ici",
        "not-stored": "n’a pas pu enregistrer la page elle-même",
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


def before_worker(page: Page, script: str) -> None:
    """Let a script run in the worker before its own."""

    def prefix(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{script}\n{answer.text()}")

    page.context.route("**/pythonWorker-*.js", prefix)


@pytest.mark.slow
@pytest.mark.parametrize("locale", SENTENCES)
def test_an_address_without_https_is_one_sentence(new_page: NewPage, server: Server, faults: Faults, locale: str) -> None:
    faults.allow("Cross-Origin-Opener-Policy header has been ignored")
    page = new_page(locale=locale, **PHONE)
    page.goto(f"http://{NEIGHBOUR}:{server.port}/device")
    said(page, locale, "insecure")


@pytest.mark.slow
@pytest.mark.parametrize("locale", SENTENCES)
def test_a_page_that_could_not_be_stored_does_not_promise_to_open(new_page: NewPage, locale: str) -> None:
    """Pages of tests have no service worker, unless they ask for one."""
    page = new_page(locale=locale, **PHONE)
    page.goto("/device")
    expect(page.locator("main").get_by_text(SENTENCES[locale]["not-stored"])).to_be_visible()
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
@pytest.mark.parametrize("game", ["Yam Master", "Yamm"])
@pytest.mark.parametrize("locale", SENTENCES)
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


def tell_worker(page: Page, message: str) -> None:
    """Send a message to a script of `before_worker` and wait until it has come."""
    page.evaluate(
        """(message) => new Promise((done) => {
             const channel = new BroadcastChannel('test');
             channel.onmessage = done;
             channel.postMessage(message);
           })""",
        message,
    )


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
