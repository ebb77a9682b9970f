"""The start page: two taps to a throw, and every choice reaches the server."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Faults, Json, announcements, axe, command, overflow, table
from tests.browser.start_driver import CUT, card, choose, made_by, opened, options, you_are_asked
from tests.sweep import sweep

# --- Two taps -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["Yam Master", "Yamm"])
def test_two_taps_lead_to_the_first_throw(phone: Page, game: str) -> None:
    phone.goto("/")
    _, made = made_by(phone, card(phone, game).get_by_role("button", name="Play the computer").tap)
    you_are_asked(phone).tap()
    phone.wait_for_function(
        """async (table) => (await (await fetch(`/api/tables/${table}`)).json()).view.turn?.throws >= 1""", arg=made["table"]
    )


def test_the_last_choices_are_one_tap_the_next_time(page: Page) -> None:
    page.goto("/")
    card(page, "Yam Master").get_by_role("link", name="Other ways to play").click()
    choose(page, ("How well should it play?", "Novice"), ("Which dice?", "Real dice"))
    page.get_by_label("Your name").fill("Anna")
    opened(page)
    page.goto("/")
    expect(card(page, "Yam Master")).to_contain_text("Level Novice · Real dice on the table")
    expect(card(page, "Yamm")).to_contain_text("Level Novice")
    asked, _ = made_by(page, card(page, "Yam Master").get_by_role("button", name="Play the computer").click)
    assert asked["setup"]["seats"] == [{}, {"kind": "level", "level": "novice"}]
    assert (asked["setup"]["dice"], asked["seats"]) == ("table", [{"seat": 0, "name": "Anna"}])


def test_the_level_is_changed_beside_the_button(page: Page) -> None:
    page.goto("/")
    card(page, "Yamm").get_by_label("Level").select_option("Expert")
    expect(card(page, "Yamm").get_by_role("button", name="Play the computer")).to_contain_text("Level Expert")
    expect(card(page, "Yam Master").get_by_role("button", name="Play the computer")).to_contain_text("Level Novice")
    asked, _ = made_by(page, card(page, "Yamm").get_by_role("button", name="Play the computer").click)
    assert asked["setup"]["seats"] == [{}, {"kind": "level", "level": "expert"}]
    page.goto("/")
    expect(card(page, "Yamm").get_by_role("button", name="Play the computer")).to_contain_text("Level Expert")


@pytest.mark.slow
def test_the_suggested_level_follows_the_results(page: Page) -> None:
    setup: Json = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "casual"}], "dice": "table", "first": 0}
    choices = {"yam-master": {"level": "casual"}}
    page.goto("/")
    page.evaluate("kept => localStorage.setItem('dicecup-choices', JSON.stringify(kept))", choices)
    for lost in range(1, 4):
        command(page, table(page, setup), type="resign")
        page.goto("/")
        level = "Novice" if lost == 3 else "Casual"
        expect(page.locator(".finished li")).to_have_count(lost)
        expect(card(page, "Yam Master").get_by_role("button", name="Play the computer")).to_contain_text(f"Level {level}")


def test_a_returning_person_sees_running_games_first(phone: Page, faults: Faults) -> None:
    table(phone, {"game": "yamm", "seats": [{}, {"kind": "level", "level": "random"}], "dice": "table"})
    phone.goto("/")
    running = phone.locator(".running li")
    expect(running).to_have_count(1)
    above = phone.evaluate("document.querySelector('.running').getBoundingClientRect().bottom")
    assert above <= phone.evaluate("document.querySelector('article').getBoundingClientRect().top")
    faults.allow("ERR_FAILED")
    # without an answer of the server the games of the last visit are shown
    phone.route("**/api/tables", lambda route: route.abort())
    phone.reload()
    expect(running).to_have_count(1)


@sweep("width, height", [(820, 1180), (1440, 900), (2560, 1440)])
def test_the_start_page_fills_the_window(new_page: NewPage, width: int, height: int) -> None:
    page = new_page(viewport={"width": width, "height": height})
    page.goto("/")
    expect(page.get_by_role("link", name="First game: Yamm")).to_be_visible()
    ends = "Array.from(document.querySelectorAll('article, .start section'), (each) => each.getBoundingClientRect().bottom)"
    assert max(page.evaluate(ends)) > 0.9 * height
    assert overflow(page) == 0


def test_the_guided_first_games_are_offered_and_continued(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="First game: Yam Master").click()
    page.locator("section.bubble").get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Continue later").click()
    page.get_by_role("link", name="Go on: Yam Master").click()
    expect(page.locator("section.bubble")).to_contain_text("Step 2 of")


def test_a_friend_plays_by_link(page: Page) -> None:
    page.goto("/")
    card(page, "Yam Master").get_by_role("link", name="Play a friend").click()
    expect(page.get_by_role("radio", name="Others, by link")).to_be_checked()


def test_a_refusal_is_a_sentence(page: Page, faults: Faults) -> None:
    faults.allow("ERR_FAILED")
    page.goto("/")
    page.route("**/api/tables", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    card(page, "Yamm").get_by_role("button", name="Play the computer").click()
    expect(card(page, "Yamm").locator(".bad")).to_contain_text("No connection")
    assert any("No connection" in sentence for sentence in announcements(page))


# --- Choices --------------------------------------------------------------------------------------


def test_every_option_of_yam_master_reaches_the_table(page: Page) -> None:
    options(page, "yam-master")
    choose(
        page,
        ("Kept dice", "stay kept"),
        ("A lost Défi", "costs nothing"),
        ("Tokens taken by the Predator", "leave the game"),
        ("When a player has placed", "the round is played"),
        ("Who begins?", "Computer (Novice)"),
        ("Clock", "Time for the whole game"),
    )
    page.get_by_label("Minutes for the game").fill("5")
    page.get_by_label("Seconds added per turn").fill("3")
    page.get_by_label("How many games?").fill("3")
    asked, seen = opened(page)
    assert seen["game"] == "yam-master(kept_dice=locked,failed_defi=ignored,captured=out,end=full_round)"
    assert seen["clock"] == {"kind": "game", "seconds": 300, "increment": 3}
    assert seen["match"]["games"] == 3
    assert asked["setup"]["first"] == 1


def test_every_option_of_yamm_reaches_the_table(page: Page) -> None:
    options(page, "yamm")
    choose(page, ("With whom?", "Others, on this device"))
    page.get_by_label("How many play?").select_option("4")
    for seat, name in enumerate(("Anna", "Ben", "Carl", "Dora"), 1):
        page.get_by_label(f"Seat {seat}: name").fill(name)
    choose(page, ("Each player alone, or in pairs?", "In pairs"), ("Kept dice", "stay"), ("Clock", "Days per turn"))
    page.get_by_label(re.compile("Sheet 2: .*Ben.* and .*Dora")).select_option("Dora")
    page.get_by_label("Days per turn").last.fill("7")
    asked, seen = opened(page)
    assert seen["game"] == "yamm(players=4,kept_dice=locked,pairs=yes)"
    assert (seen["clock"]["kind"], seen["clock"]["seconds"]) == ("days", 7 * 86_400)
    assert asked["setup"]["writers"] == [3]
    assert [seat["name"] for seat in seen["seats"]] == ["Anna", "Ben", "Carl", "Dora"]
    assert seen["you"] == [0, 1, 2, 3]


@pytest.mark.slow
def test_a_person_plays_alone_with_real_dice(page: Page) -> None:
    options(page, "yamm")
    choose(page, ("With whom?", "Nobody"), ("Which dice?", "Real dice"))
    expect(page.get_by_role("group", name="Clock")).to_have_count(0)
    _, seen = opened(page)
    assert (seen["game"], seen["dice_of"]) == ("yamm(players=1)", "table")


def test_a_mixed_company_is_chosen_by_seat(page: Page) -> None:
    options(page, "yamm")
    choose(page, ("With whom?", "Mixed"))
    page.get_by_label("How many play?").select_option("3")
    page.get_by_label("Seat 1: name").fill("Anna")
    page.get_by_label("Seat 2: who?").select_option("by link")
    page.get_by_label("Seat 3: who?").select_option("Computer (Greedy)")
    _, seen = opened(page, "Open the table")
    assert [(seat["kind"], seat["level"]) for seat in seen["seats"]] == [("person", ""), ("free", ""), ("computer", "greedy")]


def test_a_game_by_link_needs_a_name(page: Page) -> None:
    options(page, "yam-master")
    choose(page, ("With whom?", "Others, by link"))
    page.get_by_role("button", name="Open the table").click()
    name = page.get_by_label("Your name")
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description("Enter your name for the others.")
    page.keyboard.type("Anna")
    _, seen = opened(page, "Open the table")
    assert [seat["kind"] for seat in seen["seats"]] == ["person", "free"]


def test_a_refusal_is_shown_beside_the_form(page: Page) -> None:
    options(page, "yam-master")
    choose(page, ("With whom?", "Others, on this device"))
    for seat in (1, 2):
        page.get_by_label(f"Seat {seat}: name").fill("Anna")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("form .bad")).to_contain_text("Anna")
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_accessible_description(re.compile("Anna"))
    assert sum("Anna" in sentence for sentence in announcements(page)) == 1


@pytest.mark.slow
def test_any_name_reaches_the_table(phone: Page) -> None:
    names = [
        "M" * 40,
        "<img src=x onerror=alert(1)><b>&amp;",
        "\u05d0\u05d1\u05d2 \u0639\u0644\u064a",
        "👩\u200d👩\u200d👧\u200d👦",
    ]
    phone.goto("/?game=yamm")
    choose(phone, ("With whom?", "Others, on this device"))
    phone.get_by_label("How many play?").select_option("4")
    for seat, name in enumerate(names, 1):
        phone.get_by_label(f"Seat {seat}: name").fill(name)
    _, seen = opened(phone)
    assert [seat["name"] for seat in seen["seats"]] == names
    phone.goto("/")
    expect(phone.locator(".running bdi")).to_have_text(names)
    assert overflow(phone) <= 0


def test_the_form_is_filled_in_by_keyboard_alone(page: Page) -> None:
    page.goto("/")
    link = card(page, "Yamm").get_by_role("link", name="Other ways to play")
    expect(link).to_be_visible()
    for _ in range(25):
        page.keyboard.press("Tab")
        if link.evaluate("(each) => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Others, on this device")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("3")
    for name in ("Anna", "Ben", "Carl"):
        page.keyboard.press("Tab")
        page.keyboard.type(name)
    asked, _ = made_by(page, lambda: page.keyboard.press("Enter"))
    assert [seat["name"] for seat in asked["seats"]] == ["Anna", "Ben", "Carl"]


# --- Everybody can read it ------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing(new_page: NewPage, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    table(page)
    page.goto("/")
    expect(page.locator(".running li, .finished li")).to_have_count(1)
    assert axe(page) == []
    for button in ("Settings", "Watch or join a table", "Continue from a record", "Print an empty Yamm sheet"):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("dialog", name=button)).to_be_visible()
        if button == "Settings":
            page.get_by_role("button", name="Create a link").click()
            expect(page.get_by_role("textbox", name="Link for the other device")).to_be_visible()
        assert axe(page, only="dialog[open]") == []
        page.keyboard.press("Escape")
    options(page, "yamm")
    choose(page, ("With whom?", "Mixed"))
    page.get_by_label("How many play?").select_option("4")
    choose(page, ("Each player alone, or in pairs?", "In pairs"), ("Clock", "Time for the whole"))
    assert axe(page) == []


@pytest.mark.parametrize("locale", ["de-CH", *(pytest.param(other, marks=pytest.mark.slow) for other in ("en-GB", "fr-CH"))])
def test_no_text_is_cut_off(new_page: NewPage, locale: str) -> None:
    phone = new_page(viewport={"width": 360, "height": 740}, locale=locale)
    table(phone)
    phone.goto("/")
    expect(phone.locator(".running li, .finished li")).to_have_count(1)
    assert phone.evaluate(CUT) == []
    for way in range(3):
        phone.locator(".also button").nth(way).click()
        expect(phone.locator("dialog[open]")).to_be_visible()
        assert phone.evaluate(CUT) == []
        phone.keyboard.press("Escape")
    phone.locator(".menu").click()
    phone.locator("nav button").click()
    phone.locator("dialog[open] section button").first.click()  # the devices come with buttons of their own
    expect(phone.locator(".share")).to_be_visible()
    assert phone.evaluate(CUT) == []
    for game in ("yam-master", "yamm"):
        phone.goto(f"/?game={game}")
        phone.locator("summary").click()
        assert phone.evaluate(CUT) == []
        assert overflow(phone) <= 0


def test_a_newcomer_on_a_phone_sees_where_to_learn_and_the_games(phone: Page) -> None:
    phone.goto("/")
    guides = phone.locator("a[href^='/learn/']")
    expect(guides).to_have_count(2)
    expect(guides.last).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="Yam Master: Play the computer")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("heading", name="Yamm", exact=True)).to_be_in_viewport(ratio=1)
    assert axe(phone) == []


# --- A server that is getting ready ---------------------------------------------------------------


@pytest.mark.slow
def test_a_level_that_is_not_ready_is_named_and_can_be_played(phone: Page) -> None:
    preparing = ["expert", "random"]

    def listed(route: Route) -> None:
        answer = route.fetch()
        games = [game | {"preparing": preparing} for game in answer.json()["games"]]
        route.fulfill(response=answer, json={"games": games})

    def waiting(socket: WebSocketRoute) -> None:
        """Show the table as it is while the computer's decision waits."""

        def shown(message: str | bytes) -> None:
            told = json.loads(message)
            if told.get("view"):
                told["view"]["demand"] |= {"what": "action", "seats": [1]}
            socket.send(json.dumps(told))

        socket.connect_to_server().on_message(shown)

    phone.route("**/api/games", listed)
    phone.route_web_socket(re.compile("/ws/tables/"), waiting)
    phone.goto("/")
    shown = card(phone, "Yam Master")
    levels = shown.get_by_role("combobox")
    expect(levels.locator("option", has_text="getting ready")).to_have_count(2)
    note = "This level is still getting ready, this first time only. You can begin: the computer joins in as soon as it can."
    expect(levels).not_to_have_accessible_description(note)
    levels.select_option("random")
    expect(levels.locator("option:checked")).to_have_text("Random")  # the longer text would be cut off
    expect(levels).to_have_accessible_description(note)
    assert axe(phone) == []
    made_by(phone, shown.get_by_role("button", name="Play the computer").tap)
    notice = phone.get_by_text("is still getting ready. That")
    expect(notice.first).to_be_visible()
    assert axe(phone) == []
    preparing.clear()
    expect(notice).to_have_count(0)
