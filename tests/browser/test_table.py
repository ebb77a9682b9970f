"""Around the game at a table: what is said, word for word; links, offers, ends; and every way in which something can go wrong."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import Faults, Json, Server, axe, command, overflow, said, table, view

DUEL: Json = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}
SHEETS: Json = {"game": "yamm", "seats": [{}, {}], "dice": "table"}


def joined(new_page: NewPage, made: Json, name: str = "Ben", **options: Any) -> Page:
    """Somebody else, who came by the link and has sat down, without a page of the table yet."""
    guest = new_page(**options)
    assert guest.request.get("/api/me").ok
    place, key = f"/api/tables/{made['table']}", {"Dicecup-Key": made["join_key"]}
    answer = None
    for _ in range(5):
        number = guest.request.get(place, headers=key).json()["number"]
        sit = {"id": "sit", "version": number, "command": {"type": "sit", "name": name}}
        answer = guest.request.post(f"{place}/commands", data=sit, headers=key)
        if answer.status != 409:  # the other page may have promised its seed just now
            break
    assert answer is not None
    assert answer.ok, answer.text()
    return guest


def play(by: Page, made: Json, *texts: str) -> None:
    """Types dice, or acts: `play(anna, made, "11346", "k11", …)`."""
    for text in texts:
        if re.fullmatch(r"[1-6]{5}|~", text):
            command(by, made, type="enter-dice", dice=text)
        else:
            command(by, made, type="act", action=text)


def hears(page: Page, *sentences: str) -> None:
    """That these are the next ones that are said, and nothing else by then; names are isolated, which is left out here. Whoever plays
    without a page of the table may be missed at any time."""
    wanted = list(sentences)
    heard = "window.__said.filter((sentence) => !/ is away\\.$/.test(sentence))"
    page.wait_for_function(f"(count) => {heard}.length >= count", arg=len(wanted))
    told = [sentence.replace("\u2068", "").replace("\u2069", "") for sentence in page.evaluate(heard)]
    page.evaluate("window.__said.length = 0")
    assert told == wanted


def menu(page: Page, name: str) -> None:
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=name).click()


# --- What is said --------------------------------------------------------------------------------------------------------------


def test_what_is_said_of_a_duel(page: Page, new_page: NewPage) -> None:
    """Anna’s page, on which Ben’s turns are told too; history is not."""
    page.emulate_media(reduced_motion="reduce")
    made = table(page, DUEL)
    hears(page, "Yam Master. 1 seat is still free.")
    ben = joined(new_page, made)
    hears(page, "Ben takes a seat. The game begins. Your turn.")
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("11346")
    page.keyboard.press("Enter")
    hears(page, "Throw 1: 1 1 3 4 6.")
    expect(page.get_by_role("region", name="Your turn").get_by_role("button", name=re.compile("Défi")).first).to_be_enabled()
    page.get_by_role("group", name="Table").press("d")
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("Space")
    hears(page, "You have declared a Défi (Challenge).")
    page.keyboard.press("v")
    hears(page, "The throw is void and is repeated.")
    page.keyboard.press("z")
    hears(page, "Your last entry is taken back.")
    page.keyboard.type("111")
    page.keyboard.press("Enter")
    hears(page, "Throw 2: 1 1 1 1 1.")
    page.locator('[data-square="c3"]').click()
    hears(page, "Your token is on c3, Yam (Five of a kind). It is Ben’s turn.")
    play(ben, made, "22345")
    hears(page, "Ben, throw 1: 2 2 3 4 5.")
    play(ben, made, "k-")
    hears(page, "Ben throws them all again.")
    play(ben, made, "66666")
    hears(page, "Ben, throw 2: 6 6 6 6 6.")
    play(ben, made, "-c3")
    hears(page, "Predator: Ben takes the token on c3. Your turn.")
    page.reload()
    hears(page, "Yam Master, turn 3. Your turn. Points: Anna 0, Ben 0.")
    story = page.get_by_role("region", name="Turns").get_by_role("listitem")
    expect(story).to_have_count(2)
    expect(story.nth(1)).to_contain_text("1 1 3 4 6›1 1 1 1 1")
    expect(story.nth(0)).to_contain_text("Predator: c3 taken")
    assert axe(page) == []


def test_what_is_said_of_sheets(page: Page, new_page: NewPage) -> None:
    made = table(page, SHEETS)
    ben = joined(new_page, made)
    command(page, made, type="enter-die", face=4)
    command(ben, made, type="enter-die", face=4)
    command(page, made, type="enter-die", face=6)
    hears(
        page,
        "Yamm. 1 seat is still free.",
        "Ben takes a seat. The game begins.",
        "Starting roll: 4.",
        "Starting roll: 4.",
        "Starting roll: 6. Your turn.",
    )
    watcher = new_page()
    watcher.goto(made["watch"])
    hears(watcher, "Yamm, turn 1. It is Anna’s turn. Points: Anna 0, Ben 0.")
    assert watcher.locator("main").get_by_role("button", name=re.compile("Throw|Enter|Void")).count() == 0
    expect(watcher.get_by_text("You are watching.")).to_be_visible()
    play(page, made, "66666", "f1.Y")
    hears(
        watcher,
        "Anna, throw 1: 6 6 6 6 6.",
        "Anna: Yamm in Free 1, 70 points. Yamm in the first throw: 100 points more. It is Ben’s turn.",
    )
    play(ben, made, "12356", "k-", "12345", "d1.1")
    hears(
        watcher,
        "Ben, throw 1: 1 2 3 5 6.",
        "Ben throws them all again.",
        "Ben, throw 2: 1 2 3 4 5.",
        "Ben: 1 in Down 1, 1 point. It is Anna’s turn.",
    )
    play(page, made, "1. > f2.6")
    hears(watcher, "Anna moves the result of turn 1. 6 in Free 2, 30 points.")
    play(page, made, "11235", "f1.Y")
    hears(watcher, "Anna, throw 1: 1 1 2 3 5.", "Anna: Yamm in Free 1, struck. It is Ben’s turn.")


def test_what_is_said_of_a_column(page: Page) -> None:
    """Bonus, High and Low struck together, a column that is full; alone at the table."""
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    page.wait_for_function("() => window.__said.some((text) => text.includes('Your turn'))")
    turns = ("11112 d1.1", "22223 d1.2", "33334 d1.3", "44445 d1.4", "55556 d1.5", "66661 d1.6", "11112 d1.H", "66665 d1.T")
    for turn in (*turns, "22333 d1.FH", "12345 d1.ST", "11112 d1.Y"):
        play(page, made, *turn.split(" "))
    page.wait_for_function("() => window.__said.some((text) => text.includes('Column total'))")
    told = [sentence for sentence in said(page) if " in Down 1" in sentence]
    assert told[5:] == [
        "6 in Down 1, 24 points. Bonus of Down 1: 150. Your turn.",
        "High in Down 1, 6 points. Your turn.",
        "Low in Down 1, High in Down 1, struck. Your turn.",
        "Full House in Down 1, 33 points. Your turn.",
        "Straight in Down 1, 45 points. Your turn.",
        "Yamm in Down 1, struck. Column total of Down 1: 312. Your turn.",
    ]


# --- Links, offers, ends -------------------------------------------------------------------------------------------------------


def test_two_people_a_draw_declined_resigning_and_a_rematch(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    assert axe(page) == []
    ben = new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    ben.goto(made["join"])
    ben.get_by_role("button", name="Join the game").click()
    hears(ben, "Yam Master. 1 seat is still free.", "Say first what you are called.")
    ben.get_by_label("Your name at the table").fill("  Ben ")
    assert axe(ben) == []
    ben.get_by_role("button", name="Join the game").click()
    hears(ben, "You have a seat. The game begins. It is Anna’s turn.")
    expect(page).to_have_title("● Yam Master · Dicecup")
    expect(ben).to_have_title("Yam Master · Dicecup")

    hears(page, "Yam Master. 1 seat is still free.", "Ben takes a seat. The game begins. Your turn.")
    menu(page, "Offer a draw")
    hears(page, "You have offered a draw.")
    expect(page.get_by_text(re.compile("Ben.* has not answered yet"))).to_be_visible()
    hears(ben, "Anna offers a draw.")
    ben.get_by_role("button", name="Play on").click()
    hears(ben, "You play on.")
    hears(page, "Ben would rather play on.")

    menu(page, "Give up")
    expect(page.get_by_role("dialog").get_by_text("Really give up?")).to_be_focused()
    page.get_by_role("button", name="Yes, give up").click()
    hears(page, "You have given up. Winner: Ben. Points: Anna 0, Ben 0.")
    hears(ben, "Anna gives up. You have won. Points: Anna 0, Ben 0.")
    expect(ben.get_by_role("heading", name="You have won.")).to_be_visible()
    assert (overflow(ben), axe(page, only=".card")) == (0, [])

    with page.expect_download() as saved:
        page.get_by_role("button", name="Record").click()
    assert '[End "resign"]' in saved.value.path().read_text("utf-8")
    with page.expect_download() as printed:
        page.get_by_role("button", name="As a PDF").click()
    assert printed.value.path().read_bytes().startswith(b"%PDF")
    watcher = new_page()
    watcher.goto(made["watch"])
    expect(watcher.get_by_role("heading", name=re.compile("Winner: .*Ben"))).to_be_visible()
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_text(re.compile("Still missing: .*Ben"))).to_be_visible()
    hears(ben, "Anna would like another game.")
    hears(watcher, "Game over: given up. Winner: Ben. Points: Anna 0, Ben 0.", "Anna would like another game.")
    ben.get_by_role("button", name="Play again").click()
    hears(
        page,
        "Ben would like another game. The next game is ready.",
        "Yam Master, turn 1. It is Ben’s turn. Points: Ben 0, Anna 0.",
    )
    expect(page).to_have_url(ben.url)
    expect(watcher.get_by_text(re.compile("The next game opens in"))).to_be_visible()
    watcher.get_by_role("link", name="To the next game").click()
    watcher.wait_for_url(f"{ben.url}#watch=*")
    expect(watcher.get_by_text("You are watching.")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name=re.compile("Winner: .*Ben"))).to_be_visible()
    expect(page.get_by_role("link", name="To the next game")).to_be_visible()


def test_the_server_starts_anew_between_two_throws(own_server: Server, new_page: NewPage, faults: Faults) -> None:
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
    anna.keyboard.press("Space")  # decided while nobody answers: it is done once, later
    own_server.start()
    expect(notice).to_be_hidden()
    ben.wait_for_function("() => window.__said.some((text) => text.includes('throw 2: '))")
    seen = view(anna, made)
    assert (seen["turn"]["throws"], seen["running"][:2]) == (2, ["".join(map(str, sorted(before))), "k-"])
    assert "The connection is back." in said(anna)


def test_a_claim_when_somebody_has_left(page: Page, new_page: NewPage) -> None:
    """The wait of eighty seconds is the service’s; here the table says that it is over."""
    sent: list[Json] = []

    def left(view: Json) -> None:
        view["seats"][1]["away_since"] = view["now"] - 100
        view["demand"] |= {"seats": [1], "clock": 1}
        view["claim"] = {"seat": 1, "at": view["now"] - 20}
        view["may"] = ["resign", "claim win", "claim draw", "claim computer"]

    between(page, left, sent)
    made = table(page, DUEL)
    joined(new_page, made)
    expect(page.get_by_text(re.compile("Ben.* has been away for more than a minute"))).to_be_visible()
    assert axe(page, only=".notice") == []
    page.get_by_role("button", name="Let the computer play on").click()
    page.wait_for_timeout(100)
    assert sent[-1] == {"type": "claim", "what": "computer", "level": "club"}


def between(page: Page, change: Callable[[Json], None], sent: list[Json] | None = None, age: int = 0) -> None:
    """Changes every view of a running game before the page gets it, and notes what the page sends; the first command seems to be
    so many versions old."""

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def down(text: str | bytes) -> None:
            message = json.loads(text)
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


def test_the_dice_are_checked_in_the_page(page: Page) -> None:
    made = table(page)
    page.get_by_role("button", name="First throw").click()
    expect(page.get_by_role("region", name="Turns").get_by_role("listitem").first).to_contain_text("Anna")
    command(page, made, type="resign")
    page.get_by_role("button", name="Check the dice").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Every throw was recomputed on this device and is right.")).to_be_visible()
    expect(dialog.get_by_text("The commitment shown before the first throw is the one in the record.")).to_be_visible()
    expect(dialog.get_by_text("The part that this device added is among them.")).to_be_visible()
    dialog.get_by_text("All throws").click()
    expect(dialog.get_by_role("row").nth(1)).to_contain_text("right")
    assert axe(page, only="dialog[open]") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Check the dice")).to_be_focused()


def test_what_happened_while_the_connection_was_lost_is_told_in_one_go(page: Page, new_page: NewPage) -> None:
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
    ben = joined(new_page, made)
    play(page, made, "11346", "--")
    page.wait_for_function("() => window.__said.some((text) => text.includes('It is \u2068Ben'))")
    page.wait_for_function("() => window.__said.some((text) => text.includes('A move of yours'))")
    page.evaluate("window.__said.length = 0")
    broken = True
    connected[-1].close(code=1001)
    expect(page.locator(".notice", has_text="The connection is interrupted.")).to_be_visible()
    play(ben, made, "22345", "!k22", "22446", "k2244", "12244", "--")
    broken = False
    page.wait_for_function("() => window.__said.length > 2")
    assert [sentence.replace("\u2068", "").replace("\u2069", "") for sentence in said(page)][1:] == [
        (
            "Ben, throw 1: 2 2 3 4 5. Ben declares a Défi (Challenge). Ben keeps 2 2. Ben, throw 2: 2 2 4 4 6. "
            "Ben keeps 2 2 4 4. Ben, throw 3: 1 2 2 4 4. The Défi (Challenge) brought no token. Your turn."
        ),
        "The connection is back.",
    ]


# --- Faults --------------------------------------------------------------------------------------------------------------------


def test_a_table_that_is_full_gone_or_closed_to_this_link(page: Page, new_page: NewPage, faults: Faults) -> None:
    faults.allow("ws/tables/nonsense")
    made = table(page, DUEL)
    joined(new_page, made)
    late = new_page()
    late.goto(made["join"])
    expect(late.get_by_text("All seats at this table are taken.")).to_be_visible()
    for place in (
        f"/tables/{made['table']}#join=0",
        f"/tables/{made['table']}",
        f"/tables/{'0' * 20}#join=0",
        "/tables/nonsense",
    ):
        stranger = new_page()
        stranger.goto(place)
        expect(stranger.get_by_role("link", name="To the start page")).to_be_visible()
        expect(
            stranger.get_by_text(re.compile("no such table|does not exist|There is no", re.IGNORECASE)).first
        ).to_be_visible()


def test_two_windows_of_one_seat(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    joined(new_page, made)
    other = page.context.new_page()
    other.goto(f"/tables/{made['table']}")
    for window in (page, other):
        expect(window.get_by_text("Your turn").first).to_be_visible()
    page.keyboard.type("11346")
    page.keyboard.press("Enter")
    expect(other.get_by_role("region", name="Turns").get_by_role("listitem")).to_have_count(1)
    play(page, made, "--")
    assert "A move of yours was made on another device or in another window." in "".join(
        sentence for window in (page, other) for sentence in said(window)
    )
    assert not [sentence for window in (page, other) for sentence in said(window) if "version" in sentence]


def test_what_happened_meanwhile_does_not_undo_a_decision(page: Page, new_page: NewPage) -> None:
    """A command for an earlier version, where the game stands as it stood, is sent once more; nobody is bothered."""
    sent: list[Json] = []
    between(page, lambda _: None, sent, age=1)
    made = table(page, DUEL)
    joined(new_page, made)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    page.keyboard.type("11346")
    page.keyboard.press("Enter")
    hears(page, "Yam Master. 1 seat is still free.", "Ben takes a seat. The game begins. Your turn.", "Throw 1: 1 1 3 4 6.")
    assert sent == 2 * [{"type": "enter-dice", "dice": "11346"}]


def test_the_server_can_save_nothing(page: Page) -> None:
    def trouble(view: Json) -> None:
        if view["turn"]["throws"]:
            raise Trouble

    between(page, trouble)
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    expect(page.get_by_text("Your turn").first).to_be_visible()
    play(page, made, "11346")
    expect(page.locator(".notice", has_text="The server cannot save anything just now.")).to_be_visible()


def test_a_page_that_cannot_be_drawn(page: Page, faults: Faults) -> None:
    """Never blank: the frame stays, and a sentence says what to do."""
    faults.allow("null|TypeError")

    def broken(view: Json) -> None:
        if view["turn"]["throws"]:
            view["turn"]["dice"] = None

    between(page, broken)
    made = table(page, {"game": "yamm(players=1)", "seats": [{}], "dice": "table"})
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    play(page, made, "11346")
    expect(page.get_by_role("heading", name="Something went wrong on this page. The game is saved.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="To the start page").click()
    expect(page).to_have_url(re.compile("/$"))
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_hidden()


class Trouble(Exception):  # noqa: N818 a message to the page
    """The database does not answer."""


def test_names_that_are_long_or_run_from_right_to_left(phone: Page, new_page: NewPage) -> None:
    made = table(phone, DUEL, name="W" * 40)
    joined(new_page, made, "بنيامين (1)")
    expect(phone.get_by_text("بنيامين (1)").first).to_be_visible()
    assert overflow(phone) == 0
    play(phone, made, "11346", "--")
    expect(phone.get_by_role("region", name="Turns").get_by_role("listitem")).to_have_count(1)
    assert "\u2068بنيامين (1)\u2069" in "".join(said(phone))
    phone.set_viewport_size({"width": 740, "height": 360})
    assert overflow(phone) == 0
    command(phone, made, type="resign")
    expect(phone.get_by_role("heading", name=re.compile("Winner"))).to_be_visible()
    phone.set_viewport_size({"width": 360, "height": 740})
    assert overflow(phone) == 0


def test_keys_are_listed(page: Page) -> None:
    table(page, {**DUEL, "seats": [{}, {"kind": "level", "level": "random"}]})
    expect(page.get_by_role("button", name="Table", exact=True)).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


# --- Longer --------------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_clock_is_heard_and_runs_out(page: Page, new_page: NewPage) -> None:
    made = table(page, {**DUEL, "clock": {"kind": "turn", "seconds": 12}})
    joined(new_page, made)
    page.wait_for_function("() => window.__said.length >= 4", timeout=20_000)
    hears(
        page,
        "Yam Master. 1 seat is still free.",
        "Ben takes a seat. The game begins. Your turn.",
        "Ten seconds left.",
        "Your time has run out. Winner: Ben. Points: Anna 0, Ben 0.",
    )
