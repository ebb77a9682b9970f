"""Around the game: links, offers, ends, clocks."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.around import DUEL, change_views, expect_announcements, joined, menu, play
from tests.browser.conftest import NewPage
from tests.browser.harness import (
    Faults,
    Json,
    Server,
    announcements,
    axe,
    command,
    overflow,
    painted,
    resized,
    table,
    view,
    wait_until,
)


@pytest.mark.slow
def test_a_declined_draw_a_resignation_and_a_rematch(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    assert axe(page) == []
    ben = new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    ben.goto(made["join"])
    ben.get_by_role("button", name="Join the game").click()
    expect_announcements(ben, "Yam Master. 1 seat is still free.", "Enter your name first.")
    ben.get_by_label("Your name at the table").fill("  Ben ")
    assert axe(ben) == []
    ben.get_by_role("button", name="Join the game").click()
    expect_announcements(ben, "You have a seat. The game begins. It is Anna’s turn.")
    expect(page).to_have_title("● Yam Master · Dicecup")
    expect(ben).to_have_title("Yam Master · Dicecup")

    expect_announcements(page, "Yam Master. 1 seat is still free.", "Ben takes a seat. The game begins. Your turn.")
    menu(page, "Offer a draw")
    expect_announcements(page, "You have offered a draw.")
    expect(page.get_by_text(re.compile("Waiting for an answer from .*Ben"))).to_be_visible()
    expect_announcements(ben, "Anna offers a draw.")
    ben.get_by_role("button", name="Play on").click()
    expect_announcements(ben, "You play on.")
    expect_announcements(page, "Ben plays on.")

    menu(page, "Resign")
    expect(page.get_by_role("dialog").get_by_text("Really resign?")).to_be_focused()
    page.get_by_role("button", name="Yes, resign").click()
    expect_announcements(page, "You have resigned. You lose. Points: Anna 0, Ben 0.")
    expect_announcements(ben, "Anna resigns. You win. Points: Anna 0, Ben 0.")
    expect(ben.get_by_role("heading", name="You win by resignation.")).to_be_visible()
    assert (overflow(ben), axe(page, only="[data-panel]")) == (0, [])

    page.get_by_text("More", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Record").click()
    assert '[End "resign"]' in saved.value.path().read_text("utf-8")
    with page.expect_download() as printed:
        page.get_by_role("button", name="As a PDF").click()
    assert printed.value.path().read_bytes().startswith(b"%PDF")
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_text(re.compile("Waiting for .*Ben"))).to_be_visible()
    expect_announcements(ben, "Anna would like another game.")
    ben.get_by_role("button", name="Play again").click()
    expect_announcements(
        page,
        "Ben would like another game. The next game is ready.",
        "Yam Master, turn 1. It is Ben’s turn. Points: Ben 0, Anna 0.",
    )
    following = re.compile(rf"/tables/(?!{made['table']})\w+$")
    expect(ben).to_have_url(following)
    expect(page).to_have_url(ben.url)
    page.go_back()
    expect(page.get_by_role("heading", name="You lose by resignation.")).to_be_visible()
    expect(page.get_by_role("link", name="To the next game")).to_be_visible()


@pytest.mark.slow
def test_a_watcher_follows_the_rematch(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    ben, watcher = joined(new_page, made), new_page()
    watcher.goto(made["watch"])
    command(page, made, type="resign")
    expect(watcher.get_by_role("heading", name=re.compile("Ben.* wins by resignation"))).to_be_visible()
    for person in (page, ben):
        command(person, made, type="rematch")
    expect(watcher.get_by_text(re.compile("The next game opens in"))).to_be_visible()
    watcher.get_by_role("link", name="To the next game").click()
    expect(watcher).to_have_url(re.compile(rf"/tables/(?!{made['table']})\w+#watch="))
    expect(watcher.get_by_text("You are watching.")).to_be_visible()


@pytest.mark.slow
def test_a_game_survives_a_restart_of_the_server(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    faults.allow("WebSocket connection")
    faults.allow("ERR_CONNECTION_REFUSED")
    anna = new_page(own_server)
    made = table(anna, {**DUEL, "dice": "server"})
    ben = joined(new_page, made, at=own_server)
    ben.goto(f"/tables/{made['table']}")
    expect(anna.get_by_role("button", name="First throw")).to_be_visible()
    anna.keyboard.press("Space")
    expect(anna.get_by_role("region", name="Turns").get_by_role("listitem")).to_have_count(1)
    before = view(anna, made)["turn"]["dice"]
    own_server.end()
    notice = anna.locator(".notice", has_text="The connection is interrupted. Nothing is lost")
    expect(notice).to_be_visible()
    expect(ben.locator(".notice", has_text="The connection is interrupted.")).to_be_visible()
    anna.keyboard.press("Space")  # sent without a connection: executed once, later
    own_server.start()
    expect(notice).to_be_hidden()
    ben.wait_for_function("() => window.__said.some((text) => text.includes('throw 2: '))")
    seen = view(anna, made)
    assert (seen["turn"]["throws"], seen["running"][:2]) == (2, ["".join(map(str, sorted(before))), "k-"])
    assert "The connection is back." in announcements(anna)


def test_a_claim_after_a_player_has_left(page: Page, new_page: NewPage) -> None:
    """The server makes a claim possible after 80 seconds offline; here the view is changed
    instead."""
    sent: list[Json] = []

    def left(view: Json) -> None:
        view["seats"][1]["away_since"] = view["now"] - 100
        view["demand"] |= {"seats": [1], "clock": 1}
        view["claim"] = {"seat": 1, "at": view["now"] - 20, "reason": "offline"}
        view["may"] = ["resign", "claim win", "claim draw", "claim computer"]

    change_views(page, left, sent)
    made = table(page, DUEL)
    joined(new_page, made)
    expect(page.get_by_text(re.compile("Ben.* has been away for more than a minute"))).to_be_visible()
    assert axe(page, only=".notice") == []
    page.get_by_role("button", name="Let the computer play on").click()
    wait_until(page, lambda: sent)
    assert sent[-1] == {"type": "claim", "what": "computer", "level": "club"}


@pytest.mark.slow
def test_a_slow_player_is_warned_and_a_claim_counts_down(page: Page, new_page: NewPage) -> None:
    """The server makes a claim possible after ten minutes; here the view is changed instead."""

    def slow(view: Json) -> None:
        view["demand"] |= {"seats": [1], "clock": 1}
        view["claim"] = {"seat": 1, "at": view["now"] + 65, "reason": "slow"}

    made = table(page, DUEL)
    ben = joined(new_page, made, viewport={"width": 360, "height": 740})
    change_views(ben, slow)
    ben.goto(f"/tables/{made['table']}")
    notice = ben.locator(".notice", has_text="You have been on this turn for a while.")
    expect(notice).to_contain_text(re.compile(r"In (1:0|0:[0-5])\d"))
    ben.wait_for_function("() => window.__said.some((text) => text.includes('on this turn for a while'))")
    assert axe(ben, only=".notice") == []
    change_views(page, slow)
    page.reload()
    expect(page.locator(".notice")).to_contain_text(re.compile("Ben.* has been on this turn for a while. In (1:0|0:[0-5])"))


@pytest.mark.slow
def test_the_dice_are_checked_in_the_page(page: Page) -> None:
    made = table(page)
    page.get_by_role("button", name="First throw").click()
    expect(page.get_by_role("region", name="Turns").get_by_role("listitem").first).to_contain_text("Anna")
    command(page, made, type="resign")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Check the dice").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Every throw was recomputed on this device and is right.")).to_be_visible()
    expect(dialog.get_by_text("The commitment shown before the first throw is the one in the record.")).to_be_visible()
    expect(dialog.get_by_text("The seed that this device added is among them.")).to_be_visible()
    dialog.get_by_text("All throws").click()
    expect(dialog.get_by_role("row").nth(1)).to_contain_text("right")
    assert axe(page, only="dialog[open]") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Check the dice")).to_be_focused()


@pytest.mark.slow
def test_missed_events_are_announced_together(page: Page, new_page: NewPage) -> None:
    connected: list[WebSocketRoute] = []
    broken = False

    def route(socket: WebSocketRoute) -> None:
        if broken:
            socket.close(code=1001)
        else:
            socket.connect_to_server()
            connected.append(socket)

    page.route_web_socket(re.compile("/ws/tables/"), route)
    made = table(page, DUEL)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    ben = joined(new_page, made)
    play(page, made, "11346", "--")
    page.wait_for_function("() => window.__said.some((text) => text.includes('It is \u2068Ben'))")
    page.wait_for_function("() => window.__said.some((text) => text.includes('You made a move'))")
    page.evaluate("window.__said.length = 0")
    broken = True
    connected[-1].close(code=1001)
    expect(page.locator(".notice", has_text="The connection is interrupted.")).to_be_visible()
    play(ben, made, "22345", "!k22", "22446", "k2244", "12244", "--")
    broken = False
    expect_announcements(
        page,
        "The connection is interrupted. Nothing is lost: "
        "the game is saved and continues here as soon as the connection is back.",
        (
            "Ben, throw 1: 2 2 3 4 5. Ben declares a Défi (Challenge). Ben keeps 2 2. Ben, throw 2: 2 2 4 4 6. "
            "Ben keeps 2 2 4 4. Ben, throw 3: 1 2 2 4 4. The Défi (Challenge) brought no token. Your turn."
        ),
        "The connection is back.",
    )


# --- Longer ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_code_to_join_is_in_the_first_window(page: Page) -> None:
    table(page, {"game": "yam-master", "seats": [{}, {}]})
    code = page.get_by_role("img", name=re.compile("^QR code: "))
    for width, height in ((320, 568), (375, 553), (375, 667), (740, 360), (820, 1180), (1440, 900)):
        resized(page, width, height)
        expect(code).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_clock_is_announced_and_runs_out(page: Page, new_page: NewPage) -> None:
    made = table(page, {**DUEL, "clock": {"kind": "turn", "seconds": 12}})
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    joined(new_page, made)
    page.wait_for_function("() => window.__said.length >= 4")
    expect_announcements(
        page,
        "Yam Master. 1 seat is still free.",
        "Ben takes a seat. The game begins. Your turn.",
        "Ten seconds left.",
        "Your time has run out. You lose. Points: Anna 0, Ben 0.",
    )


def test_a_computer_gets_a_free_seat_that_is_named(page: Page) -> None:
    table(page, {"game": "yamm(players=3)", "seats": [{}, {}, {}]})
    expect(page.get_by_role("combobox", name="Seat")).to_have_value("1")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_the_score_of_a_match_is_in_sight_beside_the_game(new_page: NewPage, game: str) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    table(
        page,
        {"game": game, "seats": [{}, {}], "games": 3},
        seats=[{"seat": seat, "name": name} for seat, name in enumerate("AB")],
    )
    expect(page.locator("p.match")).to_be_in_viewport(ratio=1)
    painted(page)
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
