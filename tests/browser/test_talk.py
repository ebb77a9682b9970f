"""Two people talk at a table, each in their own language."""

import json
import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.around import joined
from tests.browser.conftest import NewPage
from tests.browser.harness import Json, announcements, axe, command, overflow, table, view, wait_until
from tests.sweep import sweep

DUEL: Final[Json] = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}
MOST_SHIFT: Final = 0.02
"""By how much an arriving line may move the page."""
SHIFTS: Final = """
  window.__shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.__shift += entry.value;
  }).observe({ type: 'layout-shift' });
"""

BELOW: Final = """
  (() => {
    const middle = (at) => ((box) => box.x + box.width / 2)(document.querySelector(at).getBoundingClientRect());
    return Math.abs(middle("[data-bubble='1']") - middle("[data-seat='1']")) < 24;
  })()
"""
"""Whether the bubble is below its seat."""


def plain(sentences: list[str]) -> list[str]:
    """Return sentences without the isolates around names."""
    return [sentence.translate({0x2068: None, 0x2069: None}) for sentence in sentences]


def say(page: Page, phrase: str) -> None:
    """Open the sheet and say a phrase."""
    page.get_by_role("button", name=re.compile("^(Say something|Etwas sagen)")).click()
    page.get_by_role("dialog").get_by_role("button", name=phrase, exact=True).click()


@pytest.mark.slow
@sweep("size", [(360, 740), (1280, 800)], ids=["phone", "desktop"])
def test_a_phrase_is_read_in_the_own_language_and_disturbs_no_throw(new_page: NewPage, size: tuple[int, int]) -> None:
    anna = new_page(viewport={"width": size[0], "height": size[1]})
    made = table(anna, DUEL)
    ben = joined(new_page, made, locale="de-CH")
    ben.goto(f"/tables/{made['table']}")
    ben.get_by_role("button", name="Etwas sagen").wait_for()
    entry = anna.get_by_role("button", name=re.compile("^6")).first
    entry.click()  # a die that is typed stays typed while others talk
    typed = anna.locator("[data-main]").inner_text()
    anna.evaluate(SHIFTS)
    say(ben, "Viel Glück!")
    bubble = anna.locator("[data-bubble='1']")
    expect(bubble).to_have_text("Good luck!")
    assert anna.evaluate(BELOW)
    wait_until(anna, lambda: "Ben: Good luck!" in plain(announcements(anna)))
    assert anna.locator("[data-main]").inner_text() == typed
    assert anna.evaluate("window.__shift") <= MOST_SHIFT
    assert overflow(anna) == 0
    assert axe(anna) == []
    command(anna, made, type="enter-dice", dice="66634")
    ben.get_by_role("button", name="Etwas sagen (neue Nachrichten)").wait_for(state="detached")
    ben.get_by_role("button", name="Etwas sagen").click()
    sheet = ben.get_by_role("dialog")
    expect(sheet.get_by_role("group", name=re.compile("^Auf den Wurf 3 4 6 6 6 von .*Anna.* reagieren$"))).to_be_visible()
    assert axe(ben) == []
    sheet.get_by_role("button", name="Wow!").click()
    expect(bubble).to_have_text("Wow!")
    wait_until(anna, lambda: any("Ben on your throw 3 4 6 6 6: Wow!" in said for said in plain(announcements(anna))))
    anna.get_by_role("button", name="Say something (new messages)").click()
    lines = anna.get_by_role("dialog").locator("[data-event]")
    expect(lines).to_have_count(2)
    reported = "\n⚑"  # the button to report it
    assert plain(lines.all_inner_texts()) == [f"Ben: Good luck!{reported}", f"Ben on your throw 3 4 6 6 6: Wow!{reported}"]
    assert axe(anna) == []
    assert overflow(anna) == 0
    assert sum("Good luck" in said for said in plain(announcements(anna))) == 1


@pytest.mark.slow
def test_texts_need_both_people_and_the_keyboard_is_enough(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    ben = joined(new_page, made)
    ben.goto(f"/tables/{made['table']}")
    page.get_by_role("button", name="Say something").focus()
    page.keyboard.press("Enter")
    allow = page.get_by_label("Allow written messages at this table")
    allow.focus()
    page.keyboard.press("Space")
    expect(page.get_by_text(re.compile("Not yet: .*Ben"))).to_be_visible()
    expect(page.get_by_role("textbox", name="Your message")).to_have_count(0)
    command(ben, made, type="allow-texts", allowed=True)
    page.get_by_role("textbox", name="Your message").focus()
    page.keyboard.type("<b>Hello</b>, Ben!")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # sends nothing
    expect(ben.locator("[data-bubble='0']")).to_have_text("<b>Hello</b>, Ben!")
    expect(page.get_by_role("log", name="What was said").get_by_text("Hello")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Your message")).to_have_value("")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Say something")).to_be_focused()


def with_texts(page: Page, new_page: NewPage) -> tuple[Json, Page]:
    """Let two people write at a new table. Return the table and the page of the second."""
    made = table(page, DUEL)
    ben = joined(new_page, made)
    for each in (ben, page):
        command(each, made, type="allow-texts", allowed=True)
    return made, ben


