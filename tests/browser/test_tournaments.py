"""Tournaments in the browser: made, entered and organised by hand, with real dice and at tables."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, Faults, Json, Server, announcements, axe, overflow, resized, wait_until
from tests.sweep import in_step

PHONE: Final[Json] = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
RESULTS: Final[Json] = {"name": "Club night", "format": "swiss", "game": "yam-master", "dice": "results", "rounds": 3}
PARTS: Final = ("", "/standings", "/crosstable", "/log", "/manage", "/screen")
FOUR: Final = ("Anna", "Ben", "Carla", "Dan")


def made(page: Page, setup: Json = RESULTS, people: tuple[str, ...] = ()) -> str:
    """Make a tournament whose organiser is the person of this page, enter people, and return its
    id."""
    page.request.get("/api/me")
    answer = page.request.post("/api/tournaments", data={"setup": setup})
    assert answer.status == 201, answer.text()
    tournament = str(answer.json()["tournament"])
    for name in people:
        sent(page, tournament, type="add-entrant", name=name)
    return tournament


def sent(page: Page, tournament: str, **command: Any) -> None:
    """Send a command as the person of this page, without the page."""
    place = f"/api/tournaments/{tournament}"
    number = page.request.get(place).json()["view"]["number"]
    answer = page.request.post(f"{place}/commands", data={"id": f"c{number}", "version": number, "command": command})
    assert answer.ok, answer.text()


def entered(page: Page, tournament: str, name: str) -> None:
    """Enter by the page of the tournament, as after scanning its code."""
    page.goto(f"/tournaments/{tournament}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Enter", exact=True).tap()
    expect(page.get_by_text(re.compile(f"^You: .*{name}"))).to_be_visible()


def decided(page: Page, result: str) -> None:
    """Choose a result in the open dialog, and save it."""
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=result).check()
    dialog.get_by_role("button", name="Save the result").click()
    expect(dialog).to_be_hidden()


@pytest.mark.slow
def test_four_play_a_swiss_tournament_with_real_dice_on_phones(new_page: NewPage) -> None:
    organiser, screen = new_page(**PHONE), new_page()
    organiser.goto("/")
    organiser.get_by_role("link", name="Tournaments").tap()
    organiser.get_by_role("link", name="New tournament").tap()
    organiser.get_by_role("button", name="Create the tournament").tap()
    expect(organiser.get_by_label("Name of the tournament")).to_be_focused()
    assert (axe(organiser), overflow(organiser)) == ([], 0)
    organiser.get_by_label("Name of the tournament").fill("Club night")
    organiser.get_by_label("Rounds", exact=True).fill("2")
    organiser.get_by_label("Real dice, results only").check()
    organiser.get_by_role("button", name="Create the tournament").tap()
    organiser.wait_for_url("**/manage")
    for name in FOUR[:3]:
        organiser.get_by_label("Name", exact=True).fill(name)
        organiser.get_by_role("button", name="Enter a person").tap()
        expect(organiser.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    assert (axe(organiser), overflow(organiser)) == ([], 0)
    tournament = organiser.url.split("/")[-2]
    screen.goto(f"/tournaments/{tournament}/screen")
    expect(screen.get_by_role("img", name=re.compile("^QR code"))).to_be_visible()
    assert screen.locator("button:visible, a:visible:not(.skip)").count() == 0
    dan = new_page(**PHONE)
    entered(dan, tournament, "Dan")
    expect(screen.get_by_text("Dan")).to_be_visible()
    for number in (1, 2):
        organiser.get_by_role("button", name=f"Start round {number}").tap()
        expect(screen.get_by_role("heading", name=f"Round {number}")).to_be_visible()
        expect(dan.get_by_text(re.compile("^You play .* at table [12]"))).to_be_visible()
        dan.get_by_role("button", name="Enter the result", exact=True).tap()
        assert (axe(dan), overflow(dan)) == ([], 0)
        dan.get_by_role("dialog").get_by_label(re.compile("Dan.*wins")).check()
        dan.get_by_role("button", name="Save the result").tap()
        expect(dan.get_by_text(re.compile("^(You have played|The tournament is over)"))).to_be_visible()
        organiser.get_by_role("link", name="Pairings", exact=True).tap()
        organiser.get_by_role("button", name=re.compile("^Result")).tap()
        decided(organiser, "Draw")
        if number == 1:
            organiser.get_by_role("button", name=re.compile("^Correct")).first.tap()
            assert axe(organiser) == []
            organiser.get_by_role("button", name="Save the result").tap()
            expect(organiser.get_by_text("Choose a result.").first).to_be_visible()
            organiser.keyboard.press("Escape")
        organiser.get_by_role("link", name="Organise").tap()
    expect(screen.get_by_text(re.compile("^Winner: .*Dan"))).to_be_visible()
    assert axe(screen) == []
    wait_until(dan, lambda: "The tournament is over." in announcements(dan))
    assert [each for each in announcements(dan) if "Round" in each or "over" in each] == [
        "Round 1 has begun.",
        "Round 2 has begun.",
        "The tournament is over.",
    ]
    organiser.get_by_role("link", name="Standings", exact=True).tap()
    expect(organiser.get_by_role("row").nth(1)).to_contain_text("Dan")
    assert (axe(organiser), overflow(organiser)) == ([], 0)


@pytest.mark.slow
def test_a_game_at_a_table_counts_and_leads_back(new_page: NewPage) -> None:
    organiser, anna, ben = new_page(), new_page(**PHONE), new_page(**PHONE)
    tournament = made(organiser, RESULTS | {"dice": "server", "rounds": 1})
    entered(anna, tournament, "Anna")
    entered(ben, tournament, "Ben")
    organiser.goto(f"/tournaments/{tournament}/manage")
    organiser.get_by_role("button", name="Start round 1").click()
    for page in (anna, ben):
        page.get_by_role("link", name="To your table").tap()
        page.wait_for_url("**/tables/*")
        expect(page.locator("[data-players]")).to_be_visible()
    assert anna.url == ben.url
    organiser.goto(f"/tournaments/{tournament}")
    expect(organiser.get_by_role("link", name=re.compile("^Open the table"))).to_be_visible()
    place = f"/api{anna.url.partition('/tables')[1]}{anna.url.partition('/tables')[2]}"
    number = anna.request.get(place).json()["number"]
    resigned = anna.request.post(f"{place}/commands", data={"id": "r", "version": number, "command": {"type": "resign"}})
    assert resigned.ok, resigned.text()
    ben.get_by_role("link", name="To the tournament").tap()
    expect(ben.get_by_text("Rank 1 of 2, points: 1")).to_be_visible()
    expect(ben.get_by_role("button", name="Rematch")).to_have_count(0)
    expect(organiser.get_by_text("(resigned)")).to_be_visible()


@pytest.mark.slow
def test_a_table_that_was_not_opened_from_its_tournament_leads_back(new_page: NewPage) -> None:
    organiser, anna, stranger = new_page(), new_page(**PHONE), new_page()
    tournament = made(organiser, RESULTS | {"dice": "server", "rounds": 2, "duplicate": True}, ("Ben",))
    entered(anna, tournament, "Anna")
    sent(organiser, tournament, type="start-round")
    expect(anna.get_by_role("link", name="To your table")).to_be_visible()
    table = anna.request.get(f"/api/tournaments/{tournament}").json()["you"]["table"]
    stranger.request.get("/api/me")
    belongs = [page.request.get(f"/api/tables/{table}/tournament").json()["tournament"] for page in (anna, organiser, stranger)]
    assert belongs == [tournament, tournament, None]
    new = anna.context.new_page()  # as from a notification: without the storage of the other page
    new.goto(f"/tables/{table}")
    new.get_by_role("button", name="Table").tap()
    way = new.get_by_role("link", name="To the tournament")
    expect(way).to_have_attribute("href", f"/tournaments/{tournament}")
    new.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    new.get_by_role("button", name="Yes, resign").tap()
    expect(way).to_be_visible()
    expect(new.get_by_role("link", name="To the event")).to_have_count(0)
    assert (axe(new), overflow(new)) == ([], 0)
    way.tap()
    expect(new.get_by_role("heading", level=1)).to_contain_text("Club night")


@pytest.mark.slow
def test_a_result_that_the_opponent_enters_closes_the_dialog(new_page: NewPage) -> None:
    anna, ben = new_page(**PHONE), new_page(**PHONE)
    tournament = made(anna, RESULTS | {"rounds": 1})
    entered(anna, tournament, "Anna")
    entered(ben, tournament, "Ben")
    sent(anna, tournament, type="start-round")
    ben.get_by_role("button", name="Enter the result", exact=True).tap()
    expect(ben.get_by_role("dialog")).to_be_visible()
    anna.get_by_role("button", name="Enter the result", exact=True).tap()
    decided(anna, "Draw")
    expect(ben.get_by_role("dialog")).to_be_hidden()
    expect(ben.get_by_text("The tournament has changed meanwhile").first).to_be_visible()


@pytest.mark.slow
def test_points_of_yamm_bring_the_result_and_a_correction_needs_a_reason(new_page: NewPage) -> None:
    organiser = new_page(**PHONE)
    tournament = made(organiser, RESULTS | {"game": "yamm"}, ("Anna", "Ben"))
    sent(organiser, tournament, type="start-round")
    organiser.goto(f"/tournaments/{tournament}")
    organiser.get_by_role("button", name=re.compile("^Result")).tap()
    dialog = organiser.get_by_role("dialog")
    fields = dialog.get_by_label(re.compile("^Points of"))
    fields.first.fill("1203")
    dialog.get_by_role("button", name="Save the result").tap()
    expect(dialog.get_by_text("Choose a result.")).to_be_visible()
    fields.nth(1).fill("1340")
    expect(dialog.get_by_role("radio", checked=True)).to_have_value("lost")
    assert (axe(organiser), overflow(organiser)) == ([], 0)
    dialog.get_by_role("button", name="Save the result").tap()
    expect(organiser.get_by_text("1203 : 1340")).to_be_visible()
    organiser.get_by_role("button", name=re.compile("^Correct")).tap()
    dialog.get_by_role("radio", name="Draw").check()
    dialog.get_by_role("button", name="Save the result").tap()
    expect(dialog.get_by_text("Give a reason.")).to_be_visible()
    dialog.get_by_label("Reason, for the log").fill("misread")
    dialog.get_by_role("button", name="Save the result").tap()
    expect(organiser.get_by_text("(corrected)")).to_be_visible()
    organiser.get_by_role("link", name="Log").tap()
    expect(organiser.get_by_role("listitem").first).to_contain_text("Reason: misread")


@pytest.mark.slow
def test_the_form_makes_what_it_shows(page: Page) -> None:
    page.goto("/tournaments/new")
    page.get_by_label("Name of the tournament").fill("Spring")
    page.get_by_role("radio", name="Yamm").check()
    page.get_by_role("radio", name="Round robin").check()
    page.get_by_role("radio", name="At a fixed time").check()
    page.get_by_label("Date and time").fill("2099-05-01T19:30")
    page.get_by_text("More settings").click()
    page.get_by_label("Games of a pairing").fill("3")
    page.get_by_role("radio", name="Twice").check()
    page.get_by_role("radio", name="By themselves, after a break").check()
    page.get_by_label("Minutes of break").fill("7")
    page.get_by_role("radio", name="½").check()
    page.get_by_label("Same dice at all tables").check()
    page.get_by_label("Tie-break 1").select_option("wins")
    page.get_by_label("Tie-break 3").select_option("direct")
    page.get_by_label("Show it to everyone").check()
    assert (axe(page), overflow(page)) == ([], 0)
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.get_by_text("A round cannot begin at this time.").first).to_be_visible()
    page.get_by_role("radio", name="When you start it").check()
    page.get_by_role("button", name="Create the tournament").click()
    page.wait_for_url("**/manage")
    setup = page.request.get(f"/api/tournaments/{page.url.split('/')[-2]}").json()["view"]["setup"]
    expected = {
        "name": "Spring",
        "format": "round-robin",
        "game": "yamm",
        "best_of": 3,
        "cycles": 2,
        "pause": 420,
        "bye": 1,
        "duplicate": True,
        "rated": False,
        "starts": None,
        "tie_breaks": ["wins", "direct"],
        "listed": True,
    }
    assert {name: setup[name] for name in expected} == expected


@pytest.mark.slow
def test_an_organiser_needs_no_mouse(page: Page) -> None:
    page.goto("/tournaments/new")
    page.get_by_label("Name of the tournament").press_sequentially("Keys")
    page.get_by_label("Dicecup throws").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Real dice, results only")).to_be_checked()
    page.get_by_label("Name of the tournament").press("Enter")
    page.wait_for_url("**/manage")
    for name in (*FOUR, "Eve"):
        page.get_by_label("Name", exact=True).press_sequentially(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("listitem").filter(has_text=name)).to_be_visible()
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_role("button", name=re.compile("^Withdraw .*Eve")).press("Enter")
    expect(page.get_by_text("4 people take part")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Let .*Eve")).press("Enter")
    expect(page.get_by_text("5 people take part")).to_be_visible()
    page.get_by_role("button", name="Start round 1").press("Enter")
    expect(page.get_by_role("heading", name="Next step")).to_be_focused()
    page.get_by_label("Delete round 1: Reason, for the log").press_sequentially("Finn is late")
    page.get_by_role("button", name="Delete round 1").press("Enter")
    expect(page.get_by_role("button", name="No", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_label("Name", exact=True).press_sequentially("Finn")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Finn")).to_be_visible()
    page.get_by_role("button", name="Start round 1").press("Enter")
    page.get_by_role("link", name="Pairings", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    button = page.get_by_role("button", name=re.compile("^Result")).first
    button.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    button.press("Enter")
    page.get_by_role("dialog").get_by_label("No game was played (forfeit)").press(" ")
    page.get_by_role("dialog").get_by_label(re.compile("wins")).first.press(" ")
    page.keyboard.press("Enter")
    expect(page.get_by_text("(forfeit)")).to_be_visible()
    wait_until(page, lambda: "Saved." in announcements(page))
    page.get_by_role("link", name="Organise").press("Enter")
    page.get_by_role("button", name="End the tournament").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The tournament is over.").first).to_be_visible()


@pytest.mark.slow
@in_step(locale=["en-GB", "de-CH", "fr-FR"], scheme=["light", "dark"])
def test_every_part_fits_every_window_in_every_language(new_page: NewPage, locale: str, scheme: str) -> None:
    page = new_page(locale=locale, color_scheme=scheme)
    people = ("Anna", "Bartholomäus Freiherr von Winterfeld", "<b>Carla</b>", "Dan", "Eve")
    tournament = made(page, RESULTS | {"best_of": 3}, people)
    empty = made(page)
    sent(page, tournament, type="enter", name="Finn")
    sent(page, tournament, type="start-round")
    number = page.request.get(f"/api/tournaments/{tournament}").json()["view"]["pairings"][0]["pairing"]
    sent(page, tournament, type="enter-result", pairing=number, game=1, result="won")
    for place in ("", "/new", f"/{empty}", *(f"/{tournament}{part}" for part in PARTS)):
        resized(page, 1440, 900)
        page.goto(f"/tournaments{place}")
        expect(page.locator("main h1")).to_be_visible()
        for details in page.locator("main details").all():
            details.evaluate("element => (element.open = true)")
        for width, height in ((375, 667), (320, 568), (740, 360), (1440, 900)):
            resized(page, width, height)
            assert (axe(page), overflow(page)) == ([], 0), (place, width)
        page.evaluate("document.documentElement.style.fontSize = '32px'")
        for width, height in ((320, 568), (375, 667)):
            resized(page, width, height)
            assert overflow(page) == 0, (place, width)


@pytest.mark.slow
def test_the_code_stands_black_on_white_with_the_border_that_readers_need_in_dark_too(new_page: NewPage) -> None:
    page = new_page(color_scheme="dark")
    page.goto(f"/tournaments/{made(page)}/screen")
    code = page.get_by_role("img", name=re.compile("^QR code"))
    ground, dark = code.locator("rect"), code.locator("path")
    expect(ground).to_have_css("fill", "rgb(255, 255, 255)")
    expect(dark).to_have_css("fill", "rgb(0, 0, 0)")
    page.wait_for_load_state("networkidle")  # what the screen loads last draws the code anew
    measured = "part => { const { x, width } = part.getBBox(); return [x, width]; }"
    whole, modules = (part.evaluate(measured) for part in (ground, dark))
    assert modules == [4, whole[1] - 8], "four modules on each side (ISO/IEC 18004)"


@pytest.mark.slow
def test_the_projector_follows_again_after_the_server_was_down(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    faults.allow(GONE)
    organiser, screen = new_page(own_server), new_page(own_server)
    tournament = made(organiser, people=FOUR)
    screen.goto(f"/tournaments/{tournament}/screen")
    expect(screen.get_by_text("Dan")).to_be_visible()
    own_server.end()
    expect(screen.get_by_text("No connection")).to_be_visible()
    assert axe(screen) == []
    own_server.start()
    expect(screen.get_by_text("No connection")).to_be_hidden()
    sent(organiser, tournament, type="start-round")
    expect(screen.get_by_role("heading", name="Round 1")).to_be_visible()


@pytest.mark.slow
def test_the_projector_shows_long_lists_one_part_after_the_other(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    tournament = made(page, people=tuple(f"Player {number}" for number in range(1, 31)))
    page.clock.install()
    page.goto(f"/tournaments/{tournament}/screen")
    names = page.locator("section").nth(1).get_by_role("listitem")
    expect(names.first).to_have_text("Player 1")
    first = names.all_inner_texts()
    assert 5 <= len(first) < 30
    page.clock.run_for(12_500)
    expect(names.first).to_have_text(f"Player {len(first) + 1}")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_tournament_that_does_not_exist_is_named(page: Page) -> None:
    page.goto("/tournaments/0123456789abcdef0123")
    expect(page.get_by_text("There is no such tournament.").first).to_be_visible()
    assert axe(page) == []
