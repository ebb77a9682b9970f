"""Mistakes of reviewed games: their questions, their themes, and what a right answer is."""

import pytest

from dicecup import games, record
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import MEASURED, SENSIBLE
from dicecup.analysis.mistakes.found import Place, is_right, level_of, loss_of, losses_of, positions_at, threshold
from dicecup.analysis.mistakes.themes import theme_of
from dicecup.analysis.questions import ERROR
from dicecup.analysis.registry import analysis_of
from dicecup.analysis.review import review
from dicecup.analysis.theme import Theme
from dicecup.core.errors import TextError
from tests.analysis.mistakes.records import played
from tests.sweep import sweep

EMPTY = "/".join([".11"] * 9)


@sweep("game", ["yam-master", "yamm(players=1)", "yamm(players=4,pairs=yes)"])
def test_a_question_costs_what_the_decision_cost(game: str) -> None:
    """The question of a mistake can be asked again from the record alone, as a text, and its answer
    loses as much as in the game."""
    found = list(losses_of(review(played(game))))
    assert len(found) > 5
    at = positions_at(played(game))
    themes = set(analysis_of(played(game).game).themes)
    for mistake in found:
        assert at[Place.from_text(str(mistake.place))] == mistake.position
        assert mistake.theme in themes
        again = games.from_id(mistake.position.game.id).position(str(mistake.position))
        assert loss_of(again, str(mistake.played)) == pytest.approx(mistake.loss, abs=1e-9)


def test_a_correction_asks_where_to_write_the_dice() -> None:
    text = """[Game "yamm(players=1)"]
[Dice "table"]

1. 11166 f1.1
1. > f1.6
2. 23456
"""
    (mistake,) = [found for found in losses_of(review(record.read(text))) if found.theme is Theme.CORRECTION]
    assert (str(mistake.position), str(mistake.played)) == (f"{EMPTY} 1:11166 1", "f1.6")
    assert positions_at(record.read(text))[mistake.place] == mistake.position


@sweep("unit", Unit)
def test_stronger_players_see_smaller_mistakes(unit: Unit) -> None:
    levels = sorted(MEASURED[unit], key=lambda level: MEASURED[unit][level])
    found = [threshold(level, unit) for level in levels]
    assert found == sorted(found)
    assert ERROR[unit] <= found[0] < found[-1] <= SENSIBLE[unit]
    assert threshold(level_of(3, 0.0, unit), unit) == threshold("casual", unit)  # too few decisions
    assert level_of(100, 100 * MEASURED[unit]["club"], unit) == "club"


def test_a_small_loss_is_right() -> None:
    assert is_right(0.5, Unit.POINTS)
    assert not is_right(0.51, Unit.POINTS)
    assert is_right(0.002, Unit.CHANCE)
    assert not is_right(0.0021, Unit.CHANCE)
    with pytest.raises(TextError):
        loss_of(games.from_id("yamm(players=1)").start().roll("11166"), "d1.4")


@pytest.mark.parametrize(
    "game, position, choice, theme",
    [
        ("yam-master", "5/5/5/5/5 x 1:11235 12-12 1", ("k11", "!k11"), Theme.DEFI),
        ("yam-master", "5/5/5/5/5 x 1:11223 12-12 1", ("k11", "k1122"), Theme.TWO_PAIRS),
        ("yam-master", "5/5/5/5/5 x 2:11235 12-12 1", ("k11", "k235"), Theme.SECOND_KEEP),
        ("yamm(players=1)", f"{EMPTY} 1:22335 1", ("k2233", "k22335"), Theme.FIRST_KEEP),
        ("yamm(players=1)", f"{EMPTY} 1:22335 1", ("k33", "k2233"), Theme.TWO_PAIRS),
        ("yamm(players=1)", f"{EMPTY} 3:11166 1", ("d1.1", "f1.1"), Theme.COLUMN),
        ("yamm(players=1)", f"{EMPTY} 3:12366 1", ("f1.6", "f1.1"), Theme.BONUS),
        ("yamm(players=1)", f"{EMPTY} 3:55666 1", ("f1.6", "f1.FH"), Theme.ROW),
        ("yamm(players=1)", f"{EMPTY} 3:11166 1", ("f1.H", "f1.1"), Theme.HIGH_LOW),
        ("yamm(players=1)", f"{EMPTY} 3:12346 1", ("f1.Y", "f1.1"), Theme.STRIKING),
    ],
)
def test_the_theme_of_a_choice(game: str, position: str, choice: tuple[str, str], theme: Theme) -> None:
    rules = games.from_id(game)
    played_, best = map(rules.action, choice)
    assert theme_of(rules.position(position), played_, best) is theme
