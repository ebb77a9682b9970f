"""A club night of twelve with real dice and no internet: a laptop serves, phones enter by a link,
the projector follows, and the results are printed.

With `DICECUP_PICTURES=docs/images` it also takes the pictures of docs/club-night.md.
"""

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Json, Server, axe, overflow, painted, wait_until

PHONE: Final[Json] = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LAPTOP: Final[Json] = {"viewport": {"width": 1280, "height": 800}}
LINK: Final = "http://192.168.1.20:8421"
"""The address of the laptop in the network of the club, as the pictures show it."""
BY_PHONE: Final = ("Anna", "Ben", "Carla")
BY_HAND: Final = ("Dan", "Eve", "Finn", "Gina", "Hugo", "Ida", "Jan", "Kim")
LATE: Final = "Lea"
WINS: Final = (*BY_PHONE, *BY_HAND, LATE)
"""Who comes first in this list wins."""
pytestmark = pytest.mark.slow


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Server]:
    """The server of an empty machine whose links work in the network of the club."""
    served = Server(tmp_path, {"DICECUP_PUBLIC_URL": LINK})
    with socket.create_server(("127.0.0.1", 0)) as free:
        served.port = port = free.getsockname()[1]
    served.start()
    served.port = port  # the server prints the address of its links
    yield served
    served.end()


def picture(page: Page, name: str) -> None:
    """Take a picture for the documentation, if it is wanted."""
    assert (axe(page), overflow(page)) == ([], 0)
    folder = os.environ.get("DICECUP_PICTURES")
    if folder:
        page.mouse.move(0, 0)
        painted(page)
        page.screenshot(path=Path(folder) / f"club-night-{name}.png", scale="css", animations="disabled")


