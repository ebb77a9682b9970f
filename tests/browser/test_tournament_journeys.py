"""A knock-out, a league and an arena, each organised and played by hand on phones."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import announcements, axe, overflow
from tests.browser.test_tournaments import PHONE, RESULTS, decided, entered, made, sent

pytestmark = pytest.mark.slow
BY_HAND: Final = ("Carla", "Dan")


def created(page: Page, kind: str, field: str = "", value: int = 0, dice: str = "Real dice, results only") -> str:
    """Create a tournament by the form, and return its id."""
    page.goto("/tournaments")
    page.get_by_role("link", name="New tournament").tap()
    page.get_by_label("Name of the tournament").fill(kind)
    page.get_by_role("radio", name=re.compile(f"^{kind}")).check()
    page.get_by_role("radio", name=re.compile(f"^{dice}")).check()
    if field:
        page.get_by_label(field).fill(str(value))
    looked_at(page)
    page.get_by_role("button", name="Create the tournament").tap()
    page.wait_for_url("**/manage")
    return page.url.split("/")[-2]


def entered_by_hand(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Enter a person").tap()
        expect(page.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def part(page: Page, name: str) -> None:
    """Go to a part of the tournament."""
    page.get_by_role("link", name=name, exact=True).tap()
    looked_at(page)


def looked_at(page: Page) -> None:
    expect(page.locator("main h1")).to_be_visible()
    assert (axe(page), overflow(page)) == ([], 0)


def won(page: Page, name: str) -> None:
    """Let a person win by the open dialog."""
    decided(page, re.compile(rf"\b{name}\b.* wins"))  # type: ignore[arg-type]


def organise_results(organiser: Page, *winners: str) -> None:
    """Enter the missing results: in each pairing the first one in `winners` wins."""
    part(organiser, "Pairings")
    missing = organiser.get_by_role("button", name=re.compile("^Result"))
    expect(missing.first).to_be_visible()
    while missing.count():
        names = str(missing.first.get_attribute("aria-label"))
        missing.first.tap()
        won(organiser, next(name for name in winners if name in names))
        expect(organiser.get_by_role("button", name=names, exact=True)).to_have_count(0)
    part(organiser, "Organise")


def test_a_knock_out_is_played_to_its_final(new_page: NewPage) -> None:
    organiser, anna, dan = (new_page(**PHONE) for _ in range(3))
    tournament = created(organiser, "Knock-out")
    entered(anna, tournament, "Anna")
    entered(dan, tournament, "Dan")
    entered_by_hand(organiser, "Ben", "Carla")
    organiser.get_by_role("button", name="Start round 1").tap()
    anna.get_by_role("button", name="Enter the result", exact=True).tap()
    won(anna, "Anna")
    expect(anna.get_by_text(re.compile("^You have played"))).to_be_visible()
    part(organiser, "Pairings")
    expect(organiser.get_by_role("button", name=re.compile("^Result"))).to_have_count(1)
    organise_results(organiser, "Ben", *BY_HAND)
    expect(dan.get_by_text("You are out of the tournament.")).to_be_visible()
    organiser.get_by_role("button", name="Start round 2").tap()
    expect(anna.get_by_text(re.compile("^You play"))).to_be_visible()
    expect(dan.get_by_text(re.compile("^Round 2 of 2"))).to_be_visible()
    expect(dan.get_by_text("You are out of the tournament.")).to_be_visible()
    anna.get_by_role("button", name="Enter the result", exact=True).tap()
    won(anna, "Anna")
    expect(anna.get_by_text("Rank 1 of 4, points: 2")).to_be_visible()
    looked_at(anna)
    part(organiser, "Standings")
    expect(organiser.get_by_role("row").nth(1)).to_contain_text("Anna")


def test_a_league_is_played_round_by_round_within_its_deadlines(new_page: NewPage) -> None:
    organiser, anna, ben = (new_page(**PHONE) for _ in range(3))
    tournament = created(organiser, "League", "Days for each round", 3)
    entered(anna, tournament, "Anna")
    entered(ben, tournament, "Ben")
    entered_by_hand(organiser, "Carla")
    for number in (1, 2, 3):
        organiser.get_by_role("button", name=f"Start round {number}").tap()
        part(organiser, "Pairings")
        expect(organiser.get_by_text(re.compile("until|by ", re.IGNORECASE)).first).to_be_visible()
        part(organiser, "Organise")
        organise_results(organiser, "Anna", "Ben", "Carla")
    for page, rank, points in ((anna, 1, 3), (ben, 2, 2)):
        expect(page.get_by_text(f"Rank {rank} of 3, points: {points}")).to_be_visible()
        looked_at(page)
    part(organiser, "Crosstable")
    expect(organiser.get_by_role("row")).to_have_count(4)
    expect(organiser.get_by_role("columnheader", name="Round 3")).to_be_visible()
    region = organiser.get_by_role("region", name="Crosstable")
    assert region.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") == 0


def test_an_arena_pairs_again_at_once_until_it_ends(new_page: NewPage) -> None:
    organiser, anna, ben = (new_page(**PHONE) for _ in range(3))
    screen = new_page()
    tournament = created(organiser, "Arena", "Length in minutes", 30)
    entered(anna, tournament, "Anna")
    entered(ben, tournament, "Ben")
    organiser.get_by_role("button", name="Start the arena").tap()
    screen.goto(f"/tournaments/{tournament}/screen")
    for games in (1, 2):
        anna.get_by_role("button", name="Enter the result", exact=True).tap()
        won(anna, "Anna")
        expect(anna.get_by_text(re.compile(rf"^Rank 1 of 2, points: {games}$"))).to_be_visible()
        expect(ben.get_by_text(re.compile("^You play"))).to_be_visible()
        for lines in (ben.locator("[data-pairings] > li"), screen.locator("section").first.get_by_role("listitem")):
            expect(lines).to_have_count(games + 1)
            expect(lines.first).to_contain_text(re.compile("being played|…"))
    assert [each for each in announcements(ben) if "begun" in each] == ["The arena has begun."]
    looked_at(ben)
    ben.get_by_role("button", name="Withdraw").tap()
    looked_at(ben)
    ben.locator("[data-yes]").tap()
    expect(ben.get_by_role("button", name="Withdraw")).to_have_count(0)
    organiser.get_by_role("button", name="End the tournament").tap()
    organiser.locator("[data-yes]").tap()
    expect(anna.get_by_text("The tournament is over.").first).to_be_visible()
    part(organiser, "Log")
    expect(organiser.get_by_text(re.compile("Ben.* withdrew"))).to_be_visible()
    expect(organiser.get_by_text("The arena has begun.")).to_be_visible()


@pytest.mark.parametrize("locale, text", [("en", "lasts 45 min"), ("de-CH", "Dauer: 45 min"), ("fr-FR", "durée\xa0: 45 min")])
def test_the_length_of_an_arena_is_known_before_it_begins(new_page: NewPage, locale: str, text: str) -> None:
    page, person = new_page(locale=locale, **PHONE), new_page(locale=locale, **PHONE)
    tournament = made(page, RESULTS | {"format": "arena", "rounds": 0, "seconds": 2700, "late_rounds": 0})
    for place in (f"/{tournament}", f"/{tournament}/manage", f"/{tournament}/screen", ""):
        page.goto(f"/tournaments{place}")
        expect(page.get_by_text(text)).to_be_visible()
        looked_at(page)
    person.goto(f"/tournaments/{tournament}")
    expect(person.get_by_text(text)).to_be_visible()
    sent(page, tournament, type="cancel")
    expect(person.get_by_text(text)).to_have_count(0)


def test_an_arena_at_tables_has_a_clock_and_leads_from_game_to_game(new_page: NewPage) -> None:
    organiser, anna, ben = (new_page(**PHONE) for _ in range(3))
    tournament = created(organiser, "Arena", dice="Dicecup throws")
    setup = organiser.request.get(f"/api/tournaments/{tournament}").json()["view"]["setup"]
    assert setup["clock"] == {"kind": "game", "seconds": 600, "increment": 5}
    entered(anna, tournament, "Anna")
    entered(ben, tournament, "Ben")
    organiser.get_by_role("button", name="Start the arena").tap()
    for page in (anna, ben):
        page.get_by_role("link", name="To your table").tap()
        page.wait_for_url("**/tables/*")
        expect(page.locator("[data-players]")).to_be_visible()
    first = anna.url
    anna.get_by_role("button", name="Table").tap()
    expect(anna.get_by_role("dialog").get_by_role("link", name="To the tournament")).to_be_visible()
    anna.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    anna.get_by_role("button", name="Yes, resign").tap()
    for page, opponent in ((anna, "Ben"), (ben, "Anna")):
        expect(page.get_by_role("link", name="To the tournament")).to_be_visible()
        expect(page.get_by_text(re.compile(f"^You play .*{opponent}")).first).to_be_visible()
        assert (axe(page), overflow(page)) == ([], 0)
        page.get_by_role("link", name="To your table").tap()
        page.wait_for_url(lambda url: "/tables/" in url and url != first)
        expect(page.locator("[data-players]")).to_be_visible()
    assert anna.url == ben.url
