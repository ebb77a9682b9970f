"""Themes of table, board and dice: contrast in every combination, axe at the tables of both games,
the choice in the settings."""

import re
from itertools import product
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import AGAINST_COMPUTER, Json, axe, painted, table
from tests.sweep import sweep

TABLES: Final = ("green", "blue", "wine", "graphite", "walnut")
BOARDS: Final = ("oak", "walnut", "slate", "paper")
DICE: Final = ("ivory", "red", "black", "maple")
LOOKS: Final = (*zip(TABLES, (*BOARDS, "oak"), (*DICE, "ivory"), strict=True),)
"""Combinations in which each theme occurs."""
SOLITAIRE: Final[Json] = {"game": "yamm(players=1)", "seats": [{}]}
COLOURS: Final = """
(variables) => {
  const probe = document.createElement('span');
  const at = document.querySelector('.sheet-ground') ?? document.body;
  const read = (parent, name) => {
    parent.append(probe);
    probe.style.color = `var(${name})`;
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    probe.remove();
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const colour = (name) => (name.startsWith('sheet ') ? read(at, name.slice(6)) : read(document.body, name));
  return Object.fromEntries(variables.map((name) => [name, colour(name)]));
}
"""
"""The colours of CSS variables as red, green, blue and alpha from 0 to 255; of `sheet --ink` on the
sheet of the preview."""
TEXTS: Final = (
    ("--on-felt", "--felt"),
    ("--on-felt", "--felt-edge"),
    ("--on-board", "--board"),
    ("--on-board-edge", "--board-edge"),
    ("--pip", "--die"),
    ("--pen", "--paper"),
    *(
        (f"sheet {text}", f"sheet {ground}")
        for text in ("--ink", "--ink-soft", "--pen")
        for ground in ("--sheet", "--sheet-tint")
    ),
    ("sheet --pen", "sheet --shine"),
)
LIGHTEST: Final = {"--felt": 0.12, "--board": 0.1}
"""The share of white that a gradient mixes into these grounds."""


def luminance(colour: list[int]) -> float:
    """Return the relative luminance of WCAG 2.2."""
    shares = [value / 255 for value in colour[:3]]
    red, green, blue = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[int], other: list[int]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def over(colour: list[int], ground: list[int]) -> list[int]:
    """Return a colour with alpha on its ground."""
    share = colour[3] / 255
    return [round(share * top + (1 - share) * below) for top, below in zip(colour[:3], ground[:3], strict=True)]


def lit(colours: dict[str, list[int]], name: str) -> list[list[int]]:
    """Return the darkest and the lightest colour of a ground."""
    colour = colours[name]
    share = LIGHTEST.get(name, 0)
    return [colour, [round(value + share * (255 - value)) for value in colour[:3]]]


def settings(page: Page) -> None:
    """Open the settings, which load all themes."""
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("group", name="Board and sheet")).to_be_visible()


def wear(page: Page, felt: str, board: str, dice: str) -> None:
    look = {"table": felt, "board": board, "dice": dice}
    page.evaluate("(look) => Object.assign(document.documentElement.dataset, look)", look)


def weak(page: Page) -> list[str]:
    """Return the pairs of colours whose contrast is too low, in the current theme."""
    names = sorted({name for pair in TEXTS for name in pair} | {"--die-edge"})
    colours: dict[str, list[int]] = page.evaluate(COLOURS, names)
    texts = [
        f"{text} on {ground}: {contrast(colours[text], shade):.2f}"
        for text, ground in TEXTS
        for shade in lit(colours, ground)
        if contrast(colours[text], shade) < 4.5
    ]
    dice = [
        f"dice on {shade}"
        for shade in (*lit(colours, "--felt"), colours["--felt-edge"])
        if max(contrast(colours["--die"], shade), contrast(over(colours["--die-edge"], shade), shade)) < 3
    ]
    return texts + dice


