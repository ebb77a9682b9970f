"""All screens on which people meet and compete, in three languages: light on a phone and dark on a
desktop, or the other way round. With `DICECUP_SCREENSHOTS=FOLDER` pictures of all combinations are
kept, to be looked at."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from dicecup.locale import Messages
from tests.browser.conftest import NewPage, needed
from tests.browser.harness import Json, Server, axe, command, overflow, painted, resized, table
from tests.browser.test_account import authenticator
from tests.browser.test_admin import PARTS as ADMIN
from tests.browser.test_admin import grant
from tests.browser.test_lobby import LISTED, have_played
from tests.browser.test_ratings import RATED, play_turns
from tests.browser.test_tournaments import PARTS, RESULTS, made, sent

SIZES: Final = ((360, 740), (1440, 900))
SCHEMES: Final = ("light", "dark")
FOLDER: Final = os.environ.get("DICECUP_SCREENSHOTS")
LONG: Final = "Bartholomäus Freiherr von Winterfeld"
LOCALES: Final = {"en": "en-GB", "de": "de-CH", "fr": "fr-CH"}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which everyone plays rated games."""
    needed()
    served = Server(tmp_path_factory.mktemp("club"), {"DICECUP_RATED": "everyone"})
    served.start()
    yield served
    served.end()


FOCUSED: Final = """() => {
  const focused = document.activeElement;
  if (focused === document.body || focused === document.documentElement) return null;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const isSeen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right > left && bottom > top;
  const around = [focused, focused.parentElement, focused.closest('label')].filter(Boolean);
  const isMarked = around.some((each) => getComputedStyle(each).outlineStyle !== 'none');
  return [isSeen && isMarked, focused.outerHTML.slice(0, 160)];
}"""
"""Whether the focus is in the window and has an outline, and the element that has it."""
MOST_STOPS: Final = 80
"""Elements that a screen may have for the Tab key."""


class Cast(NamedTuple):
    """The pages of a test: `page` is looked at, Ben is another person. `t`: the texts."""

    page: Page
    ben: Page
    server: Server
    t: Messages

    def seen(self, screen: str) -> list[str]:
        """Return what is wrong with the screen, and keep pictures: German is dark on a phone, the
        other languages are light there."""
        wrong = []
        for scheme in SCHEMES:
            self.page.emulate_media(color_scheme=scheme)
            is_phone = (scheme == "dark") == (self.t.language == "de")
            for width, height in SIZES if FOLDER else SIZES[:1] if is_phone else SIZES[1:]:
                resized(self.page, width, height)
                where = f"{screen} {self.t.language} {scheme} {width}: "
                wrong += [where + found for found in axe(self.page)]
                if wider := overflow(self.page):
                    wrong.append(f"{where}{wider} px too wide")
                if FOLDER:
                    Path(FOLDER).mkdir(parents=True, exist_ok=True)
                    name = f"{screen}-{self.t.language}-{width}-{scheme}"
                    painted(self.page)
                    self.page.screenshot(path=f"{FOLDER}/{name}.png", full_page="dialog" not in screen, animations="disabled")
        return wrong + [f"{screen} {self.t.language}: {found}" for found in self._unmarked()]

    def _unmarked(self) -> list[str]:
        """Return the elements that have the focus without showing it, all that the Tab key
        reaches."""
        wrong, seen = [], set[str]()
        for _ in range(MOST_STOPS):
            self.page.keyboard.press("Tab")
            found = self.page.evaluate(FOCUSED)
            if found is None or found[1] in seen:
                break
            seen.add(found[1])
            if not found[0]:
                wrong.append(f"no visible focus: {found[1]}")
        return wrong

    def go(self, path: str) -> None:
        self.page.goto(path)
        expect(self.page.locator("main h1").first).to_be_visible()
        self.page.wait_for_load_state("networkidle")

    def button(self, key: str) -> Any:
        return self.page.get_by_role("button", name=self.t(key), exact=True)


def account(cast: Cast) -> Iterator[str]:
    authenticator(cast.page)
    cast.go("/account")
    yield "account-none"
    cast.page.get_by_label(cast.t("ui_account_handle"), exact=True).fill(f"Anna_{cast.t.language}")
    cast.button("ui_account_create_do").click()
    expect(cast.page.locator("ol code")).to_have_count(10)
    yield "account-codes"
    cast.button("ui_account_codes_done").click()
    expect(cast.page.locator("ol code")).to_have_count(0)
    yield "account"
    cast.button("ui_account_delete").click()
    yield "account-delete"
    assert cast.page.request.put("/api/account", data={"handle": f"Anna_{cast.t.language}", "public": True}).ok
    for path in ("/archive", "/privacy", "/sign-in", "/mail"):
        cast.go(path)
        yield path[1:]
    cast.go(f"/people/Anna_{cast.t.language}")
    yield "profile"


