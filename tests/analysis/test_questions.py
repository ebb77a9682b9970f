"""The questions of the trainer: their seeds, difficulties and games."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games
from dicecup.analysis.errors import AnalysisError
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import SAME, SENSIBLE
from dicecup.analysis.mistakes.themes import theme_of
from dicecup.analysis.questions import DIFFICULTIES, ERROR, ask, ask_about, decisions, difficulty_of, margin, themes, trained
from dicecup.analysis.registry import analysis_of, by_tables
from dicecup.analysis.theme import Theme
from dicecup.core.errors import GameError
from dicecup.core.game import Position
from tests.sweep import sweep

GAMES = ("yam-master", "yamm(players=1)", "yam-master(kept_dice=locked,captured=out)")


@sweep("difficulty", range(1, DIFFICULTIES + 1))
@sweep("name", GAMES)
def test_a_question_has_the_difficulty_and_two_sensible_answers(name: str, difficulty: int) -> None:
    game = games.from_id(name)
    evaluation = by_tables(game)
    question = ask(game, evaluation, seed="test", number=difficulty, difficulty=difficulty)
    found = question.found
    assert question.difficulty == difficulty
    assert question.position.game == game
    assert {choice.action for choice in found.choices} == set(question.position.actions)
    assert all(choice.reasons is not None for choice in found.choices)
    second = found.groups[1][0]
    assert ERROR[found.unit] < second.loss <= SENSIBLE[found.unit]
    assert not found.forced
    assert difficulty_of([choice.value for choice in found.choices], found.unit) == difficulty


@pytest.mark.parametrize("name", GAMES[:2])
def test_every_theme_but_corrections_has_questions(name: str) -> None:
    game = games.from_id(name)
    evaluation = by_tables(game)
    assert {*themes(game), Theme.CORRECTION} == {*analysis_of(game).themes, Theme.CORRECTION}
    for theme in themes(game):
        question = ask_about(theme, game, evaluation, seed="test", number=1)
        best, second = (group[0] for group in question.found.groups[:2])
        assert theme_of(question.position, second.action, best.action) is theme
        assert ERROR[question.found.unit] < second.loss <= SENSIBLE[question.found.unit]
    for other in set(Theme) - set(themes(game)):
        with pytest.raises(AnalysisError, match="no-such-theme"):
            ask_about(other, game, evaluation, seed="test", number=1)


@pytest.mark.slow
def test_a_seed_always_gives_the_same_questions() -> None:
    game = games.from_id("yam-master")
    evaluation = by_tables(game)

    def asked(seed: str) -> list[Position]:
        return [ask(game, evaluation, seed=seed, number=number, difficulty=1).position for number in range(4)]

    assert asked("a") == asked("a")
    assert len({*asked("a"), *asked("b")}) == 8


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_decisions_cover_a_whole_game(name: str) -> None:
    """All positions can be read back, and all turns occur."""
    game = games.from_id(name)
    found = list(decisions(game, Random("whole")))
    assert found == list(decisions(game, Random("whole")))
    numbers = [position.number for position in found]
    assert set(numbers) == set(range(1, numbers[-1] + 1))
    for position in islice(found, 0, None, 7):
        assert game.position(str(position)) == position
        assert not position.waiting
    assert any(position.play(action).turn is None for action in found[-1].actions for position in found[-1:])


@given(st.sampled_from(Unit), st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_forced_and_close_decisions_have_no_difficulty(unit: Unit, shares: list[float]) -> None:
    values = [1 - 2 * SENSIBLE[unit] * share for share in shares]
    gap, difficulty = margin(values), difficulty_of(values, unit)
    if difficulty is None:
        assert gap > SENSIBLE[unit] or gap <= ERROR[unit]
    else:
        assert 1 <= difficulty <= DIFFICULTIES
        assert ERROR[unit] < gap <= SENSIBLE[unit]


@pytest.mark.parametrize("unit", Unit)
def test_difficulty_rises_as_the_margin_shrinks(unit: Unit) -> None:
    def of(gap: float) -> int | None:
        return difficulty_of([0.0, 0.0, -gap], unit)

    widest, narrowest = SENSIBLE[unit], ERROR[unit]
    gaps = [widest * (narrowest / widest) ** ((step + 0.5) / 50) for step in range(50)]
    found = [of(gap) for gap in gaps]
    assert found == [1 + step // 10 for step in range(50)]
    assert of(widest * 1.001) is of(narrowest * 0.999) is of(SAME / 2) is None


def test_a_single_choice_has_no_difficulty() -> None:
    assert margin([0.5]) == margin([0.5, 0.5]) == float("inf")
    assert difficulty_of([0.5], Unit.CHANCE) is None


def test_the_trainer_plays_yamm_with_one_player() -> None:
    assert trained(games.from_id("yamm")).id == "yamm(players=1)"
    assert trained(games.from_id("yamm(players=1,kept_dice=locked)")).id == "yamm(players=1,kept_dice=locked)"
    assert trained(games.from_id("yam-master(captured=out)")).id == "yam-master(captured=out)"
    with pytest.raises(GameError, match="option-value"):
        trained(games.from_id("yamm(players=3)"))
