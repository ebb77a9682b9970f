"""Rated games in the page: choosing one, ratings at the table, what a game changed, the pages of
ratings, and the level that fits."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, needed
from tests.browser.harness import Json, Server, axe, command, overflow, table, view, wait_until

PHONE: Final[Json] = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
RATED: Final[Json] = {"game": "yam-master", "seats": [{}, {}], "first": 0, "rated": True}
FOLDER: Final = os.environ.get("DICECUP_SCREENSHOTS")


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[Server]:
    """A server on which everyone plays rated games."""
    needed()
    served = Server(tmp_path, {"DICECUP_RATED": "everyone"})
    served.start()
    yield served
    served.end()


def picture(page: Page, name: str) -> None:
    """Keep a picture of the page to be looked at, if a folder for it is given."""
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{FOLDER}/ratings-{name}.png")


def sit(page: Page, made: Json, name: str) -> None:
    """Join a rated table by its link."""
    page.goto(made["join"])
    expect(page.get_by_text("Rated game.")).to_be_visible()
    picture(page, f"joining-{name}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join the game").click()
    expect(page.locator("[data-players]")).to_be_visible()


def play_turns(pages: dict[int, Page], made: Json, turns: int) -> None:
    """Throw and pass until a turn begins."""
    while (seen := view(pages[0], made))["turn"] is None or seen["turn"]["number"] <= turns:
        demand = seen["demand"]
        if demand["what"] not in ("throw", "action") or not demand["seats"]:
            pages[0].wait_for_timeout(20)
            continue
        page = pages[demand["seats"][0]]
        if demand["what"] == "throw":
            command(page, made, type="throw")
        else:
            command(page, made, type="act", action=view(page, made)["actions"][-1]["action"])


@pytest.mark.slow
def test_a_rated_game_changes_the_ratings_of_both(open_server: Server, new_page: NewPage) -> None:
    anna, ben = new_page(open_server), new_page(open_server, **PHONE)
    made = table(anna, RATED)
    expect(anna.get_by_text("Rated game.")).to_be_visible()
    picture(anna, "waiting-room")
    assert axe(anna) == []
    ben.request.get("/api/me")
    sit(ben, made, "Ben")
    play_turns({0: anna, 1: ben}, made, 2)
    for page in (anna, ben):
        expect(page.locator("[data-players]").get_by_text("1500?")).to_have_count(2)
        assert (axe(page), overflow(page)) == ([], 0)
    picture(anna, "table-desktop")
    picture(ben, "table-phone")
    command(anna, made, type="resign")
    expect(anna.locator("[data-rating]")).to_contain_text("1500 → 1338 (−162)")
    expect(ben.locator("[data-rating]")).to_contain_text("1500 → 1662 (+162)")
    picture(anna, "result-desktop")
    picture(ben, "result-phone")
    for page in (anna, ben):
        assert (axe(page), overflow(page)) == ([], 0)
    ben.locator("[data-rating]").get_by_role("link", name="Ratings").click()
    expect(ben.get_by_role("heading", name="Yam Master · two players · slow")).to_be_visible()
    expect(ben.get_by_text("1662?").first).to_be_visible()
    assert (axe(ben), overflow(ben)) == ([], 0)
    picture(ben, "page-phone")


@pytest.mark.slow
def test_a_pair_of_duels_is_rated_after_both_games(open_server: Server, new_page: NewPage) -> None:
    anna, ben = new_page(open_server), new_page(open_server, **PHONE)
    anna.goto("/events")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Count it for the ratings").check()
    picture(anna, "event-choice")
    anna.get_by_role("button", name="Make it and invite people").click()
    ben.goto(anna.get_by_role("textbox", name="The others enter with this link").input_value())
    expect(ben.get_by_text("Both games together change your ratings")).to_be_visible()
    picture(ben, "event-phone")
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Enter").click()
    for number, said in ((1, "Your new rating follows when both games are over."), (2, "1500 → 1338 (−162)")):
        anna.goto(ben.url)
        for page in (anna, ben):
            wait_until(page, lambda page=page: page.reload() and page.get_by_role("link", name=f"To game {number}").count())  # type: ignore[misc] # noqa: B023
        anna.get_by_role("link", name=f"To game {number}").click()
        anna.wait_for_url("**/tables/*")
        made = {"table": anna.url.rpartition("/")[2].partition("#")[0]}
        first, other = (anna, ben) if number == 1 else (ben, anna)
        play_turns({0: first, 1: other}, made, 2)
        command(anna, made, type="resign")
        expect(anna.locator("[data-rating]")).to_contain_text(said)
        picture(anna, f"event-result-{number}")
        assert (axe(anna), overflow(anna)) == ([], 0)


@pytest.mark.slow
def test_the_leaderboard_shows_the_levels_in_three_languages(open_server: Server, new_page: NewPage) -> None:
    texts = {
        "en-GB": ("Ratings", "Computer: Expert"),
        "de-CH": ("Wertungen", "Computer:"),
        "fr-CH": ("Classements", "Ordinateur"),
    }
    for locale, (heading, level) in texts.items():
        for size, scheme in (((320, 568), "light"), ((1440, 900), "dark")):
            options: Any = {"viewport": dict(zip(("width", "height"), size, strict=True)), "color_scheme": scheme}
            page = new_page(open_server, locale=locale, **options)
            page.goto("/ratings")
            expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
            expect(page.get_by_role("rowheader", name=re.compile(level)).first).to_be_attached()
            assert (axe(page), overflow(page)) == ([], 0)
            picture(page, f"leaders-{locale}-{size[0]}")
            page.close()


@pytest.mark.slow
def test_another_pool_is_chosen_by_keys(open_server: Server, new_page: NewPage) -> None:
    page = new_page(open_server)
    page.goto("/ratings")
    choice = page.get_by_label("Games", exact=True)
    choice.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**/ratings?pool=yam-master:open:duel:slow")
    expect(choice).to_be_focused()


@pytest.mark.slow
def test_a_new_game_can_be_rated_where_the_server_throws(open_server: Server, new_page: NewPage) -> None:
    page = new_page(open_server, **PHONE)
    page.goto("/?game=yam-master")
    choice = page.get_by_label("Rated game")
    choice.check()
    assert (axe(page), overflow(page)) == ([], 0)
    choice.scroll_into_view_if_needed()
    picture(page, "choice-phone")
    page.get_by_role("radio", name=re.compile("Real dice")).check()
    expect(choice).to_have_count(0)
    page.get_by_role("radio", name=re.compile("Dicecup throws")).check()
    expect(choice).to_be_checked()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/tables/*")
    made = {"table": page.url.rpartition("/")[2].partition("#")[0]}
    wait_until(page, lambda: view(page, made)["rated"])


def test_a_rated_game_without_an_account_is_refused_with_the_reason(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/?game=yam-master")
    page.get_by_label("Rated game").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("form .notice")).to_contain_text("Rated games need an account.")
    assert axe(page) == []


@pytest.mark.slow
def test_a_profile_has_ratings_curves_and_is_asked_for_once(open_server: Server, new_page: NewPage) -> None:
    page = new_page(open_server, **PHONE)
    assert page.request.get("/api/me").ok
    with closing(sqlite3.connect(open_server.folder / "tables.sqlite")) as database, database:
        database.execute("INSERT INTO accounts VALUES ('hanna', 'Hanna', 'hanna', 'hanna', 1.7e9, 1, 'hanna')")
        pool = "yamm:open:duel:fast"
        database.execute("INSERT INTO ratings VALUES ('hanna', ?, 1650, 70, 0.06, 2, 1.79e9)", (pool,))
        for number in (1, 2):
            row = ("hanna", number, pool, f"table{number}", 1.79e9, 1500, 1500 + 75 * number, 70, 1)
            database.execute("INSERT INTO rating_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto("/people/Hanna")
    expect(page.get_by_role("heading", name="Yamm · two players · fast")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Rating after each game"))).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert asked[1:].count("Hanna") == 1  # after the page itself
    assert (axe(page), overflow(page)) == ([], 0)
    picture(page, "profile-phone")
    page.goto(f"/ratings?pool={pool}")
    expect(page.get_by_role("row", name=re.compile("1 Hanna 1650"))).to_be_visible()
    assert (axe(page), overflow(page)) == ([], 0)
    picture(page, "leader-phone")
