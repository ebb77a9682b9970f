"""The pages of the rules: complete in every language, true to the rules code, accessible, with
addresses for sections."""

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from dicecup.core.dice import Roll, roll
from dicecup.core.start import StartingRoll
from dicecup.locale import LANGUAGES
from dicecup.yam_master import BOARD, Squares
from dicecup.yam_master.figures import BIG, FIGURES, Figure
from dicecup.yam_master.options import DEFAULTS as YAM_MASTER
from dicecup.yamm import SHEET
from dicecup.yamm.options import DEFAULTS as YAMM
from dicecup.yamm.rows import ROWS, Row, value
from dicecup.yamm.score import BONUSES, MOST_IN_COLUMN, MOST_IN_TOTAL, MOST_ON_SHEET, bonus
from dicecup.yamm.sheet import cell
from tests.browser.conftest import NewPage
from tests.browser.harness import AGAINST_COMPUTER, axe, overflow, table
from tests.sweep import sweep

GAMES = ("yam-master", "yamm")
OPTIONS = {
    "yam-master": {name: str(value) for name, value in asdict(YAM_MASTER).items()},
    "yamm": {name: {"False": "no"}.get(str(value), str(value)) for name, value in asdict(YAMM).items()},
}
"""The options with their defaults, as game ids write them."""
KEY = re.compile(r"\b(?:guide|ui|figure|column|game|word)_[a-z]\w*|\{\w+\}")
SHOWN = """() => [document.body.innerText, document.title,
                   ...[...document.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'))]"""


def guide(page: Page, game: str, part: str = "") -> None:
    page.goto(f"/rules/{game}{part and '#' + part}")
    expect(page.locator(f"[data-guide={game}] h2").last).to_be_visible()


def each(page: Page, selector: str, *names: str) -> list[tuple[str, ...]]:
    """Return these data attributes of all elements that the selector finds."""
    found: list[list[str]] = page.eval_on_selector_all(
        selector, "(all, names) => all.map((one) => names.map((name) => one.dataset[name]))", list(names)
    )
    assert found
    return [tuple(values) for values in found]


def thrown(dice: str) -> Roll:
    return roll("".join(sorted(dice)))


def squares(names: str) -> Squares:
    return Squares(sum(1 << BOARD.index[name] for name in names.split()))


@sweep("language", LANGUAGES)
def test_every_section_has_a_text_in_every_language_on_a_phone(new_page: NewPage, language: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, locale=language)
    page.goto("/rules")
    expect(page.locator("main li a")).to_have_count(2)
    for game in GAMES:
        guide(page, game)
        assert page.evaluate("document.documentElement.lang") == language
        assert KEY.findall("\n".join(page.evaluate(SHOWN))) == []
        headings = page.locator("h1, h2, h3").all_inner_texts()
        assert all(heading.strip() for heading in headings)
        page.locator("nav summary").click()
        parts = page.locator("nav ol a")
        assert [title.strip() for title in parts.all_inner_texts()] == page.locator("h2").all_inner_texts()
        ids = page.eval_on_selector_all("h2", "all => all.map((one) => '#' + one.id)")
        assert page.eval_on_selector_all("nav ol a", "all => all.map((one) => one.getAttribute('href'))") == ids
        assert len(set(ids)) == len(ids) >= 10
        targets = page.eval_on_selector_all("article a[href^='#']", "all => all.map((one) => one.getAttribute('href'))")
        places = page.eval_on_selector_all("[id]", "all => all.map((one) => '#' + one.id)")
        assert set(targets) <= set(places)
        assert overflow(page) == 0


