"""The store of the games on a device, in IndexedDB."""

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.browser.node_program import HERE, run_node

TABLE: Final = "0" * 20


@pytest.fixture
def blank(page: Page) -> Page:
    """A page with the module ui/src/device/browserStore.ts, and `wanted`: the durability of each
    transaction that writes."""
    page.goto("/api/games")
    page.evaluate(
        """() => {
             const { transaction } = IDBDatabase.prototype;
             window.wanted = [];
             IDBDatabase.prototype.transaction = function (stores, mode, options) {
               if (mode === 'readwrite') window.wanted.push(options?.durability);
               return transaction.call(this, stores, mode, options);
             };
           }"""
    )
    page.evaluate(
        f"() => {{ {run_node(HERE / 'bundle_runner.mjs', '/ui/src/device/browserStore.ts')}; window.tested = tested; }}"
    )
    page.evaluate("() => { window.store = new tested.BrowserStore(); }")
    return page


def append(page: Page, *numbers: int) -> Any:
    """Save events with these numbers and return the answer."""
    rows = [[number, 1.5, f"event {number}", ""] for number in numbers]
    appends = json.dumps([{"table": TABLE, "rows": rows, "line": f"line {numbers[-1]}"}])
    return json.loads(page.evaluate("(appends) => store.append(appends)", appends))


def stored(page: Page) -> list[int]:
    return [number for number, *_ in json.loads(page.evaluate("(table) => store.rows(table, 0)", TABLE))]


def test_events_are_stored_in_order_and_once(blank: Page) -> None:
    """An event is refused without its predecessor, which the user has deleted, and where another
    page has stored one with its number."""
    assert append(blank, 1, 2) is True
    assert append(blank, 2) is False
    assert append(blank, 4) == {"refused": "table-incomplete"}
    assert append(blank, 3) is True
    assert stored(blank) == [1, 2, 3]
    assert json.loads(blank.evaluate("() => store.lines()")) == ["line 3"]


def test_a_finished_game_waits_for_the_server(blank: Page) -> None:
    """It is stored with the end of the game, and forgotten when the server has it."""
    for number, joins in ((1, None), (2, "the body")):
        appends = [{"table": TABLE, "rows": [[number, 1.5, "event", ""]], "line": "line", "joins": joins}]
        assert blank.evaluate("(appends) => store.append(appends)", json.dumps(appends)) == "true"
        found = blank.evaluate("() => store.joining()")
        assert found == ([{"table": TABLE, "body": joins}] if joins else [])
    blank.evaluate("(table) => store.joined(table)", TABLE)
    assert blank.evaluate("() => store.joining()") == []
    assert stored(blank) == [1, 2]


def test_games_of_an_earlier_version_stay(blank: Page) -> None:
    blank.evaluate(
        """(table) => new Promise((done) => {
             const asked = indexedDB.open('dicecup', 1);
             asked.onupgradeneeded = () => {
               asked.result.createObjectStore('events', { keyPath: ['table', 'number'] });
               asked.result.createObjectStore('lines', { keyPath: 'table' });
               asked.result.createObjectStore('device').add('ab', 'key');
             };
             asked.onsuccess = () => {
               const transaction = asked.result.transaction(['events', 'lines'], 'readwrite');
               transaction.objectStore('events').add({ table, number: 1, time: 1.5, body: 'event', command: '' });
               transaction.objectStore('lines').add({ table, line: 'line' });
               transaction.oncomplete = () => { asked.result.close(); done(); };
             };
           })""",
        TABLE,
    )
    assert stored(blank) == [1]
    assert blank.evaluate("() => store.key()") == "ab"
    assert append(blank, 2) is True
    assert blank.evaluate("() => store.joining()") == []


def test_a_change_is_on_the_disk_before_it_is_shown(blank: Page) -> None:
    key = blank.evaluate("() => store.key()")
    append(blank, 1)
    assert blank.evaluate("() => wanted") == ["strict", "strict"]
    assert blank.evaluate("() => store.key()") == key


def handed(page: Page, number: int, returns: str | None, joins: str | None = None) -> None:
    """Save an event of a game that belongs to a table of the server."""
    row = [number, 1.5, f"event {number}", ""]
    append = {"table": TABLE, "rows": [row], "line": "line", "joins": joins, "origin": "at the server", "returns": returns}
    assert json.loads(page.evaluate("(appends) => store.append(appends)", json.dumps([append]))) is True


def test_a_game_of_the_server_is_forgotten_when_the_server_has_all_of_it(blank: Page) -> None:
    handed(blank, 1, "first")
    handed(blank, 2, None)  # a computer is next
    (entry,) = blank.evaluate("() => store.returning()")
    assert (entry["body"], entry["number"], entry["origin"], entry["kept"]) == ("first", 1, "at the server", False)
    assert blank.evaluate("(table) => store.returned(table, 1)", TABLE) is False
    assert stored(blank) == [1, 2]
    handed(blank, 3, "third")
    assert blank.evaluate("(table) => store.returned(table, 3)", TABLE) is True
    assert stored(blank) == blank.evaluate("() => store.returning()") == json.loads(blank.evaluate("() => store.lines()")) == []


def test_a_game_that_the_server_does_not_take_back_joins_as_one_of_the_device(blank: Page) -> None:
    """Whether it was over when it was refused, or ends later."""
    handed(blank, 1, "first")
    handed(blank, 2, "second", "the body")
    handed(blank, 3, None)  # a rematch was asked for
    assert blank.evaluate("() => store.joining()") == []
    blank.evaluate("(table) => store.keep(table)", TABLE)
    assert [entry["kept"] for entry in blank.evaluate("() => store.returning()")] == [True]
    assert blank.evaluate("() => store.joining()") == [{"table": TABLE, "body": "the body"}]
    handed(blank, 4, "fourth", "a later body")
    assert blank.evaluate("() => store.joining()") == [{"table": TABLE, "body": "a later body"}]
    assert [entry["body"] for entry in blank.evaluate("() => store.returning()")] == [None]
