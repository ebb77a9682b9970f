"""The rules of thumb say what `bench/rules_of_thumb.py` measures, and the page in docs/ says the
same."""

import re
from pathlib import Path

import pytest

from bench.rules_of_thumb import changed, keeps, squares, worth
from dicecup import games, yamm
from dicecup.analysis.registry import by_tables
from dicecup.analysis.rules_of_thumb import rules_of_thumb
from dicecup.locale import catalogue
from docs.plots.draw import draw
from docs.plots.tables import FILE, page
from docs.plots.thumb import PAGE, TABLES, page_in, pictures, tables
from docs.plots.thumb_words import WORDS
from tests.test_figures import words
from tests.yam_master.positions import at

TEXT = PAGE.read_text(encoding="utf-8")
GAME = yamm.Yamm(yamm.Options(players=1))


def test_the_page_says_what_was_measured() -> None:
    assert set(re.findall(r"<!-- table (\w+) -->", TEXT)) == set(TABLES)
    assert page(TEXT, rules_of_thumb(), TABLES) == TEXT
    for count, unit in (
        (rules_of_thumb()["yamm"]["games"], "games that"),
        (rules_of_thumb()["yam_master"]["games"], "games of"),
    ):
        assert f"{count} {unit}" in TEXT


@pytest.mark.parametrize("language", WORDS)
def test_the_page_in_every_language_says_what_was_measured(language: str) -> None:
    text = page_in(language).read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- table (\w+) -->", text)) == set(TABLES)
    assert page(text, rules_of_thumb(), tables(language)) == text
    assert WORDS[language].keys() == WORDS["en"].keys()
    shown = dict(re.findall(r"!\[([^]]+)\]\(images/([^)]+)\)", text))
    assert sorted(shown.values()) == sorted(f"{name}.svg" for name in pictures(language))
    assert all(len(words) > 20 for words in shown)
    for name in ("stops", "blocks_three", "four", "three", "points", "point", "denies"):
        if language != "en":
            assert WORDS[language][name] == catalogue(language)[f"guide_worth_{name}"]


@pytest.mark.slow
@pytest.mark.parametrize("language", WORDS)
def test_the_pictures_in_every_language_are_those_of_what_was_measured(language: str, tmp_path: Path) -> None:
    """As they stand in docs/images, but for the last digits that a drawing library may change."""
    draw(rules_of_thumb(), tmp_path, pictures(language))
    for name, (title, _) in pictures(language).items():
        made, kept = (words((folder / f"{name}.svg").read_text("utf-8")) for folder in (tmp_path, FILE.parent))
        assert made == kept
        assert title in made
        assert not [each for each in made if re.search(r"\d[.,]\d", each)], "it would need the decimal sign of the language"


def test_the_tables_of_the_players_still_give_these_keeps_and_squares() -> None:
    """New tables of `expert` need new rules of thumb."""
    found = rules_of_thumb()
    assert keeps(by_tables(GAME), GAME) == found["yamm"]["keeps"]
    alone, _ = squares(by_tables(games.from_id("yam-master")), games.from_id("yam-master"))
    assert alone == pytest.approx(found["yam_master"]["squares"], rel=1e-4)


def test_a_struck_cell_costs_the_difference_of_two_sheets() -> None:
    evaluation = by_tables(GAME)
    empty = GAME.start().written[0]
    struck = changed(empty, {yamm.Cell("f1.Y"): 0})
    assert struck == GAME.position(f"{'/'.join(['.11'] * 6)}/.10,x/.11/.11 1:12345 2").written[0]
    at_start = rules_of_thumb()["yamm"]["cells"]["Y"]["0"][0]
    assert worth(evaluation, GAME, empty) - worth(evaluation, GAME, struck) == pytest.approx(at_start, rel=1e-4)


def test_a_token_alone_is_better_than_none() -> None:
    evaluation = by_tables(games.from_id("yam-master"))
    with_token = evaluation.before_throw(at("5/5/2x2/5/5 o 0:????? 11-12 4"))
    without = evaluation.before_throw(at("5/5/5/5/5 o 0:????? 12-12 4"))
    assert without - with_token == pytest.approx(rules_of_thumb()["yam_master"]["squares"]["c3"], rel=1e-4)