@pytest.mark.slow
@sweep("game", GAMES)
@sweep("scheme", ["dark", "light"])
def test_axe_finds_nothing_on_the_pages_of_the_rules(page: Page, game: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto("/rules")
    expect(page.locator("main li a")).to_have_count(2)
    assert axe(page) == []
    guide(page, game)
    assert axe(page) == []


def test_the_printed_page_holds_the_rules_only(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    guide(page, "yamm")
    for other in ("header", "nav:has(ol)", "article button"):
        expect(page.locator(other).last).to_be_hidden()
    expect(page.locator("h2").last).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_explained_with_its_default(page: Page, game: str) -> None:
    guide(page, game)
    boxes = page.locator("[data-option]")
    usual = {
        str(box.get_attribute("data-option")): str(box.locator("[data-value]").first.get_attribute("data-value"))
        for box in boxes.all()
    }
    assert usual == OPTIONS[game]
    for box in boxes.all():
        values = box.locator("dt").all_inner_texts()
        assert ["usual" in text for text in values] == [True, *[False] * (len(values) - 1)]
        assert all(box.locator("dd").all_inner_texts())
        assert not any(KEY.search(text) for text in box.all_inner_texts())
    expect(page.locator("section:has(#options) tbody tr")).to_have_count(len(usual))


def test_a_link_leads_to_its_section(page: Page) -> None:
    guide(page, "yamm", "bonus")
    expect(page.locator("#bonus")).to_be_focused()
    expect(page.locator("#bonus")).to_be_in_viewport()
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Moving a result").click()
    expect(page.locator("#correction")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("/rules/yamm#correction$"))
    page.get_by_role("link", name="Rules of Yam Master").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page).to_have_title("Rules of Yam Master · Dicecup")
    page.get_by_role("link", name="Link to this section: Points").click()
    expect(page).to_have_url(re.compile("/rules/yam-master#score$"))
    page.get_by_role("link", name="Play Yam Master").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Yam Master")


def test_the_language_changes_while_reading(page: Page) -> None:
    guide(page, "yam-master")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Deutsch").check()
    expect(page.locator("#predator")).to_have_text("Predator: einen Stein wegnehmen")


def test_rules_open_beside_a_table_from_its_menu(page: Page) -> None:
    table(page, AGAINST_COMPUTER)
    page.get_by_role("button", name="Table", exact=True).click()
    with page.expect_popup() as opened:
        page.get_by_role("dialog").get_by_role("link", name="Rules").click()
    expect(opened.value.locator("[data-guide='yam-master']")).to_be_visible()


# --- True to the rules ----------------------------------------------------------------------------


def test_the_examples_of_yam_master_follow_the_rules(page: Page) -> None:
    guide(page, "yam-master")
    drawn = page.eval_on_selector_all(
        "[data-square]", "all => all.map((one) => [one.dataset.square, one.querySelector('.figure').innerText])"
    )
    assert list(map(tuple, drawn)) == [(name, figure.value) for name, figure in zip(BOARD.names, BOARD.figures, strict=True)]
    shown = each(page, "[data-figure]", "dice", "figure", "holds")
    for dice, word, holds in shown:
        held = FIGURES[thrown(dice)]
        asked = BIG if word in ("Sec", "Défi") else {Figure(word)}
        assert (holds == "yes") == bool(held & asked), (dice, word)
    assert {figure.value for figure in BIG} | {"2", "Sec", "Défi"} == {word for _, word, _ in shown}
    for dice, words in each(page, "[data-several]", "several", "figures"):
        assert set(map(Figure, words.split())) == FIGURES[thrown(dice)]
    for tokens, points in each(page, "[data-tokens]", "tokens", "points"):
        assert BOARD.points(squares(tokens)) == int(points)
    assert [BOARD.has_line(squares(tokens)) for (tokens,) in each(page, "[data-wins]", "tokens")] == [True]
    runs = page.eval_on_selector_all(
        "[data-tokens]",
        """all => all.map((one) => [one.dataset.tokens,
                                    [...one.querySelectorAll('[data-line]')].map((line) => line.dataset.line)])""",
    )
    for tokens, lines in runs:
        assert sorted(lines) == sorted(" ".join(BOARD.names[place] for place in run) for run in BOARD.runs(squares(tokens)))


def worth(element: Locator) -> int:
    digits = re.match(r"\d+", element.inner_text())
    return int(digits[0]) if digits else 0


def test_the_examples_of_yamm_follow_the_rules(page: Page) -> None:
    guide(page, "yamm")
    examples = page.locator("[data-row]").all()
    assert {example.get_attribute("data-row") for example in examples} == {"4", "H", "FH", "ST", "Y"}
    for example in examples:
        dice, row = str(example.get_attribute("data-dice")), Row(str(example.get_attribute("data-row")))
        assert worth(example.locator("[data-result]")) == value(row, thrown(dice)), (dice, row)
    places = each(page, "[data-places]", "places")[0][0].split()
    assert places == [row for row in ROWS if value(row, thrown("55555"))]

    empty = SHEET.empty
    opened = [name for name, is_open in each(page, "td[data-cell]", "cell", "open") if is_open == "true"]
    assert sorted(opened) == sorted(map(str, empty.open_cells))
    assert f"So {len(opened)} cells" in page.locator("section:has(#sheet)").inner_text()
    for order, up in (("d1", False), ("u1", True)):
        told = [int(page.locator(f"td[data-cell='{order}.{row}']").inner_text()) for row in ROWS]
        assert told == sorted(told, reverse=up)

    for entries, stay in each(page, "[data-entries]", "entries", "stay"):
        sheet, words = empty, entries.split()
        for name, dice in zip(words[::2], words[1::2], strict=True):
            sheet = sheet.write(cell(f"f1.{name}"), thrown(dice))
        assert all(sheet[cell(f"f1.{name}")] for name in "HT") == (stay == "yes")
    numbers = "from", "to", "bonus"
    steps = [tuple(map(int, step)) for step in each(page, "[data-from]", *numbers)]
    assert [(least, extra) for least, _, extra in steps] == [(0, 0), *BONUSES]
    assert all(bonus(least) == bonus(most) == extra for least, most, extra in steps)
    for count, total, extra in each(page, "[data-each]", "each", "sum", "bonus"):
        assert int(total) == int(count) * 21
        assert int(extra) == bonus(int(total))
    assert each(page, "[data-most]", "most") == [(f"{MOST_IN_COLUMN} {MOST_ON_SHEET} {MOST_IN_TOTAL}",)]
    assert starter(each(page, "[data-starting]", "starting")[0][0].split()) == 2


def starter(rounds: Iterable[str]) -> int | None:
    """Return the seat that starts after these rounds of three players."""
    begun = StartingRoll(3)
    for face in "".join(rounds):
        begun = begun.throw(int(face))
    return begun.starter