CUT: Final = """
  () => {
    const words = document.querySelector("[data-bubble='1'] .words");
    const [shown, all] = [words.getBoundingClientRect(), words.firstElementChild.getBoundingClientRect()];
    const line = parseFloat(getComputedStyle(words).lineHeight);
    const whole = Math.abs(shown.height / line - Math.round(shown.height / line)) < 0.1;
    return { cut: all.top < shown.top - 1, end: Math.abs(all.bottom - shown.bottom) < 1, whole };
  }
"""
"""Whether a bubble cuts the beginning of its text, shows the end, and shows whole lines."""


def test_a_bubble_shows_the_end_of_a_long_text(page: Page, new_page: NewPage) -> None:
    made, ben = with_texts(page, new_page)
    page.get_by_role("button", name="Say something").wait_for()
    command(ben, made, type="write", text="short")
    expect(page.locator("[data-bubble='1']")).to_have_text("short")
    assert page.evaluate(CUT) == {"cut": False, "end": True, "whole": True}
    command(ben, made, type="write", text="a long text " * 12 + "and its end")
    expect(page.locator("[data-bubble='1']")).to_contain_text("and its end")
    assert page.evaluate(CUT) == {"cut": True, "end": True, "whole": True}


def test_a_refused_text_is_explained_at_its_field(page: Page, new_page: NewPage) -> None:
    with_texts(page, new_page)
    page.get_by_role("button", name="Say something").click()
    sheet = page.get_by_role("dialog")
    field, refusal = sheet.get_by_role("textbox", name="Your message"), sheet.get_by_role("alert")
    field.fill("a\u2066b")
    field.press("Enter")
    expect(refusal).to_contain_text("invisible character")
    expect(field).to_have_accessible_description(re.compile("invisible character"))
    expect(field).to_be_focused()
    assert axe(page) == []
    for number in range(4):
        field.fill(f"Line {number}")
        field.press("Enter")
        if number < 3:  # the permission was a line, too
            expect(field).to_have_value("")
    expect(refusal).to_contain_text("You can say something again in")
    expect(field).to_have_value("Line 3")
    expect(page.locator(".notices")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Say something").click()
    expect(refusal).to_have_count(0)


@pytest.mark.slow
def test_a_muted_person_is_neither_shown_nor_announced(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    ben = joined(new_page, made)
    page.get_by_role("button", name="Say something").click()
    page.get_by_role("dialog").get_by_label("Ben").uncheck()
    page.keyboard.press("Escape")
    command(ben, made, type="say", phrase="hello")
    number = view(page, made)["talk"][0]["number"]
    page.wait_for_function("(text) => localStorage.getItem('dicecup-muted').includes(text)", arg=f"{made['table']} Ben")
    command(page, made, type="say", phrase="thanks")
    expect(page.locator("[data-bubble]")).to_have_text("Thanks!")
    page.get_by_role("button", name="Say something").click()
    lines = page.get_by_role("dialog").locator("[data-event]")
    expect(lines).to_have_count(1)
    assert plain(lines.all_inner_texts()) == ["Anna: Thanks!"]
    assert not any("Hello" in said for said in plain(announcements(page)))
    page.get_by_role("dialog").get_by_label("Ben").check()
    expect(lines.first).to_have_attribute("data-event", str(number))


@pytest.mark.slow
def test_a_muted_person_stays_muted_at_the_next_table(page: Page, new_page: NewPage) -> None:
    made = table(page, DUEL)
    ben = joined(new_page, made)
    page.get_by_role("button", name="Say something").click()
    page.get_by_role("checkbox", name="Ben").uncheck()
    page.keyboard.press("Escape")
    command(page, made, type="resign")
    for each in (ben, page):
        command(each, made, type="rematch")
    page.wait_for_url(lambda url: "/tables/" in url and made["table"] not in url)
    following = {"table": page.url.rpartition("/")[2]}
    command(ben, following, type="say", phrase="hello")
    command(page, following, type="say", phrase="thanks")
    expect(page.locator("[data-bubble]")).to_have_text("Thanks!")
    page.get_by_role("button", name="Say something").click()
    expect(page.get_by_role("checkbox", name="Ben")).not_to_be_checked()
    page.get_by_role("checkbox", name="Ben").check()
    page.goto(f"/tables/{made['table']}")  # coming back to the first table mutes nobody again
    page.get_by_role("button", name="Say something").wait_for()
    page.goto(f"/tables/{following['table']}")
    page.get_by_role("button", name="Say something").click()
    expect(page.get_by_role("checkbox", name="Ben")).to_be_checked()


def test_a_setting_hides_what_others_say(page: Page, new_page: NewPage) -> None:
    page.add_init_script(
        f"localStorage.setItem('dicecup-settings', {json.dumps(json.dumps({'talk': False, 'pace': 'instant'}))})"
    )
    made = table(page, DUEL)
    ben = joined(new_page, made)
    page.get_by_role("button", name="Say something").wait_for()
    command(ben, made, type="say", phrase="hello")
    command(page, made, type="say", phrase="thanks")
    expect(page.locator("[data-bubble]")).to_have_text("Thanks!")
    page.get_by_role("button", name="Say something").click()
    expect(page.get_by_text("You have switched this off in the settings.")).to_be_visible()
    assert plain(page.get_by_role("dialog").locator("[data-event]").all_inner_texts()) == ["Anna: Thanks!"]
    assert not any("Hello" in said for said in plain(announcements(page)))
