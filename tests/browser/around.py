"""Players around a table: joining, playing, announcements; and a proxy between a page and its
server."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, command

DUEL: Json = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}
IGNORED = r" is offline\.$|^Connecting to the table …$|^The server was offline for "
"""What is announced only because the cores are busy."""
SHEETS: Json = {"game": "yamm", "seats": [{}, {}], "dice": "table"}


def joined(new_page: NewPage, made: Json, name: str = "Ben", **options: Any) -> Page:
    """Return the browser of another person who has joined by the link. No page of the table is open
    in it."""
    guest = new_page(**options)
    assert guest.request.get("/api/me").ok
    place, key = f"/api/tables/{made['table']}", {"Dicecup-Key": made["join_key"]}
    answer = None
    for _ in range(5):
        number = guest.request.get(place, headers=key).json()["number"]
        sit = {"id": "sit", "version": number, "command": {"type": "sit", "name": name}}
        answer = guest.request.post(f"{place}/commands", data=sit, headers=key)
        if answer.status != 409:  # the other page may have sent its commitment meanwhile
            break
    assert answer is not None
    assert answer.ok, answer.text()
    return guest


def play(by: Page, made: Json, *texts: str) -> None:
    """Enter dice and act over HTTP: `play(anna, made, "11346", "k11", …)`."""
    for text in texts:
        if re.fullmatch(r"[1-6]{5}|~", text):
            command(by, made, type="enter-dice", dice=text)
        else:
            command(by, made, type="act", action=text)


def expect_announcements(page: Page, *sentences: str) -> None:
    """Wait for these announcements and assert that no others came. Isolates around names are left
    out.

    Players without an open page count as offline after a while, and a slow connection or server is
    announced; these are ignored."""
    wanted = list(sentences)
    heard = f"window.__said.filter((sentence) => !/{IGNORED}/.test(sentence))"
    page.wait_for_function(f"(count) => {heard}.length >= count", arg=len(wanted))
    # read and cleared in one call, so that no announcement is lost
    taken = page.evaluate(f"() => {{ const told = {heard}; window.__said.length = 0; return told; }}")
    told = [sentence.replace("\u2068", "").replace("\u2069", "") for sentence in taken]
    assert told == wanted, told


def menu(page: Page, name: str) -> None:
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=name).click()


class Trouble(Exception):  # noqa: N818 a message to the page
    """Raised by a change to simulate a database that does not answer."""


def change_views(page: Page, change: Callable[[Json], None], sent: list[Json] | None = None, age: int = 0) -> None:
    """Change every view of a running game on its way from the server to the page.

    `sent` collects the commands of the page. The first command is made to look `age` versions old.
    """

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        seen: Json = {}

        def down(text: str | bytes) -> None:
            message = json.loads(text)
            if message.get("view"):
                seen.update(message["view"])
                message["view"] = deepcopy(seen)
            if message.get("view") and len(message["view"]["order"]):
                try:
                    change(message["view"])
                except Trouble:
                    message |= {"events": [], "view": None, "trouble": "storage-down"}
            socket.send(json.dumps(message))

        def up(text: str | bytes) -> None:
            message = json.loads(text)
            if sent is not None and message["type"] == "command":
                message["version"] -= 0 if sent else age
                sent.append(message["command"])
            server.send(json.dumps(message))

        server.on_message(down)
        socket.on_message(up)

    page.route_web_socket(re.compile("/ws/tables/"), route)