def enter_by_hand(organiser: Page, *names: str) -> None:
    for name in names:
        organiser.get_by_label("Name", exact=True).fill(name)
        organiser.get_by_role("button", name="Enter a person").click()
        expect(organiser.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def entered(page: Page, place: str, name: str) -> None:
    """Enter by the link that the code on the projector holds."""
    page.goto(place)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Enter", exact=True).tap()
    expect(page.get_by_text(re.compile(f"^You: .*{name}"))).to_be_visible()


def winner(names: str) -> str:
    """Return which of two names wins."""
    return next(name for name in WINS if re.search(rf"\b{name}\b", names))


def enter_results(organiser: Page, phones: dict[str, Page]) -> None:
    """Enter the results of a round: players with a phone their own, the organiser the others."""
    for name, phone in phones.items():
        own = phone.get_by_role("button", name="Enter the result", exact=True)
        you = phone.request.get(f"/api{phone.url.removeprefix(phone.url.partition('/tournaments')[0])}").json()["you"]
        expect(own).to_have_count(0 if you["pairing"] is None else 1)
        if you["pairing"] is not None:
            own.tap()
            names = phone.get_by_role("dialog").locator(".pair").inner_text()
            phone.get_by_role("radio", name=re.compile(f"{winner(names)}.? wins")).check()
            if name == "Carla":
                assert (axe(phone), overflow(phone)) == ([], 0)
            phone.get_by_role("button", name="Save the result").tap()
            expect(phone.get_by_role("dialog")).to_be_hidden()
    organiser.get_by_role("link", name="Pairings", exact=True).click()
    missing = organiser.get_by_role("button", name=re.compile("^Result"))
    expect(organiser.get_by_role("list")).to_be_visible()
    while left := missing.count():
        names = str(missing.first.get_attribute("aria-label"))
        missing.first.click()
        organiser.get_by_role("dialog").get_by_role("radio", name=re.compile(f"{winner(names)}.? wins")).check()
        organiser.get_by_role("button", name="Save the result").click()
        expect(organiser.get_by_role("dialog")).to_be_hidden()
        expect(missing).to_have_count(left - 1)


def printed(organiser: Page, name: str) -> bytes:
    """Return a printed page."""
    with organiser.expect_download() as waiting:
        organiser.get_by_role("link", name=f"{name} (PDF)").click()
    return Path(waiting.value.path()).read_bytes()


def test_twelve_people_play_a_club_night_with_real_dice(laptop: Server, new_page: NewPage) -> None:
    organiser, screen = new_page(laptop, **LAPTOP), new_page(laptop, **LAPTOP)
    organiser.goto("/")
    organiser.get_by_role("link", name="Tournaments").click()
    organiser.get_by_role("link", name="New tournament").click()
    organiser.get_by_label("Name of the tournament").fill("Club night")
    organiser.get_by_label("Rounds", exact=True).fill("4")
    organiser.get_by_label("Real dice, results only").check()
    picture(organiser, "new")
    organiser.get_by_role("button", name="Create the tournament").click()
    organiser.wait_for_url("**/manage")
    link = organiser.get_by_role("textbox", name="Link to the tournament").input_value()
    assert link.startswith(f"{LINK}/tournaments/")
    screen.goto(f"{link.removeprefix(LINK)}/screen")
    expect(screen.get_by_role("img", name="QR code: Link to the tournament")).to_be_visible()
    phones = {name: new_page(laptop, **PHONE) for name in BY_PHONE}
    for name, phone in phones.items():
        entered(phone, link.removeprefix(LINK), name)
    enter_by_hand(organiser, *BY_HAND)
    expect(screen.get_by_text("Kim")).to_be_visible()
    picture(screen, "entries")
    picture(organiser, "organise")
    for number in (1, 2, 3, 4):
        organiser.get_by_role("button", name=f"Start round {number}").click()
        expect(screen.get_by_role("heading", name=f"Round {number}")).to_be_visible()
        if number == 1:
            expect(screen.get_by_text("bye", exact=True)).to_be_visible()
            assert printed(organiser, "Pairings").startswith(b"%PDF")
            expect(phones["Ben"].get_by_text(re.compile("^You play|^You have a bye"))).to_be_visible()
            picture(phones["Ben"], "phone")
            enter_by_hand(organiser, LATE)
        enter_results(organiser, phones)
        if number == 3:
            picture(organiser, "pairings")
            expect(screen.get_by_text("…", exact=True)).to_have_count(0)
            picture(screen, "screen")
        organiser.get_by_role("link", name="Organise").click()
    expect(screen.get_by_text(re.compile("^Winner: .*Anna"))).to_be_visible()
    picture(screen, "winner")
    for language in ("de", "en", "fr"):
        organiser.get_by_label("Language of the printed pages").select_option(language)
        pages = [printed(organiser, name) for name in ("Standings", "Crosstable")]
        assert all(page.startswith(b"%PDF") for page in pages)
    organiser.get_by_role("link", name="Crosstable", exact=True).click()
    expect(organiser.get_by_role("row")).to_have_count(13)
    picture(organiser, "crosstable")
    organiser.get_by_role("link", name="Standings", exact=True).click()
    expect(organiser.get_by_role("heading", level=1)).to_have_text("Club night: Standings")
    expect(organiser.get_by_role("row").nth(1)).to_contain_text("Anna")
    expect(organiser.get_by_role("row")).to_have_count(1 + len(WINS))


def test_tables_type_their_dice(laptop: Server, new_page: NewPage) -> None:
    organiser = new_page(laptop, **LAPTOP)
    organiser.request.get("/api/me")
    setup: dict[str, Any] = {"name": "Dice", "format": "knock-out", "game": "yam-master", "dice": "table"}
    answer = organiser.request.post("/api/tournaments", data={"setup": setup})
    place = f"/tournaments/{answer.json()['tournament']}"
    phones = {name: new_page(laptop, **PHONE) for name in BY_PHONE[:2]}
    for name, phone in phones.items():
        entered(phone, place, name)
    organiser.goto(f"{place}/manage")
    organiser.get_by_role("button", name="Start round 1").click()
    for phone in phones.values():
        phone.get_by_role("link", name="To your table").tap()
        expect(phone.locator("[data-main]")).to_be_visible()
    faces = [phone.get_by_role("group", name="What the dice show") for phone in phones.values()]
    wait_until(organiser, lambda: sum(each.count() for each in faces) == 1)  # on the phone of the player on turn
