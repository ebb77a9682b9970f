"""Statements of rules in the catalogues, compared with the rules code."""

from pathlib import Path

import pytest

from dicecup import games, yam_master
from dicecup.locale import Messages
from dicecup.yam_master import BOARD, Figure, Pass, Place
from dicecup.yamm import Options
from dicecup.yamm.seats import players_of_sheet
from tests.terminal.program import dicecup, lines

IGNORED = "yam-master(failed_defi=ignored)"
AND = {"de": " und ", "en": " and ", "fr": " et "}
KINDS = {"de": "Zwei weitere Arten von Feldern", "en": "Two more kinds of square", "fr": "Deux autres sortes de cases"}


def pairs(players: int, between: str) -> str:
    """The pairs of a game in pairs, counted from 1: `1 and 3, 2 and 4`."""
    options = Options(players=players, pairs=True)
    partners = (players_of_sheet(options, sheet) for sheet in range(options.sheets))
    return ", ".join(f"{first + 1}{between}{second + 1}" for first, second in partners)


@pytest.mark.parametrize("language", AND)
def test_the_guide_names_the_pairs_of_the_rules(language: str) -> None:
    text = Messages(language)("guide_yamm_pairs_about")
    assert pairs(6, AND[language]) in text
    first, second = pairs(4, AND[language]).split(", ")
    assert text.index(first) < text.index(second)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_the_question_for_pairs_names_the_pairs_of_the_rules(tmp_path: Path, players: int) -> None:
    names = ", ".join("ABCDEFGH"[:players])
    done = dicecup(tmp_path, "play", "yamm", typed=lines(names, "y", "", "quit"))
    assert f"Play in pairs ({pairs(players, ' & ')})?" in done.stdout


@pytest.mark.parametrize("language", KINDS)
def test_sec_and_defi_are_two_kinds_of_more_than_two_squares(language: str) -> None:
    special = [figure for figure in BOARD.figures if figure in {Figure.SEC, Figure.DEFI}]
    assert len(set(special)) == 2
    assert len(special) > 2
    assert Messages(language)("guide_ym_figures_special").startswith(KINDS[language])


def test_under_full_round_a_line_of_x_ends_the_game_before_the_turn_of_o() -> None:
    position = games.position("yam-master(end=full_round)", "xxxx1/oooo1/5/5/5 x 1:11666 8-8 9")
    after = position.play(Place("e1"))
    assert after.outcome is not None
    assert position.number % 2 == 1
    texts = {language: Messages(language)("option_end_full_round_about") for language in ("de", "en", "fr")}
    assert "same number" not in texts["en"]
    assert "gleich viele" not in texts["de"]
    assert "autant de tours" not in texts["fr"]


def test_under_full_round_o_has_a_turn_after_the_last_token_of_x() -> None:
    position = games.position("yam-master(end=full_round)", "xx1xx/xx1xx/2x2/1x1x1/5 x 1:12666 1-12 23")
    after = position.play(Place("a4"))
    assert after.outcome is None
    thrown = games.position("yam-master(end=full_round)", str(after).replace("0:?????", "1:12346"))
    assert thrown.play(Pass()).outcome is not None


def test_an_ignored_defi_asks_for_no_big_figure(tmp_path: Path) -> None:
    position = games.position(IGNORED, "5/5/5/5/5 x 2!:11145 12-12 1")
    assert isinstance(position, yam_master.Position)
    assert position.placeable
    typed = lines("1", "11145", "!k111", "11145", "rules", "quit")
    done = dicecup(tmp_path, "play", IGNORED, "--seat", "Anna", "--seat", "Ben", "--table", typed=typed)
    shown, rules = " ".join(done.stdout.split()).split("Two players, 12 tokens each.")
    assert "the Défi squares are open too" in shown
    assert "a token needs Full" not in shown
    assert "In this game: a lost Défi (Challenge) does not cost the turn." in rules


def test_a_defi_that_counts_asks_for_a_big_figure(tmp_path: Path) -> None:
    position = games.position("yam-master", "5/5/5/5/5 x 3!:11145 12-12 1")
    assert isinstance(position, yam_master.Position)
    assert not position.placeable
    assert list(position.actions) == [Pass()]
    typed = lines("1", "11145", "!k111", "11145", "quit")
    done = dicecup(tmp_path, "play", "yam-master", "--seat", "Anna", "--seat", "Ben", "--table", typed=typed)
    assert "a token needs Full, Carré, Yam, Suite or ≤8" in " ".join(done.stdout.split())
