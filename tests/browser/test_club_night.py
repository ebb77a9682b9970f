"""A club night of twelve with real dice and no internet: a laptop serves, phones enter by a link,
the projector follows, and the results are printed.

With `DICECUP_PICTURES=docs/images` it also takes the pictures of docs/club-night.md, and with
`DICECUP_LANGUAGE=de` or `fr` besides those of the guide in that language.
"""

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from dicecup.locale import Messages
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, Server, axe, overflow, painted, wait_until

LANGUAGE: Final = os.environ.get("DICECUP_LANGUAGE", "en")
words: Final = Messages(LANGUAGE)
LOCALE: Final = {"en": "en-GB", "de": "de-CH", "fr": "fr-CH"}[LANGUAGE]
TITLE: Final = {"en": "Club night", "de": "Spielabend", "fr": "Soirée de club"}[LANGUAGE]
PHONE: Final[Json] = {
    "locale": LOCALE,
    "viewport": {"width": 375, "height": 667},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
LAPTOP: Final[Json] = {"locale": LOCALE, "viewport": {"width": 1280, "height": 800}}
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
        page.screenshot(
            path=Path(folder) / f"club-night-{name}{'' if LANGUAGE == 'en' else f'.{LANGUAGE}'}.png",
            scale="css",
            animations="disabled",
        )


def said(key: str, **names: str) -> re.Pattern[str]:
    """Return a pattern for the beginning of a message with names, around which the page puts marks
    of direction."""
    marked = words(key, **dict.fromkeys(names, "NAME"), table="TABLE") if names else words(key)
    pattern = re.escape(marked.replace("\u00a0", " ")).partition("TABLE")[0].replace("\\ ", "\\s")
    for name in names.values():
        pattern = pattern.replace("NAME", f".?{re.escape(name) if name else ''}.*?", 1)
    return re.compile(f"^{pattern}")


def enter_by_hand(organiser: Page, *names: str) -> None:
    for name in names:
        organiser.get_by_label(words("ui_tournament_person"), exact=True).fill(name)
        organiser.get_by_role("button", name=words("ui_tournament_add")).click()
        expect(organiser.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def entered(page: Page, place: str, name: str) -> None:
    """Enter by the link that the code on the projector holds."""
    page.goto(place)
    page.get_by_label(words("ui_start_your_name")).fill(name)
    page.get_by_role("button", name=words("ui_tournament_enter"), exact=True).tap()
    expect(page.get_by_text(said("ui_tournament_you", name=name))).to_be_visible()


def winner(names: str) -> str:
    """Return which of two names wins."""
    return next(name for name in WINS if re.search(rf"\b{name}\b", names))


def enter_results(organiser: Page, phones: dict[str, Page]) -> None:
    """Enter the results of a round: players with a phone their own, the organiser the others."""
    for name, phone in phones.items():
        own = phone.get_by_role("button", name=words("ui_tournament_enter_result"), exact=True)
        you = phone.request.get(f"/api{phone.url.removeprefix(phone.url.partition('/tournaments')[0])}").json()["you"]
        expect(own).to_have_count(0 if you["pairing"] is None else 1)
        if you["pairing"] is not None:
            own.tap()
            names = phone.get_by_role("dialog").locator(".pair").inner_text()
            phone.get_by_role("radio", name=said("ui_tournament_wins", name=winner(names))).check()
            if name == "Carla":
                assert (axe(phone), overflow(phone)) == ([], 0)
            phone.get_by_role("button", name=words("ui_tournament_save")).tap()
            expect(phone.get_by_role("dialog")).to_be_hidden()
    organiser.get_by_role("link", name=words("ui_tournament_pairings"), exact=True).click()
    missing = organiser.get_by_role("button", name=said("ui_tournament_result_of", names=""))
    expect(organiser.get_by_role("list")).to_be_visible()
    while left := missing.count():
        names = str(missing.first.get_attribute("aria-label"))
        missing.first.click()
        organiser.get_by_role("dialog").get_by_role("radio", name=said("ui_tournament_wins", name=winner(names))).check()
        organiser.get_by_role("button", name=words("ui_tournament_save")).click()
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
    organiser.get_by_role("link", name=words("ui_tournaments")).click()
    organiser.get_by_role("link", name=words("ui_tournament_new")).click()
    organiser.get_by_label(words("ui_tournament_name")).fill(TITLE)
    organiser.get_by_label(words("ui_tournament_rounds"), exact=True).fill("4")
    organiser.get_by_label(words("ui_tournament_dice_results")).check()
    picture(organiser, "new")
    organiser.get_by_role("button", name=words("ui_tournament_create")).click()
    organiser.wait_for_url("**/manage")
    link = organiser.get_by_role("textbox", name=words("ui_tournament_link")).input_value()
    assert link.startswith(f"{LINK}/tournaments/")
    screen.goto(f"{link.removeprefix(LINK)}/screen")
    expect(screen.get_by_role("img", name=words("ui_share_code_of", what=words("ui_tournament_link")))).to_be_visible()
    phones = {name: new_page(laptop, **PHONE) for name in BY_PHONE}
    for name, phone in phones.items():
        entered(phone, link.removeprefix(LINK), name)
    enter_by_hand(organiser, *BY_HAND)
    expect(screen.get_by_text("Kim")).to_be_visible()
    picture(screen, "entries")
    picture(organiser, "organise")
    for number in (1, 2, 3, 4):
        organiser.get_by_role("button", name=words("ui_tournament_start_round", round=number)).click()
        expect(screen.get_by_role("heading", name=words("ui_tournament_round", round=number))).to_be_visible()
        if number == 1:
            expect(screen.get_by_text(words("ui_tournament_bye"), exact=True)).to_be_visible()
            assert printed(organiser, words("ui_tournament_pairings")).startswith(b"%PDF")
            expect(
                phones["Ben"].get_by_text(
                    re.compile(f"{said('ui_tournament_play_at', name='').pattern}|{said('ui_tournament_bye_now').pattern}")
                )
            ).to_be_visible()
            picture(phones["Ben"], "phone")
            enter_by_hand(organiser, LATE)
        enter_results(organiser, phones)
        if number == 3:
            picture(organiser, "pairings")
            expect(screen.get_by_text("…", exact=True)).to_have_count(0)
            picture(screen, "screen")
        organiser.get_by_role("link", name=words("ui_tournament_manage")).click()
    expect(screen.get_by_text(said("ui_tournament_winner", names="Anna"))).to_be_visible()
    picture(screen, "winner")
    for language in ("de", "en", "fr"):
        organiser.get_by_label(words("ui_tournament_print_language")).select_option(language)
        pages = [printed(organiser, name) for name in (words("ui_tournament_standings"), words("ui_tournament_crosstable"))]
        assert all(page.startswith(b"%PDF") for page in pages)
    organiser.get_by_role("link", name=words("ui_tournament_crosstable"), exact=True).click()
    expect(organiser.get_by_role("row")).to_have_count(13)
    picture(organiser, "crosstable")
    organiser.get_by_role("link", name=words("ui_tournament_standings"), exact=True).click()
    expect(organiser.get_by_role("heading", level=1)).to_have_text(re.compile(f"{TITLE}.*{words('ui_tournament_standings')}"))
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
    organiser.get_by_role("button", name=words("ui_tournament_start_round", round=1)).click()
    for phone in phones.values():
        phone.get_by_role("link", name=words("ui_tournament_to_table")).tap()
        expect(phone.locator("[data-main]")).to_be_visible()
    faces = [phone.get_by_role("group", name="What the dice show") for phone in phones.values()]
    wait_until(organiser, lambda: sum(each.count() for each in faces) == 1)  # on the phone of the player on turn
