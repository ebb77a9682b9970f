"""The answers of the trainer, the difficulty of its questions, and the score."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.questions import DIFFICULTIES, ask
from dicecup.analysis.registry import by_tables
from dicecup.analysis.trainer import TO_RISE, Answer, TrainerScore, answered, next_difficulty, of_game, score

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
RIGHT = Answer(NOW, "yam-master", "5/5/5/5/5 x 1:11346 12-12 1", 2, "k11", "k11", Unit.CHANCE, 0.0)
WRONG = replace(RIGHT, played="k6", loss=0.04)


def given_at(difficulty: int, *, right: bool) -> Answer:
    return replace(RIGHT if right else WRONG, difficulty=difficulty)


@pytest.mark.parametrize("answer", [RIGHT, WRONG, replace(WRONG, game="yamm(players=1)", unit=Unit.POINTS, loss=12.5)])
def test_an_answer_comes_back_from_json(answer: Answer) -> None:
    assert Answer.from_json(json.loads(json.dumps(answer.to_json()))) == answer


@pytest.mark.parametrize(
    "change",
    [
        {"difficulty": 0},
        {"difficulty": DIFFICULTIES + 1},
        {"difficulty": "2"},
        {"loss": -0.1},
        {"loss": float("nan")},
        {"loss": float("inf")},
        {"loss": None},
        {"unit": "euros"},
        {"game": "chess"},
        {"time": "yesterday"},
        {"more": 1},
    ],
)
def test_an_answer_with_a_wrong_value_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 whatever it says
        Answer.from_json(RIGHT.to_json() | change)


@pytest.mark.parametrize("held", [None, [], 3, "text", {}, {"time": NOW.isoformat()}])
def test_other_values_than_answers_are_refused(held: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Answer.from_json(held)


def test_an_answer_has_the_best_action_and_the_loss() -> None:
    game = games.from_id("yam-master")
    question = ask(game, by_tables(game), seed="test", number=1, difficulty=3)
    best, worst = question.found.choices[0], question.found.choices[-1]
    first = answered(question, best.action, NOW)
    assert first.right
    assert (first.game, first.position, first.difficulty) == ("yam-master", str(question.position), 3)
    assert first.played == first.best == str(best.action)
    other = answered(question, worst.action, NOW)
    assert not other.right
    assert (other.played, other.best, other.loss) == (str(worst.action), str(best.action), worst.loss)


def test_difficulty_follows_right_and_wrong_answers() -> None:
    answers: list[Answer] = []
    for _ in range(TO_RISE * DIFFICULTIES):
        answers.append(given_at(next_difficulty(answers), right=True))
    assert [answer.difficulty for answer in answers] == [1 + at // TO_RISE for at in range(len(answers))]
    assert next_difficulty(answers) == DIFFICULTIES
    for _ in range(DIFFICULTIES + 1):
        answers.append(given_at(next_difficulty(answers), right=False))
    assert [answer.difficulty for answer in answers[-DIFFICULTIES - 1 :]] == [5, 4, 3, 2, 1, 1]
    assert next_difficulty(answers) == 1


@given(st.lists(st.booleans(), max_size=60))
def test_difficulty_changes_by_one_within_its_bounds(rights: list[bool]) -> None:
    answers: list[Answer] = []
    for right in rights:
        answers.append(given_at(next_difficulty(answers), right=right))
    difficulties = [answer.difficulty for answer in answers] + [next_difficulty(answers)]
    assert difficulties[0] == 1
    assert all(1 <= difficulty <= DIFFICULTIES for difficulty in difficulties)
    for answer, difficulty in zip(answers, difficulties[1:], strict=True):
        assert difficulty - answer.difficulty in ((0, 1) if answer.right else (-1, 0))
        assert answer.right or difficulty < answer.difficulty or difficulty == 1


def test_the_score_counts_answers() -> None:
    assert score([]) == TrainerScore(0, 0, None)
    assert score([RIGHT, WRONG, RIGHT, WRONG]) == TrainerScore(4, 2, 0.02)


def test_answers_of_a_game_include_all_options() -> None:
    other = replace(RIGHT, game="yam-master(end=full_round)")
    sheet = replace(RIGHT, game="yamm(players=1)")
    assert of_game([RIGHT, sheet, other], "yam-master") == (RIGHT, other)
    assert of_game([RIGHT, sheet, other], "yamm") == (sheet,)
