"""The administration page, reports from a table, and the message of the host to everybody."""

import re
import subprocess
import sys
from pathlib import Path
from time import time
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, Faults, Json, Server, axe, command, overflow, painted, resized, table, wait_until
from tests.sweep import in_step, sweep

TWO: Final[Json] = {"game": "yam-master", "seats": [{}, {}]}
EVIL: Final = "<img src=x onerror=fail()>"
PARTS: Final = ("", "/tables", "/people", "/addresses", "/message", "/numbers", "/log")


def identity_of(page: Page) -> str:
    """Return the identity in the cookie of a page, once the server has saved its device."""
    page.request.get("/api/me")
    page.request.get("/api/devices")
    (cookie,) = [each for each in page.context.cookies() if each.get("name", "").startswith("dicecup-")]
    return str(cookie.get("value", "")).partition(".")[0]


def grant(page: Page, server: Server) -> str:
    """Make the person of a page an administrator, and return the identity."""
    identity = identity_of(page)
    program = Path(sys.executable).with_name("dicecup")
    database = f"sqlite:///{server.folder / 'tables.sqlite'}"
    subprocess.run([program, "admin", "--database", database, "grant", "--", identity], check=True, capture_output=True)
    return identity


def seated(new_page: NewPage, admin: Page, **options: Any) -> tuple[Page, Json]:
    """Return a page at a table at which its person, with a name that is HTML, sits with the
    administrator."""
    page = new_page(**options)
    identity_of(page)
    made = table(admin, TWO)
    page.goto(made["join"])
    page.get_by_role("textbox").fill(EVIL[:20])
    page.get_by_role("textbox").press("Enter")
    expect(page.locator("[data-players]")).to_be_visible()
    return page, made


def acted(page: Page, answer: str, path: str) -> None:
    """Do something as an administrator, without the page."""
    sent = page.request.post(f"/api/admin{path}", data=answer, headers={"Content-Type": "application/json"})
    assert sent.ok, sent.text()


def test_nobody_else_finds_the_page(page: Page, faults: Faults) -> None:
    faults.allow("404")
    answer = page.goto("/admin")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("This page does not exist")