def meeting(cast: Cast) -> Iterator[str]:
    have_played(cast.page, cast.ben)
    yield "result-duel"
    table(cast.ben, LISTED, LONG)
    cast.go("/")
    meet = cast.page.get_by_role("button", name=re.compile(f"^{re.escape(cast.t('ui_lobby'))}"))
    meet.click()
    cast.page.locator("main summary", has_text=cast.t("ui_lobby_people_played")).click()
    expect(cast.page.get_by_role("listitem").filter(has_text="Ben").first).to_be_visible()
    yield "lobby"
    cast.page.get_by_role(
        "button", name=re.compile(re.escape(cast.t("ui_report_at", names="").partition(":")[0].strip()))
    ).first.click()
    expect(cast.page.get_by_role("dialog")).to_be_visible()
    yield "dialog-report"
    cast.page.keyboard.press("Escape")
    cast.button("ui_lobby_play_now").click()
    expect(cast.button("ui_lobby_cancel")).to_be_visible()
    yield "lobby-seeking"
    cast.button("ui_lobby_cancel").click()
    cast.go("/archive")
    yield "archive-games"


def talking(cast: Cast) -> Iterator[str]:
    game = table(cast.page, {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}, "Anna")
    yield "waiting-room"
    number = cast.page.request.get(f"/api/tables/{game['table']}").json()["number"]
    sit = {"id": "sit", "version": number, "command": {"type": "sit", "name": "Ben"}}
    headers = {"Dicecup-Key": game["join_key"]}
    assert cast.ben.request.post(f"/api/tables/{game['table']}/commands", data=sit, headers=headers).ok
    for phrase in ("hello", "good-luck"):
        command(cast.ben, game, type="say", phrase=phrase)
    expect(cast.page.locator("[data-bubble]")).to_be_visible()
    cast.page.get_by_role("button", name=cast.t("ui_talk_new")).press("Enter")
    expect(cast.page.get_by_role("dialog")).to_be_visible()
    yield "dialog-talk"
    cast.page.get_by_role("dialog").locator("li[data-event] button").first.press("Enter")
    yield "dialog-report-line"
    cast.page.keyboard.press("Escape")
    cast.page.keyboard.press("Escape")
    expect(cast.page.get_by_role("dialog")).to_have_count(0)
    expect(cast.page.get_by_role("button", name=cast.t("ui_talk"))).to_be_focused()


def tournaments(cast: Cast) -> Iterator[str]:
    tournament = made(cast.page, RESULTS | {"best_of": 3, "listed": True}, ("Ben", LONG, "Carla", "Dan"))
    sent(cast.page, tournament, type="enter", name="Anna")
    sent(cast.page, tournament, type="start-round")
    pairing = cast.page.request.get(f"/api/tournaments/{tournament}").json()["view"]["pairings"][0]["pairing"]
    sent(cast.page, tournament, type="enter-result", pairing=pairing, game=1, result="won")
    for place in ("", "/new", *(f"/{tournament}{part}" for part in PARTS)):
        cast.go(f"/tournaments{place}")
        for details in cast.page.locator("main details").all():
            details.evaluate("element => (element.open = true)")
        yield f"tournaments{place}".replace(f"/{tournament}", "-one").replace("/", "-")


def competing(cast: Cast) -> Iterator[str]:
    game = table(cast.page, RATED, "Anna")
    ben = cast.ben
    headers = {"Dicecup-Key": game["join_key"]}
    number = ben.request.get(f"/api/tables/{game['table']}", headers=headers).json()["number"]
    sit = {"id": "sit2", "version": number, "command": {"type": "sit", "name": "Ben"}}
    assert ben.request.post(f"/api/tables/{game['table']}/commands", data=sit, headers=headers).ok
    ben.goto(f"/tables/{game['table']}")
    play_turns({0: cast.page, 1: ben}, game, 2)
    yield "table-rated"
    command(ben, game, type="resign")
    expect(cast.page.locator("[data-rating]")).to_contain_text("→")
    yield "result-rated"
    event: Json = cast.page.request.post(
        "/api/events", data={"kind": "four", "game": "yamm", "rated": True, "name": "Anna"}
    ).json()
    places = {"ratings": "/ratings", "events": "/events", "calendar": "/events/calendar"}
    for name, path in (places | {"event": f"/events/{event['event']['event']}"}).items():
        cast.go(path)
        yield name


def looking_after(cast: Cast) -> Iterator[str]:
    grant(cast.page, cast.server)
    for part in ADMIN:
        cast.go(f"/admin{part}")
        yield f"admin{part}".replace("/", "-")


@pytest.mark.slow
@pytest.mark.parametrize("screens", [account, meeting, talking, tournaments, competing, looking_after])
@pytest.mark.parametrize("language", LOCALES)
def test_every_screen_can_be_read_by_all(
    new_page: NewPage, club: Server, language: str, screens: Callable[[Cast], Iterator[str]]
) -> None:
    address = club.url.replace("127.0.0.1", "localhost")  # passkeys need a name
    page, ben = (new_page(club, base_url=address, locale=LOCALES[language]) for _ in range(2))
    for each in (page, ben):
        assert each.request.get("/api/me").ok
    cast = Cast(page, ben, club, Messages(language))
    assert [found for screen in screens(cast) for found in cast.seen(screen)] == []
