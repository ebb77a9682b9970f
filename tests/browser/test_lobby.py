"""Two strangers find each other in the lobby, on phones and in three languages."""

import json
import re
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.around import joined
from tests.browser.conftest import NewPage
from tests.browser.harness import (
    AGAINST_COMPUTER,
    GONE,
    Faults,
    Json,
    Server,
    announcements,
    axe,
    command,
    overflow,
    resized,
    table,
    wait_until,
)

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LISTED = {"game": "yamm", "seats": [{}, {}], "listing": {"level": "casual"}}


def meet(page: Page) -> None:
    """Open the lobby on the start page."""
    page.goto("/")
    page.get_by_role("button", name="Meet people").tap()
    expect(page.get_by_role("heading", name="Meet people")).to_be_visible()


def seek(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play someone now").tap()


def answer_to_seek(page: Page, name: str, people: str) -> str:
    """Open the lobby, wait until it tells how many people are there, look for an opponent, and
    return what the server says about it."""
    with page.expect_websocket() as connected:
        meet(page)
    expect(page.get_by_text(people)).to_be_visible()
    with connected.value.expect_event("framereceived", lambda frame: '"type":"seek"' in frame) as answered:
        seek(page, name)
    text: str = answered.value
    return text


@pytest.mark.slow
def test_two_strangers_find_each_other_play_and_one_leaves(new_page: NewPage) -> None:
    anna, ben = new_page(**PHONE), new_page(**PHONE)
    meet(anna)
    seek(anna, "Anna")
    bar = anna.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_be_visible()
    assert (axe(anna), overflow(anna)) == ([], 0)
    anna.goto("/rules/yamm")  # the request goes on, also when the page is loaded again
    expect(bar).to_be_visible()
    meet(ben)
    seek(ben, "Ben")
    for page in (anna, ben):
        page.wait_for_url("**/tables/*")
        expect(page.locator("[data-main]")).to_be_visible()
        expect(bar).to_have_count(0)
    assert anna.url == ben.url
    assert "Someone is here: the game begins." in announcements(anna)
    ben.close()
    expect(anna.get_by_text(re.compile("Ben.*(away|offline|left)")).first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_the_bar_of_a_search_covers_nothing_of_a_game(own_server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(own_server, **PHONE)
    meet(page)
    seek(page, "Anna")
    bar = page.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_be_visible()
    table(page, AGAINST_COMPUTER | {"game": game})
    throw = page.locator("[data-main]")
    for width, height in ((390, 844), (390, 740), (390, 664), (900, 420)):
        resized(page, width, height)
        top, end = bar.bounding_box(), throw.bounding_box()
        assert top is not None
        assert end is not None
        assert end["y"] + end["height"] <= top["y"]
        assert (axe(page, only=".seek"), overflow(page)) == ([], 0)
    resized(page, 390, 664)
    throw.tap()
    expect(throw).not_to_have_text("Throw")
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    throw.tap()
    expect(bar.get_by_role("button", name="Stop looking")).to_be_visible()


@pytest.mark.slow
def test_who_comes_alone_looks_again_and_can_stop(own_server: Server, new_page: NewPage) -> None:
    anna, ben = (new_page(own_server, **PHONE) for _ in range(2))
    meet(anna)
    seek(anna, "Anna")
    expect(anna.get_by_role("region", name="Looking for an opponent")).to_be_visible()
    ben.goto("/")
    # a program that asks for an opponent and never comes to the table
    ben.evaluate(
        """async () => {
             await fetch('/api/me');
             const socket = new WebSocket(`ws://${location.host}/ws/lobby`);
             socket.onopen = () => {
               socket.send('{"type": "hello"}');
               const clock = { kind: 'turn', seconds: 60 };
               socket.send(JSON.stringify({ type: 'seek', id: 'b1', game: 'yam-master', clock, name: 'Ben' }));
             };
           }"""
    )
    anna.wait_for_url("**/tables/*")
    expect(anna.get_by_role("region", name="Looking for an opponent")).to_be_visible()
    assert any("did not come" in sentence for sentence in announcements(anna))
    anna.get_by_role("button", name="Stop looking").tap()
    expect(anna.get_by_role("region", name="Looking for an opponent")).to_have_count(0)


@pytest.mark.slow
def test_a_search_ends_at_the_server_also_if_it_is_stopped_without_a_connection(
    own_server: Server, new_page: NewPage, faults: Faults
) -> None:
    faults.allow(GONE)
    anna, ben = (new_page(own_server, **PHONE) for _ in range(2))
    meet(anna)
    seek(anna, "Anna")
    assert "Looking for an opponent" in announcements(anna)
    bar = anna.get_by_role("region", name="Looking for an opponent")
    expect(bar.get_by_text("days per turn")).to_have_count(0)
    anna.context.set_offline(True)
    expect(bar).to_contain_text("No connection to the server")
    bar.get_by_role("button", name="Stop looking").tap()
    expect(bar).to_have_count(0)
    anna.context.set_offline(False)
    # the answer comes after the pairing: there was nobody else
    assert '"table":null' in answer_to_seek(ben, "Ben", "2 people are here.")


@pytest.mark.slow
def test_a_silent_connection_is_replaced_while_an_opponent_is_sought(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server, **PHONE)
    page.clock.install()
    sockets: list[WebSocketRoute] = []
    pings: list[str | bytes] = []

    def route(socket: WebSocketRoute) -> None:
        """Lose what the first connection carries from the first ping on."""
        server = socket.connect_to_server()
        sockets.append(socket)
        if len(sockets) == 1:
            server.on_message(lambda text: None if pings else socket.send(text))
            socket.on_message(lambda text: pings.append(text) if '"ping"' in str(text) else server.send(text))

    page.route_web_socket("**/ws/lobby", route)
    meet(page)
    expect(page.get_by_text("One person is here.")).to_be_visible()
    page.clock.fast_forward(60_000)
    assert not pings  # who only looks is not missed
    seek(page, "Anna")
    bar = page.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_be_visible()
    page.clock.fast_forward(21_000)
    wait_until(page, lambda: len(pings) == 1)
    page.clock.fast_forward(21_000)
    wait_until(page, lambda: len(sockets) == 2)
    expect(bar).to_be_visible()


@pytest.mark.slow
def test_a_page_that_was_away_for_long_does_not_look_for_an_opponent_by_itself(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server, **PHONE)
    page.clock.install()
    meet(page)
    seek(page, "Anna")
    bar = page.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_be_visible()
    page.reload()
    expect(bar).to_be_visible()
    page.clock.fast_forward(60_000)  # timers that are due ring once
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(bar).to_be_visible()
    # a page that is frozen hears nothing: only the time is later when it goes on
    page.evaluate("(() => { const now = Date.now() + 121_000; Date.now = () => now; })()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(bar).to_have_count(0)
    expect(page.get_by_role("region", name="Notices")).to_contain_text("You are not looking for an opponent any more.")


@pytest.mark.slow
@pytest.mark.parametrize("seconds, count", [(60, 1), (180, 0)])
def test_a_tab_that_comes_back_late_does_not_look_for_an_opponent(
    own_server: Server, new_page: NewPage, seconds: int, count: int
) -> None:
    page = new_page(own_server, **PHONE)
    request = {"type": "seek", "id": token_hex(8), "game": "yam-master", "clock": None, "rated": False, "name": "Anna"}
    kept = f"{{ request: {json.dumps(request)}, seen: Date.now() - {seconds}e3 }}"
    page.add_init_script(f"sessionStorage.setItem('dicecup-seek', JSON.stringify({kept}))")
    page.goto("/")
    expect(page.get_by_role("button", name="Meet people")).to_be_visible()
    wait_until(page, lambda: page.evaluate("sessionStorage.getItem('dicecup-seek') !== null") == bool(count))
    expect(page.get_by_role("region", name="Looking for an opponent")).to_have_count(count)


@pytest.mark.slow
def test_a_tap_in_the_lobby_waits_for_the_server(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server, **PHONE)
    lobby: list[WebSocketRoute] = []
    games: list[Route] = []

    def keep(request: Route) -> None:
        games.append(request)

    def open_lobby(socket: WebSocketRoute) -> None:
        lobby.append(socket)

    page.route_web_socket("**/ws/lobby", open_lobby)
    page.route("**/api/games", keep)
    meet(page)
    button = page.get_by_role("button", name="Play someone now")
    before = button.bounding_box()
    wait_until(page, lambda: bool(lobby))
    lobby[0].send('{"type": "lobby", "people": 3, "tables": [], "gone": []}')
    expect(page.get_by_text("3 people are here.")).to_be_visible()
    assert button.bounding_box() == before  # nothing moves away under a finger
    seek(page, "Anna")
    bar = page.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_have_count(0)  # the games are not known yet
    for request in games:
        request.continue_()
    expect(bar).to_be_visible()


@pytest.mark.slow
def test_two_pages_of_a_person_show_one_request(own_server: Server, new_page: NewPage) -> None:
    first = new_page(own_server, **PHONE)
    meet(first)
    expect(first.get_by_text("One person is here.")).to_be_visible()  # both pages get its cookie
    second = first.context.new_page()
    second.goto("/")  # the lobby is open there, too
    first.get_by_label("Clock").select_option("3 days per turn")
    seek(first, "Anna")
    bar = first.get_by_role("region", name="Looking for an opponent")
    expect(bar).to_contain_text("3 days per turn")
    seek(second, "Anna")
    expect(bar).to_contain_text("60 s per turn")
    second.get_by_role("button", name="Stop looking").tap()
    expect(bar).to_have_count(0)


@pytest.mark.slow
def test_who_sits_down_with_people_does_not_look_for_an_opponent_any_more(own_server: Server, new_page: NewPage) -> None:
    anna, ben = new_page(own_server), new_page(own_server, **PHONE)
    made = table(anna, {"game": "yam-master", "seats": [{}, {}]})
    answer_to_seek(ben, "Ben", "One person is here.")
    expect(ben.get_by_role("region", name="Looking for an opponent")).to_be_visible()
    ben.goto(made["join"])
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join the game").click()
    expect(ben.locator("[data-main]")).to_be_visible()
    expect(ben.get_by_role("region", name="Looking for an opponent")).to_have_count(0)


def test_a_public_table_is_found_and_joined(new_page: NewPage) -> None:
    anna, ben = new_page(), new_page(**PHONE)
    anna.goto("/?game=yamm&with=link")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Anyone may join").check()
    anna.get_by_label("Opponents about as strong as").select_option("casual")
    assert axe(anna) == []
    anna.get_by_role("button", name="Open the table").click()
    anna.wait_for_url("**/tables/*")
    meet(ben)
    line = ben.get_by_role("listitem").filter(has_text="Anna")
    expect(line).to_contain_text("level Casual")
    assert (axe(ben), overflow(ben)) == ([], 0)
    line.get_by_role("link", name=re.compile("^Sit down")).tap()
    ben.wait_for_url("**/tables/*")


@pytest.mark.slow
@pytest.mark.parametrize(
    "locale, name", [("de-CH", "Leute treffen"), ("fr-FR", "Rencontrer du monde"), ("en-GB", "Meet people")]
)
def test_the_lobby_fits_every_window_in_every_language(new_page: NewPage, locale: str, name: str) -> None:
    made_by, page = new_page(), new_page(locale=locale)
    table(made_by, LISTED)
    page.goto("/")
    page.keyboard.press("Tab")
    page.get_by_role("button", name=name).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name=name)).to_be_focused()  # the button is gone
    expect(page.get_by_role("listitem").filter(has_text="Anna").first).to_be_visible()
    for width, height in ((360, 740), (740, 360), (1280, 800)):
        resized(page, width, height)
        assert (axe(page, only=".people"), overflow(page)) == ([], 0)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    resized(page, 360, 740)
    assert overflow(page) == 0


def have_played(anna: Page, ben: Page) -> Json:
    """Let two people play until one resigns, and return the table."""
    made = table(anna, {"game": "yam-master", "seats": [{}, {}]})
    ben.goto(made["join"])
    ben.get_by_label(re.compile("Your name|Dein Name|Ton nom")).fill("Ben")
    ben.get_by_role("button", name=re.compile("Join the game|Mitspielen|Jouer|Rejoindre")).click()
    expect(ben.locator("[data-main]")).to_be_visible()
    command(anna, made, type="resign")
    return made


@pytest.mark.slow
def test_people_who_played_are_invited_and_blocked(new_page: NewPage) -> None:
    anna, ben = new_page(), new_page(**PHONE)
    have_played(anna, ben)
    meet(ben)
    ben.get_by_text("People you have played").tap()
    known = ben.get_by_role("listitem").filter(has_text="Anna")
    expect(known.get_by_role("button", name="Invite Anna")).to_be_visible()
    assert (axe(ben, only=".people"), overflow(ben)) == ([], 0)
    anna.goto("/")
    anna.get_by_role("button", name="Meet people").click()
    anna.get_by_text("People you have played").click()
    for page in (anna, ben):
        page.get_by_label("Show them when I am here").check()
    expect(known.first).to_contain_text("here now")  # the list is open all the time
    anna.get_by_role("button", name="Invite Ben").click()
    anna.wait_for_url("**/tables/*")
    expect(ben.get_by_text("invites you to Yam Master").first).to_be_visible()
    note = ben.get_by_role("complementary", name="Invitation")
    expect(note.get_by_role("link", name="Accept")).to_be_in_viewport()
    known.get_by_role("button", name="Block Anna").tap()
    expect(ben.get_by_role("button", name="Unblock Anna")).to_be_visible()
    expect(ben.locator("summary", has_text="People you have played")).to_be_focused()  # the button is gone


INVITE = """async () => {
  const ask = async (path, body) => {
    const options = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(path, options ?? {});
    return answer.status === 204 ? null : answer.json();
  };
  const [person] = (await ask('/api/lobby/people')).people;
  const setup = { game: 'yam-master', seats: [{}, {}] };
  const { table } = await ask('/api/tables', { setup, name: 'Anna' });
  await ask('/api/lobby/invitations', { table, person: person.id });
  return table;
}"""


@pytest.mark.slow
def test_an_invitation_reaches_a_page_at_a_table(new_page: NewPage) -> None:
    anna, ben = new_page(), new_page(**PHONE)
    have_played(anna, ben)
    table(ben, AGAINST_COMPUTER, "Ben")
    expect(ben.locator("[data-main]")).to_be_visible()
    made = anna.evaluate(INVITE)
    note = ben.get_by_role("complementary", name="Invitation")
    expect(note).to_contain_text("invites you to Yam Master")
    said = [sentence.translate({0x2068: None, 0x2069: None}) for sentence in announcements(ben)]
    assert said.count("Anna invites you to Yam Master.") == 1
    assert (axe(ben), overflow(ben)) == ([], 0)
    anna.goto(f"/tables/{made}")
    expect(anna.get_by_text("The game begins by itself")).to_be_visible()
    note.get_by_role("button", name="Decline").tap()
    expect(note).to_have_count(0)
    expect(anna.get_by_text("Your invitation was declined.").first).to_be_visible()
    again = anna.evaluate(INVITE)
    assert again != made
    expect(note).to_be_visible()
    ben.get_by_role("complementary", name="Invitation").get_by_role("link", name="Accept").tap()
    ben.wait_for_url(f"**/tables/{again}**")
    expect(note).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "locale, label, decline", [("de-CH", "Einladung", "Ablehnen"), ("fr-FR", "Invitation", "Refuser")], ids=["de", "fr"]
)
def test_an_invitation_reaches_a_page_without_a_connection_and_can_be_put_aside(
    new_page: NewPage, locale: str, label: str, decline: str
) -> None:
    anna, ben = new_page(), new_page(locale=locale)
    have_played(anna, ben)
    anna.evaluate(INVITE)
    ben.goto("/statistics")
    note = ben.get_by_role("complementary", name=label)
    expect(note.get_by_role("button", name=decline)).to_be_visible()
    for width, height in ((360, 740), (740, 360), (1280, 800)):
        resized(ben, width, height)
        assert (axe(ben), overflow(ben)) == ([], 0)
    note.get_by_role("button").last.focus()
    ben.keyboard.press("Enter")
    expect(note).to_have_count(0)
    expect(ben.locator("h1")).to_be_focused()
    ben.goto("/rules/yamm")  # it stays aside, and is in the list of the lobby
    ben.goto("/")
    ben.get_by_role("button", name=re.compile("Leute treffen|Rencontrer")).click()
    listed = ben.get_by_role("status").filter(has_text="Anna")
    expect(listed).to_be_visible()
    expect(note).to_have_count(0)
    listed.get_by_role("button", name=decline).click()
    expect(listed).to_have_count(0)


@pytest.mark.slow
def test_the_start_page_says_how_many_people_are_in_the_lobby(own_server: Server, new_page: NewPage) -> None:
    anna, ben = new_page(own_server, **PHONE), new_page(own_server)
    meet(anna)
    expect(anna.get_by_text("One person is here.")).to_be_visible()
    ben.goto("/")
    button = ben.get_by_role("button", name="Meet people")
    expect(button).to_contain_text("1 person here now")
    assert (axe(ben, only=".people"), overflow(ben)) == ([], 0)
    button.click()
    expect(ben.get_by_text("2 people are here.")).to_be_visible()


@pytest.mark.slow
def test_an_opponent_is_blocked_from_the_menu_of_the_table(own_server: Server, new_page: NewPage) -> None:
    anna = new_page(own_server, **PHONE)
    made = table(anna, {"game": "yam-master", "seats": [{}, {}]})
    joined(new_page, made, at=own_server)
    anna.get_by_role("button", name="Table", exact=True).tap()
    block = anna.get_by_role("dialog").get_by_role("button", name=re.compile("^Block .*Ben"))
    expect(block).to_be_visible()
    assert (axe(anna), overflow(anna)) == ([], 0)
    block.tap()
    expect(anna.get_by_text(re.compile("You have blocked .*Ben")).first).to_be_visible()
    meet(anna)
    anna.get_by_text("People you have played").tap()
    expect(anna.get_by_role("button", name=re.compile("^Unblock .*Ben"))).to_be_visible()
