"""What the service worker does with the messages of a push service. Chromium delivers them; it has
no screen here for what is shown, so that a list takes its place."""

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Worker

from tests.browser.conftest import NewPage
from tests.browser.harness import SECONDS, Server

SCREEN: Final = """
() => {
  let waiting = [];
  const shown = [];
  const changed = () => waiting.splice(0).forEach((go) => go());
  self.registration.showNotification = async (title, options) => {
    const same = shown.findIndex(({ tag }) => tag === options.tag);
    if (same >= 0) shown.splice(same, 1);
    const close = () => (shown.splice(shown.findIndex(({ tag }) => tag === options.tag), 1), changed());
    shown.push({ title, ...options, close });
    changed();
  };
  self.registration.getNotifications = async ({ tag }) => shown.filter((one) => one.tag === tag);
  self.untilShown = async ([titles, patience]) => {
    const late = Date.now() + 1000 * patience;
    while (titles.join() !== shown.map(({ title }) => title).join()) {
      if (Date.now() >= late) throw Error('shown: ' + shown.map(({ title }) => title).join());
      await new Promise((go) => (waiting.push(go), setTimeout(go, 1000 * patience)));
    }
    return shown.map(({ close, ...rest }) => rest);
  };
  self.windows = [];
  self.clients.openWindow = async (path) => windows.push(['opened', path]);
  WindowClient.prototype.focus = async function () { windows.push(['focused', new URL(this.url).pathname]); };
}
"""
"""Script for the service worker: what is shown is a list, and `untilShown` waits for titles."""

Message = dict[str, Any]


def message(key: str, title: str, topic: str = "table") -> Message:
    """Return a message as the server sends it."""
    told = {"kind": "turn", "language": "en", "body": "Ben has played.", "path": "/tables/1"}
    return {"key": key, "title": title, "topic": topic} | told


@pytest.fixture
def told_page(new_page: NewPage, own_server: Server) -> Page:
    """A page with a service worker."""
    page = new_page(own_server, service_workers="allow")
    page.goto("/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    return page


def worker_of(page: Page) -> Worker:
    """Return the service worker of a page, with the script above."""
    (worker,) = page.context.service_workers
    worker.evaluate(SCREEN)
    return worker


class PushService:
    """Delivers messages to the service worker of a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        found: list[dict[str, Any]] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
        self._session.send("ServiceWorker.enable")
        while not found:
            page.evaluate("() => null")  # receives what the browser has sent
        self._receiver = {"origin": page.evaluate("location.origin"), "registrationId": found[0]["registrationId"]}

    def deliver(self, *messages: Message) -> None:
        """Deliver messages one after the other."""
        for each in messages:
            self._session.send("ServiceWorker.deliverPushMessage", self._receiver | {"data": json.dumps(each)})


def until_shown(worker: Worker, *titles: str) -> list[dict[str, Any]]:
    """Wait until messages with these titles are shown, and return all that they have."""
    shown: list[dict[str, Any]] = worker.evaluate("(wanted) => untilShown(wanted)", [titles, SECONDS])
    return shown


@pytest.mark.slow
def test_a_message_is_shown_once_and_a_later_one_of_its_table_replaces_it(told_page: Page) -> None:
    worker, service = worker_of(told_page), PushService(told_page)
    service.deliver(message("1", "Your turn"))
    (shown,) = until_shown(worker, "Your turn")
    assert shown == {
        "title": "Your turn",
        "body": "Ben has played.",
        "lang": "en",
        "tag": "table",
        "renotify": True,
        "icon": "/icon-192.png",
        "data": {"path": "/tables/1"},
    }
    service.deliver(message("2", "One hour left"))
    until_shown(worker, "One hour left")
    service.deliver(message("1", "Your turn"), message("3", "Your turn", "other"))
    until_shown(worker, "One hour left", "Your turn")


@pytest.mark.slow
def test_a_turn_that_was_taken_is_withdrawn(told_page: Page) -> None:
    worker, service = worker_of(told_page), PushService(told_page)
    service.deliver(message("1", "Your turn"), message("2", "A game is over", "other"))
    until_shown(worker, "Your turn", "A game is over")
    service.deliver({"kind": "withdrawn", "topic": "table"})
    until_shown(worker, "A game is over")


@pytest.mark.slow
def test_a_message_opens_its_table_or_the_window_that_has_it(told_page: Page) -> None:
    worker = worker_of(told_page)
    worker.evaluate("() => show('/tables/1')")
    worker.evaluate("() => show('/')")
    assert worker.evaluate("windows") == [["opened", "/tables/1"], ["focused", "/"]]
