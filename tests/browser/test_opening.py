"""From the form to the table: the page before it is seen until there is a table to see."""

import re
from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.harness import wait_until

RECORDED = """
(() => {
  const [begin, delay] = [document.startViewTransition.bind(document), window.setTimeout];
  window.setTimeout = (call, time, ...given) => (time === 1000 ? 0 : delay(call, time, ...given));
  window.__drawn = [];
  document.startViewTransition = (change) =>
    begin(() => change().then(() => window.__drawn.push(document.querySelector('main').innerText)));
})();
"""
"""Records what the page shows when a transition ends. The limit of a second never comes: a busy
machine may need longer."""


def test_the_form_is_seen_until_the_table_is_drawn(page: Page) -> None:
    held: list[Callable[[], None]] = []
    holding = True

    def route(socket: WebSocketRoute) -> None:
        def down(text: str | bytes) -> None:
            held.append(partial(socket.send, text))
            if not holding:
                held.pop()()

        socket.connect_to_server().on_message(down)

    page.route_web_socket(re.compile("/ws/tables/"), route)
    page.add_init_script(RECORDED)
    page.goto("/")
    page.get_by_role("button", name="Play the computer").first.click()
    page.wait_for_url(re.compile("/tables/"))
    wait_until(page, lambda: held)
    assert page.evaluate("window.__drawn") == []
    holding = False
    for send in held:
        send()
    page.wait_for_function("() => window.__drawn.length")
    assert "sealed" in page.evaluate("window.__drawn[0]")
    expect(page.locator("[data-players]")).to_be_visible()