@pytest.mark.slow
@sweep("scheme", ["light", "dark"])
def test_every_theme_holds_the_contrast(new_page: NewPage, scheme: Any) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/")
    settings(page)
    found = []
    for look in product(TABLES, BOARDS, DICE):
        wear(page, *look)
        found += [f"{look}: {each}" for each in weak(page)]
    assert found == []


@pytest.mark.slow
def test_dice_of_any_colour_have_readable_pips_and_a_visible_edge(page: Page) -> None:
    page.goto("/")
    settings(page)
    page.get_by_role("radio", name="Own colour").check(force=True)
    for colour in (
        "#000000",
        "#ffffff",
        "#777777",
        "#767676",
        "#1f5b43",
        "#ff0000",
        "#00ff00",
        "#0000ff",
        "#6b4426",
        "#8a8a00",
    ):
        page.get_by_label("Colour of the dice").fill(colour)
        for felt in TABLES:
            wear(page, felt, "oak", "own")
            assert [each for each in weak(page) if "--die" in each or "dice" in each] == [], (colour, felt)


@pytest.mark.slow
@sweep("setup", [AGAINST_COMPUTER, SOLITAIRE], ids=["Yam Master", "Yamm"])
@sweep("scheme", ["light", "dark"])
def test_tables_in_every_theme_are_accessible(new_page: NewPage, setup: Json, scheme: Any) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/")
    settings(page)
    page.get_by_role("radio", name="Red", exact=True).check(force=True)  # the themes are loaded at the table
    table(page, setup)
    page.get_by_role("button", name="First throw").click()
    expect(page.get_by_role("button", name="Throw all five again")).to_be_visible()
    for look in LOOKS:
        wear(page, *look)
        painted(page)
        assert (look, axe(page)) == (look, [])


def test_the_settings_are_accessible_in_forced_colours(new_page: NewPage) -> None:
    page = new_page(forced_colors="active")
    page.goto("/")
    settings(page)
    assert axe(page, only="dialog[open]") == []


def test_a_theme_is_shown_at_once_and_stays(page: Page) -> None:
    page.goto("/")
    settings(page)
    felt = page.locator("dialog [data-preview]")
    before = felt.evaluate("(each) => getComputedStyle(each).backgroundImage")
    page.get_by_role("radio", name="Blue felt").check(force=True)
    page.get_by_role("radio", name="Slate").check(force=True)
    page.get_by_role("radio", name="Maple").check(force=True)
    after = felt.evaluate("(each) => getComputedStyle(each).backgroundImage")
    assert before != after
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-table", "blue")
    expect(root).to_have_attribute("data-board", "slate")
    expect(root).to_have_attribute("data-dice", "maple")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--die')") == "#e0b27a"


@pytest.mark.slow
def test_a_stored_theme_is_there_before_the_page_is_painted(page: Page) -> None:
    page.add_init_script("""
        localStorage.setItem('dicecup-settings', '{"table":"wine","dice":"own","diceColour":"#123456"}');
        new MutationObserver((_, watch) => {
          if (!document.querySelector('main')) return;
          const style = getComputedStyle(document.documentElement);
          window.__first = [style.getPropertyValue('--table-edge'), style.getPropertyValue('--die')];
          watch.disconnect();
        }).observe(document, { childList: true, subtree: true });
    """)
    page.goto("/")
    edge, die = page.wait_for_function("() => window.__first").json_value()
    assert "#6e4a2c" in edge
    assert die == "#123456"


def test_a_damaged_colour_is_ignored(page: Page) -> None:
    page.add_init_script(
        """localStorage.setItem('dicecup-settings', '{"dice":"own","diceColour":"url(x)","table":"nowhere"}')"""
    )
    page.goto("/")
    expect(page.locator("main button").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--pip')") == "#1c1b19"


@pytest.mark.slow
def test_themes_are_loaded_on_demand(page: Page) -> None:
    asked: list[str] = []

    def sent(request: Request) -> None:
        asked.append(request.url)

    page.on("request", sent)
    table(page)
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    assert not [url for url in asked if re.search(r"/themes-", url)]
