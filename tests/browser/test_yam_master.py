"""Yam Master in the browser: whole games, Défi, Predator, keyboard, accessibility."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser.around import change_views
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, axe, overflow, painted, table, view
from tests.sweep import sweep

PEOPLE: Json = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}
BEN = [{"seat": 0, "name": "Anna"}, {"seat": 1, "name": "Ben"}]
NARROW = {"width": 360, "height": 740}
ANNA, BENS = "\u2068Anna\u2069", "\u2068Ben\u2069"  # names in sentences have isolates


def hot_seat(page: Page, start: str = "", **more: object) -> Json:
    """Anna and Ben on one device; Anna is x."""
    setup = PEOPLE | {"start": start, "first": None if start else 0} | more
    return table(page, setup, seats=BEN)


def show(page: Page, faces: str) -> None:
    """Enter the faces of real dice by taps."""
    shown = page.get_by_role("group", name="What the dice show")
    for face in faces:
        shown.get_by_role("button", name=face, exact=True).click()


def square(page: Page, name: str) -> Locator:
    return page.locator(f"[data-square={name}]")


def lit(page: Page) -> Locator:
    return page.locator("[data-square][aria-disabled=false]")


def lit_squares(page: Page) -> list[str]:
    names: list[str] = lit(page).evaluate_all("squares => squares.map((each) => each.dataset.square)")
    return names


def dice(page: Page) -> Locator:
    return page.get_by_role("list", name="Dice", exact=True).get_by_role("listitem")


def keep(page: Page, *places: int) -> None:
    """Toggle dice. A tap while a throw is on its way has no effect and is repeated."""
    for place in places:
        die = dice(page).nth(place - 1).get_by_role("button")
        turned = "false" if die.get_attribute("aria-pressed") == "true" else "true"
        while die.get_attribute("aria-pressed") != turned:
            die.click()
            painted(page)


# --- Whole games ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_game_by_mouse_to_a_line_of_five(page: Page) -> None:
    made = hot_seat(page)
    turns = [
        ("11123", "a1"),
        ("22213", "a2"),
        ("33312", "b1"),
        ("55512", "e2"),
        ("44412", "d1"),
        ("66612", "a4"),
        ("66613", "e1"),
    ]
    for faces, name in turns:
        show(page, faces)
        expect(dice(page)).to_have_text(sorted(faces))
        square(page, name).click()
        expect(square(page, name).locator("svg")).to_be_visible()
    show(page, "11112")
    page.get_by_role("button", name="Pass").click()
    show(page, "11122")  # a Full House opens a Défi square under a Défi
    page.get_by_role("button", name="Declare a Défi (Challenge)").click()
    keep(page, 1, 2, 3, 4)
    page.get_by_role("button", name="Défi! Throw the other die").click()
    show(page, "2")
    expect(page.get_by_text("Défi (Challenge) made!")).to_be_visible()
    expect(square(page, "c1")).to_have_accessible_name(re.compile("Défi.*free; place a token and win with five in a line"))
    square(page, "c1").click()
    expect(page.locator("[data-winning]")).to_have_attribute("data-winning", "a1 b1 c1 d1 e1")
    result = view(page, made)["result"]
    assert (result["end"], result["winners"]) == ("line", [0])
    assert page.locator("[data-square=a1] [data-shape=disc], [data-square=a2] [data-shape=ring]").count() == 2
    expect(page.get_by_role("group", name="What the dice show")).to_have_count(0)
    assert axe(page) == []


@pytest.mark.slow
def test_a_whole_game_against_the_computer_by_touch(phone: Page) -> None:
    phone.emulate_media(reduced_motion="no-preference")
    made = table(phone, {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "greedy"}]})
    throw, over = phone.locator(".tray [data-main][aria-disabled=false]"), phone.locator("a[href^='/review/']")
    for _ in range(500):
        lit(phone).or_(throw).or_(over).first.wait_for()
        before = view(phone, made)["number"]
        if over.count():
            break
        with suppress(TookTooLong):  # the page may still show the state before the last tap
            lit(phone).or_(throw).first.click(timeout=5000)  # squares come before the tray
        for _ in range(100):
            if view(phone, made)["number"] != before:
                break
            phone.wait_for_timeout(20)
        painted(phone)
    assert view(phone, made)["result"]["end"] in ("tokens", "line")
    assert overflow(phone) <= 0


# --- Défi, Sec, Predator -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_lost_defi_places_no_token(page: Page) -> None:
    made = hot_seat(page)
    show(page, "11134")
    page.get_by_role("button", name="Declare a Défi (Challenge)").click()
    keep(page, 1, 2, 3)
    page.get_by_role("button", name="Défi! Throw the other 2 dice").click()
    show(page, "25")
    expect(page.get_by_role("button", name="Throw the other 2 dice")).to_be_visible()
    expect(page.get_by_text("Défi (Challenge) declared")).to_be_visible()
    assert lit_squares(page) == []  # a three of a kind does not save it
    page.get_by_role("button", name="Throw the other 2 dice").click()
    show(page, "46")
    expect(page.get_by_text("The Défi (Challenge) is lost: no token this turn.")).to_be_visible()
    page.get_by_role("button", name="End the turn without a token").click()
    expect(page.get_by_role("heading", name=f"{BENS}’s turn")).to_be_visible()
    assert view(page, made)["history"] == ["1. 11134 !k111 11125 k111 11146 --"]


@pytest.mark.slow
def test_sec_and_predator_announce_themselves(page: Page) -> None:
    hot_seat(page, "xxx2/o1o2/2o2/5/1o1x1 x 0:????? 8-8 9")
    show(page, "66666")
    expect(page.get_by_text(f"Predator! Take one of {BENS}’s tokens off, or place one.")).to_be_visible()
    assert lit_squares(page) == ["e1", "a2", "b2", "c2", "d2", "b3", "c3", "a4", "b4", "b5", "c5"]
    taken = square(page, "c3")
    expect(taken).to_have_accessible_name(
        f"c3, Yam Five of a kind – ring of {BENS}; Predator: take this token off, then 1 to 0 points"
    )
    expect(taken).to_have_class(re.compile("removing"))
    expect(square(page, "b4")).to_have_class(re.compile("lit"))
    taken.click()
    expect(taken).to_have_accessible_name("c3, Yam Five of a kind – free; last move")
    show(page, "12345")
    expect(page.get_by_text("Sec (One shot)! The Sec squares are open too.")).to_be_visible()
    assert lit_squares(page) == ["e3", "b4", "c4"]


@pytest.mark.slow
def test_the_chance_of_a_defi_is_hidden_from_opponents(page: Page, new_page: NewPage) -> None:
    start = "5/5/5/5/5 x 1:11346 12-12 1"
    table(page, {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "start": start})
    keep(page, 1, 2)
    defi = page.get_by_role("button", name="Declare a Défi (Challenge)")
    expect(defi).to_contain_text("47% chance")  # 151/324
    keep(page, 1, 2)
    expect(defi).not_to_contain_text("47% chance")
    between = new_page()
    hot_seat(between, start)
    expect(between.get_by_role("button", name="Declare a Défi (Challenge)")).to_be_visible()
    expect(between.get_by_text("chance")).to_have_count(0)


# --- Keys, sight, and none of it ------------------------------------------------------------------


def test_a_turn_is_played_by_keys_alone(page: Page) -> None:
    made = hot_seat(page)
    keys = page.keyboard
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    keys.type("11134")
    expect(dice(page)).to_have_text(["1", "1", "1", "3", "4"])
    keys.type("123")
    expect(dice(page)).to_have_text(["1, kept", "1, kept", "1, kept", "3", "4"])
    keys.press("d")
    square(page, "a1").focus()  # the square is lit: Enter places a token, the space bar throws
    keys.press(" ")
    expect(page.get_by_text("Throw the other 2 dice and enter what they show.")).to_be_visible()
    keys.type("11")
    expect(dice(page)).to_have_text(["1, kept", "1, kept", "1, kept", "1", "1"])
    page.locator(".tray [data-main]").focus()
    keys.press("Shift+Tab")
    while page.evaluate("!document.activeElement.dataset.square"):
        keys.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.square") in lit_squares(page)
    square(page, "a1").focus()
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.square") == "b2"
    keys.press("Enter")
    expect(square(page, "b2")).to_have_accessible_name(re.compile("disc × of .Anna.; last move"))
    assert page.evaluate("document.activeElement.dataset.square") == "b2"
    keys.press("End")
    keys.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.square") == "e2"
    assert view(page, made)["history"] == ["1. 11134 !k111 11111 b2"]


@pytest.mark.slow
def test_at_least_one_die_is_thrown(page: Page) -> None:
    hot_seat(page, "5/5/5/5/5 x 1:11346 12-12 1")
    keep(page, 1, 2, 3, 4, 5)
    throw = page.locator(".tray [data-main]")
    expect(throw).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_text("At least one die must be thrown: release one.")).to_be_visible()
    keep(page, 5)
    expect(throw).to_have_text("Throw the other die")


def test_threats_are_shown_on_demand(page: Page) -> None:
    hot_seat(page, "xx1x1/o4/5/5/xxxx1 o 0:????? 5-11 16")
    expect(square(page, "e5")).to_have_accessible_name("e5, 4 Three of a kind – free")
    page.get_by_role("button", name="Show threats").click()
    expect(square(page, "e5")).to_have_accessible_name(f"e5, 4 Three of a kind – free; here {ANNA} would win")
    expect(square(page, "c1")).to_have_accessible_name(f"c1, Défi Challenge – free; here {ANNA} would gain +2")
    assert page.locator("[data-line]").evaluate_all("lines => lines.map((line) => line.dataset.line)") == ["a5 b5 c5 d5"]
    expect(page.get_by_text(f"Lines of {ANNA}: a5–d5")).to_be_attached()


@pytest.mark.slow
@sweep("scheme", ["light", "dark"])
def test_every_state_is_accessible_on_a_phone(new_page: NewPage, scheme: str) -> None:
    page = new_page(viewport=NARROW, has_touch=True, color_scheme=scheme)
    hot_seat(page)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    for step in ("", "11134", "k", "11"):
        if step == "k":
            keep(page, 1, 2, 3)
            page.get_by_role("button", name="Declare a Défi (Challenge)").click()
            assert axe(page) == []
            page.get_by_role("button", name="Throw the other 2 dice").click()
            expect(page.get_by_text("Throw the other 2 dice and enter")).to_be_visible()
        elif step:
            show(page, step)
            expect(page.get_by_role("button", name="Pass")).to_be_visible()
        assert axe(page) == []
        assert overflow(page) <= 0
    page.get_by_role("button", name="Show threats").click()
    assert axe(page) == []


@pytest.mark.slow
def test_board_dice_and_throw_fit_on_a_phone(new_page: NewPage) -> None:
    for width, height in ((360, 740), (740, 360)):
        page = new_page(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
        table(page, {"game": "yam-master", "seats": [{}, {}], "start": "xxx2/o1o2/2o2/5/1o1x1 x 1:11333 8-8 9"}, seats=BEN)
        page.get_by_role("button", name="Declare a Défi (Challenge)").click()
        painted(page)
        top, bottom = (page.locator(place).bounding_box() for place in ("[role=grid]", ".tray"))
        assert top is not None
        assert bottom is not None
        higher = max(top["y"] + top["height"], bottom["y"] + bottom["height"])
        assert higher - (top["y"] if width > height else 0) <= height
        small = page.locator(".game button").evaluate_all(
            "all => all.filter((each) => each.offsetParent).filter((each) => {"
            " const { width, height } = each.getBoundingClientRect(); return width < 44 || height < 44 })"
            ".map((each) => each.outerHTML.slice(0, 200))"
        )
        assert small == []
        assert overflow(page) <= 0


# --- What things mean, and keys -------------------------------------------------------------------


def test_squares_and_points_explain_themselves(phone: Page) -> None:
    hot_seat(phone, "xxx2/o1o2/2o2/5/1o1x1 x 1:11333 8-8 9", dice="server")
    text = phone.locator(".tray .text")
    expect(phone.locator("[data-main][aria-disabled=false]")).to_be_visible()
    for name, sentence, faces in (
        ("b2", "b2 Carré: at least four equal dice", 5),
        ("e1", "e1 6: at least three dice show a 6", 5),
        ("d3", "d3 Défi: bet before the second throw, then Full, Carré, Yam, Suite or ≤8", 0),
        ("c3", f"c3 Yam: ring of {BENS}", 0),
    ):
        square(phone, name).focus()  # a tap focuses it too; it has no action
        expect(text).to_have_text(sentence)
        expect(text.locator("svg")).to_have_count(faces)
    expect(square(phone, "b2")).to_have_accessible_description("b2 Carré: at least four equal dice; for example 3 4 4 4 4")
    phone.get_by_role("button", name="Anna: How the points are counted").click()
    dialog = phone.get_by_role("dialog")
    expect(dialog).to_contain_text("exactly three are 1 point")
    expect(dialog.get_by_role("definition")).to_have_text(["a1–c1", "no run yet"])
    assert axe(phone, only="dialog[open]") == []


def test_keys_reach_the_board_from_anywhere(page: Page) -> None:
    hot_seat(page, "xxx2/o1o2/2o2/5/1o1x1 x 1:11333 8-8 9", dice="server")
    expect(lit(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.square") in lit_squares(page)
    page.get_by_role("button", name="Table", exact=True).focus()
    seen = []
    for _ in range(5):
        page.keyboard.press("n")
        seen.append(page.evaluate("document.activeElement.dataset.square"))
    assert sorted(set(seen)) == sorted(lit_squares(page))
    assert seen[0] == seen[4]


@pytest.mark.slow
def test_the_sentence_about_the_first_player_is_right(new_page: NewPage) -> None:
    for locale, sentence, others in (
        ("en-GB", r"The lot shows 1: you begin\.", r"The lot shows 1: .Anna. begins\."),
        ("de-CH", r"Das Los zeigt 1: Du beginnst\.", r"Das Los zeigt 1: .Anna. beginnt\."),
        ("fr-CH", r"Le tirage donne 1\s: tu commences\.", r"Le tirage donne 1\s: .Anna. commence\."),
    ):
        page, ben = new_page(locale=locale), new_page(locale=locale)

        def drawn(view: Json) -> None:
            view["starting"] = {"lot": 1, "rounds": []}

        change_views(page, drawn)
        change_views(ben, drawn)
        made = table(page, {**PEOPLE, "dice": "server"})
        expect(page.get_by_role("listitem")).to_have_count(2)
        ben.goto(made["join"])
        ben.get_by_role("textbox").fill("Ben")
        ben.locator("form button").click()
        expect(page.locator(".tray .text")).to_have_text(re.compile(sentence))
        expect(ben.locator(".tray .text")).to_have_text(re.compile(others))


# --- Dice that tumble -----------------------------------------------------------------------------


@pytest.mark.slow
def test_dice_tumble_over_faces_that_are_there_already(new_page: NewPage) -> None:
    setup = {"game": "yam-master", "seats": [{}, {}]}
    cubes = ".tray .tumbling"
    for context, tumbling in ((new_page(reduced_motion="no-preference"), 5), (new_page(), 0)):
        table(context, setup, seats=BEN)
        throw = context.get_by_role("button", name="First throw")
        throw.wait_for()
        context.evaluate("""() => { window.__seen = []; new MutationObserver(() => {
            const names = Array.from(document.querySelectorAll('.dice li'), (each) => each.textContent.trim()).join('');
            const cubes = document.querySelectorAll('.tray .tumbling').length;
            if (/^[1-6]{5}$/.test(names) && !window.__seen.length) window.__seen.push(cubes);
            if (names.includes('kept') && cubes) window.__again = cubes;
        }).observe(document.body, { childList: true, subtree: true }) }""")
        throw.click()
        expect(dice(context)).to_have_count(5)
        assert context.evaluate("window.__seen") == [tumbling]
        if tumbling:
            context.keyboard.press("Shift")  # any key
        assert context.locator(cubes).count() == 0
        keep(context, 1)
        context.get_by_role("button", name="Throw the other 4 dice").click()
        if tumbling:
            # the short animation is recorded by the page
            context.wait_for_function("() => window.__again === 4")
            expect(context.locator(cubes)).to_have_count(0)
        expect(dice(context).first).to_contain_text("kept")