@pytest.mark.slow
def test_a_report_takes_two_taps_and_leads_to_a_ban_by_keyboard(new_page: NewPage, server: Server, faults: Faults) -> None:
    admin = new_page()
    grant(admin, server)
    ben, _ = seated(new_page, admin, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    admin.get_by_role("button", name="Table", exact=True).click()
    admin.get_by_role("button", name="Report a person").click()
    assert axe(admin) == []
    admin.get_by_role("button", name="The name", exact=True).click()
    expect(admin.get_by_text("Reported. Thank you.").first).to_be_visible()
    admin.goto("/admin")
    report = admin.get_by_role("listitem").filter(has_text="The name").last
    expect(report.get_by_role("heading")).to_contain_text(EVIL[:20])
    tab = admin.get_by_role("navigation", name="Administration").get_by_role("link", name="Reports")
    count = int(tab.inner_text().partition("(")[2].partition(")")[0])
    report.get_by_label("What was done").press_sequentially("banned for a day")
    admin.keyboard.press("Enter")
    expect(report).to_be_hidden()
    expect(tab).to_have_text(re.compile(rf"^\s*Reports \({count - 1}\)\s*$" if count > 1 else r"^\s*Reports\s*$"))
    admin.goto(f"/admin/people?text={identity_of(ben)}")
    person = admin.locator("li.card")
    expect(person.get_by_role("heading")).to_have_text(EVIL[:20])
    person.locator("summary").press("Enter")
    reason = person.get_by_label("Reason, which the person reads")
    reason.press_sequentially("your name")
    person.get_by_role("button", name="Ban", exact=True).press("Enter")
    expect(person.get_by_role("button", name="No")).to_be_focused()
    admin.keyboard.press("Tab")
    faults.allow("403")
    admin.keyboard.press("Enter")
    expect(person.get_by_text(re.compile("^Banned until"))).to_be_visible()
    expect(ben.get_by_text("has banned you until")).to_be_visible()
    expect(ben.get_by_text("your name")).to_be_visible()
    ben.goto("/")
    expect(ben.get_by_text("has banned you until")).to_be_visible()
    person.get_by_role("button", name="Lift the ban").press("Enter")
    person.get_by_role("button", name="Lift the ban").press("Enter")
    expect(person.get_by_text(re.compile("^Banned until"))).to_be_hidden()
    admin.goto("/admin/log")
    expect(admin.get_by_role("listitem").filter(has_text="Resolve a report").first).to_contain_text("banned for a day · done")


@pytest.mark.slow
def test_the_administration_is_in_french(new_page: NewPage, own_server: Server, faults: Faults) -> None:
    faults.allow(GONE)
    admin = new_page(own_server, locale="fr-CH")
    grant(admin, own_server)
    _, made = seated(new_page, admin)
    assert admin.request.post("/api/reports", data={"table": made["table"], "seat": 1, "reason": "insult"}).ok
    admin.goto("/admin")
    report = admin.locator("li.card")
    expect(report.get_by_role("heading")).to_have_text(re.compile("^\\s*Insultes\u00a0: \u2068<img"))
    report.get_by_role("textbox").press("Enter")  # without a note
    expect(report).to_have_count(0)
    admin.get_by_role("checkbox").check()
    expect(report.locator("p").last).to_have_text(re.compile(r"\d:\d\d$"))
    refused = admin.request.post(f"/api/admin/tables/{'0' * 20}/close")
    assert refused.status == 404
    admin.goto("/admin/log")
    entries = admin.locator("main ol > li")
    expect(entries.nth(0)).to_contain_text("Terminer une partie")
    expect(entries.nth(0)).to_contain_text("refusé\u00a0: no-such-table")
    expect(entries.nth(1)).to_contain_text(re.compile("Traiter un signalement.* · fait"))


@pytest.mark.slow
@sweep("language", ["en-GB", "de-CH", "fr-CH"])
def test_what_a_person_said_is_reported(new_page: NewPage, server: Server, language: str) -> None:
    admin = new_page(locale=language, viewport={"width": 360, "height": 740})
    grant(admin, server)
    ben, made = seated(new_page, admin)
    command(ben, made, type="say", phrase="hello")
    admin.locator("header button[aria-haspopup=dialog]:has(svg path[d^='M4 4h16v12'])").click()
    line = admin.get_by_role("dialog").locator("li[data-event]")
    assert (overflow(admin), axe(admin)) == (0, [])
    line.get_by_role("button").press("Enter")
    reasons = admin.get_by_role("dialog").locator("ul button")
    expect(reasons).to_have_count(5)
    assert (overflow(admin), axe(admin)) == (0, [])
    admin.get_by_role("dialog").get_by_role("textbox").fill("Again\nand again")
    reasons.first.press("Enter")
    expect(admin.get_by_role("dialog")).to_be_hidden()
    admin.goto("/admin")
    expect(admin.locator("blockquote").last).to_have_text("Again\nand again")
    expect(admin.locator("li.reported").last).to_contain_text(EVIL[:20])
    assert (overflow(admin), axe(admin)) == (0, [])


@pytest.mark.slow
def test_a_person_in_the_lobby_is_reported(new_page: NewPage, own_server: Server, faults: Faults) -> None:
    faults.allow(GONE)
    admin, ben, carla = new_page(own_server), new_page(own_server), new_page(own_server)
    grant(admin, own_server)
    table(ben, TWO | {"listing": {"level": ""}}, EVIL)
    carla.goto("/")
    carla.get_by_role("button", name="Meet people").click()
    carla.get_by_role("button", name=f"Report a person: {EVIL}").press("Enter")
    expect(carla.get_by_role("dialog")).to_contain_text(EVIL)
    assert axe(carla) == []
    carla.get_by_role("button", name="The name", exact=True).press("Enter")
    expect(carla.get_by_text("Reported. Thank you.").first).to_be_visible()
    admin.goto("/admin")
    expect(admin.get_by_role("listitem").filter(has_text="The name").get_by_role("heading")).to_contain_text(EVIL)


@pytest.mark.slow
def test_a_table_is_looked_at_and_ended(new_page: NewPage, server: Server) -> None:
    admin = new_page()
    grant(admin, server)
    _, made = seated(new_page, admin)
    late: list[Route] = []
    admin.route("**/api/admin/tables?", lambda route: late.append(route))  # noqa: PLW0108 Playwright marks its handlers
    admin.goto("/admin/tables")
    wait_until(admin, lambda: late)
    admin.get_by_label("Beginning of an id").fill(made["table"])
    admin.keyboard.press("Enter")
    expect(admin.get_by_role("status")).to_have_text("1 table")
    with admin.expect_response("**/api/admin/tables?"):
        late.pop().continue_()  # the answer to an earlier request changes nothing
    painted(admin)
    expect(admin.get_by_role("status")).to_have_text("1 table")
    card = admin.locator("li.card")
    card.get_by_role("button", name="Let nobody in").click()
    expect(card.get_by_role("button", name="Let people in again")).to_be_focused()
    card.get_by_role("button", name="End the game").click()
    card.locator("[data-no]").press("Escape")
    card.get_by_role("button", name="End the game").click()
    card.locator("[data-yes]").click()
    expect(card).to_contain_text("over")
    card.get_by_role("button", name="Look at the table").click()
    expect(admin).to_have_url(re.compile(f"/tables/{made['table']}"))


@pytest.mark.slow
@in_step(language=["en-GB", "de-CH", "fr-CH"], width=[360, 1280])
def test_every_part_can_be_read_by_all(new_page: NewPage, server: Server, language: str, width: int) -> None:
    admin = new_page(locale=language, viewport={"width": width, "height": 740})
    identity = grant(admin, server)
    table(admin, TWO, EVIL)
    ben = new_page()
    made = table(ben, TWO, EVIL)
    key = made["watch"].partition("=")[2]
    sent = {"table": made["table"], "seat": 0, "reason": "insult"}
    assert admin.request.post("/api/reports", data=sent, headers={"Dicecup-Key": key}).ok
    acted(admin, '{"network": "2001:db8:ffff:ffff::/64"}', "/blocks")
    for part in PARTS:
        admin.goto(f"/admin{part}")
        expect(admin.get_by_role("heading", level=1)).to_be_visible()
        expect(admin.locator("main").get_by_text(re.compile(r"Loading|geladen|Chargement"))).to_have_count(0)
        for button in admin.locator("main button:visible").all()[-1:]:
            button.scroll_into_view_if_needed()
        assert (overflow(admin), axe(admin)) == (0, []), part
    admin.goto(f"/admin/people?text={identity}")
    expect(admin.locator("li.card")).to_be_visible()
    assert (overflow(admin), axe(admin)) == (0, [])
    assert ben.locator("img").count() == 0


# --- The message to everybody ---------------------------------------------------------------------


def announce(page: Page) -> None:
    texts = f'{{"en": "{EVIL} The server restarts at noon.", "de": "Wir starten um zwölf neu."}}'
    acted(page, f'{{"until": {time() + 3600}, "texts": {texts}}}', "/announcement")


def apart(one: Locator, other: Locator) -> bool:
    """Return whether two elements do not overlap."""
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    return (
        a["x"] + a["width"] <= b["x"]
        or b["x"] + b["width"] <= a["x"]
        or a["y"] + a["height"] <= b["y"]
        or b["y"] + b["height"] <= a["y"]
    )


@pytest.mark.slow
def test_a_message_reaches_every_page_once_and_leaves_the_dice_free(
    new_page: NewPage, own_server: Server, faults: Faults
) -> None:
    faults.allow(GONE)  # the server ends before the pages
    admin, player, german = new_page(own_server), new_page(own_server), new_page(own_server, locale="de-CH")
    grant(admin, own_server)
    table(player)
    expect(player.locator("[data-main]")).to_be_visible()
    announce(admin)
    message = player.get_by_role("complementary", name="Message from the host")
    expect(message).to_contain_text(f"{EVIL} The server restarts at noon.")
    assert player.locator("img").count() == 0
    player.wait_for_function("window.__said.some((said) => said.includes('restarts at noon'))")
    for width, height in ((1280, 800), (360, 740), (740, 360), (320, 568)):
        resized(player, width, height)
        assert apart(message, player.locator("[data-main]")), (width, height)
        assert (overflow(player), axe(player)) == (0, []), (width, height)
    message.get_by_role("button", name="Close").press("Enter")
    expect(message).to_be_hidden()
    player.reload()
    expect(player.locator("[data-main]")).to_be_visible()
    player.wait_for_load_state("networkidle")
    painted(player)
    expect(message).to_be_hidden()
    faults.allow("ERR_FAILED")
    german.route("**/api/announcement", lambda request: request.abort(), times=1)
    with german.expect_event("requestfailed"):
        german.goto("/")
    german.get_by_role("link", name="Regeln").first.click()  # the next answer leads to the message again
    expect(german.get_by_role("complementary", name="Mitteilung des Betreibers")).to_contain_text("um zwölf neu")
    player.goto("/")
    player.evaluate("localStorage.removeItem('dicecup-announcement')")
    player.reload()
    expect(message).to_be_visible()
    assert admin.request.delete("/api/admin/announcement", headers={"Content-Type": "application/json"}).ok
    player.get_by_role("link", name="Rules").first.click()  # the next answer of the server is without the message
    expect(message).to_be_hidden()
    player.goto("/")
    player.get_by_role("button", name="Meet people").click()
    expect(player.get_by_text("One person is here.")).to_be_visible()
    announce(admin)
    expect(message).to_be_visible(timeout=10_000)  # by the connection to the lobby


@pytest.mark.slow
def test_a_banned_person_is_told_so_in_the_lobby(new_page: NewPage, own_server: Server, faults: Faults) -> None:
    faults.allow("WebSocket connection")
    admin, ben = new_page(own_server), new_page(own_server)
    grant(admin, own_server)
    ben.goto("/")
    person = identity_of(ben)
    acted(admin, f'{{"person": "{person}", "until": {time() + 3600}, "reason": "your name"}}', "/bans")
    ben.get_by_role("button", name="Meet people").click()
    expect(ben.get_by_text("has banned you until")).to_be_visible()
    expect(ben.get_by_text("Loading")).to_have_count(0)
    ben.get_by_role("button", name="Play someone now").click()
    expect(ben.locator(".notice").filter(has_text="has banned you until")).to_be_visible()
    expect(ben.get_by_role("region", name="Looking for an opponent")).to_have_count(0)
