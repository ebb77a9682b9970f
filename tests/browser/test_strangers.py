"""Two strangers on two phones: they meet in the lobby and play, one leaves, is notified of the turn
and comes back on another device, and they play again."""

import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, needed
from tests.browser.harness import GONE, TOP, Faults, Server, axe, overflow, view, wait_until
from tests.browser.test_account import authenticator, create, move_passkeys
from tests.browser.test_lobby import meet, seek
from tests.browser.test_tell_me import tell_me
from tests.web.people.receivers import Mailbox, mail_server

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
LINK: Final = re.compile(r"http://\S+")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[Server, Mailbox]]:
    """A server that tells people early, and the mailbox to which it writes."""
    needed()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with mail_server() as (mailbox, smtp):
        environment = {
            "DICECUP_SMTP": smtp,
            "DICECUP_MAIL_FROM": "dice@example.org",
            "DICECUP_PUBLIC_URL": f"http://localhost:{port}",
            "PYTHONPATH": f"{TOP}:{TOP / 'src'}",
        }
        server = Server(tmp_path, environment, [sys.executable, "-m", "tests.browser.hasty_server"])
        server.port = port
        server.start()
        yield server, mailbox
        server.end()


def mails(mailbox: Mailbox, subject: str) -> list[str]:
    """Return the first link of each mail with a subject."""
    found = [mail for mail in mailbox.read if subject in str(mail["Subject"])]
    return [LINK.findall(mail.get_content())[0] for mail in found]


def take_turn(page: Page) -> None:
    """Throw once and take the first place that is offered, else pass."""
    main = page.locator("[data-main][aria-disabled=false]:not(.settling)")
    main.tap()
    place = page.locator("[data-square][aria-disabled=false]")
    passing = page.get_by_role("button", name="Pass", exact=True)
    expect(place.or_(passing).first).to_be_visible()
    (place if place.count() else passing).first.tap()


def seat_of(page: Page, table: str) -> int:
    seat: int = view(page, {"table": table})["you"][0]
    return seat


def on_turn(page: Page, table: str) -> int:
    seat: int = view(page, {"table": table})["turn"]["seat"]
    return seat


@pytest.mark.slow
def test_two_strangers_meet_play_part_and_meet_again(new_page: NewPage, world: tuple[Server, Mailbox], faults: Faults) -> None:
    server, mailbox = world
    site: dict[str, Any] = {"base_url": server.url.replace("127.0.0.1", "localhost")}
    anna, ben = new_page(**site, **PHONE), new_page(**site, **PHONE)

    # Anna makes an account and confirms a mail address
    keys = authenticator(anna)
    create(anna, "Anna")
    anna.get_by_role("button", name="I have stored them").tap()
    section = tell_me(anna)
    section.get_by_label("Mail address").fill("anna@example.org")
    section.get_by_role("button", name="Send the link").tap()
    expect(section.get_by_text("A mail is on its way")).to_be_visible()
    wait_until(anna, lambda: mails(mailbox, "Confirm"))
    anna.goto(mails(mailbox, "Confirm")[0])
    anna.get_by_role("button", name="Confirm").tap()
    expect(anna.locator("main").get_by_text("Mails go to anna@example.org.")).to_be_visible()

    # they meet and play
    for page, name in ((anna, "Anna"), (ben, "Ben")):
        meet(page)
        seek(page, name)
    for page in (anna, ben):
        page.wait_for_url("**/tables/*")
        expect(page.locator("[data-main]")).to_be_visible()
    table = anna.url.rpartition("/")[2]
    seats = {seat_of(page, table): page for page in (anna, ben)}
    for _ in range(4):
        turn = on_turn(ben, table)
        take_turn(seats[turn])
        wait_until(ben, lambda: on_turn(ben, table) != turn)  # noqa: B023 called at once

    # Anna closes the page and is notified of her turn
    if on_turn(ben, table) == seat_of(anna, table):
        take_turn(anna)
        wait_until(ben, lambda: on_turn(ben, table) == seat_of(ben, table))
    anna_sat = seat_of(anna, table)
    tablet = new_page(**site, viewport={"width": 820, "height": 1180}, has_touch=True)
    move_passkeys(keys, authenticator(tablet))
    anna.close()
    take_turn(ben)
    wait_until(ben, lambda: mails(mailbox, "Your turn"))
    (link,) = mails(mailbox, "Your turn")

    # she opens the link on another device, where nobody knows her
    faults.allow(f"404|{GONE}")  # the server ends before the pages
    tablet.goto(link)
    tablet.get_by_role("link", name="Sign in").tap()
    expect(tablet.get_by_role("button", name="Sign in with a passkey")).to_be_in_viewport()
    assert (axe(tablet), overflow(tablet)) == ([], 0)
    tablet.get_by_role("button", name="Sign in with a passkey").tap()
    tablet.wait_for_url(f"**/tables/{table}")
    assert seat_of(tablet, table) == anna_sat
    take_turn(tablet)
    wait_until(ben, lambda: on_turn(ben, table) != anna_sat)

    # the game ends, and both want another one
    ben.get_by_role("button", name="Table", exact=True).tap()
    ben.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    ben.get_by_role("dialog").locator(".danger").tap()
    for page in (tablet, ben):
        page.locator("[data-panel]").get_by_role("button", name="Play again").tap()
    for page in (tablet, ben):
        page.wait_for_url(lambda url: "/tables/" in url and table not in url)
        expect(page.locator("[data-main]")).to_be_visible()
