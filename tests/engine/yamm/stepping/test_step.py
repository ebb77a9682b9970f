"""Games in batches are the games of the rules: dice, legal actions, points and the end."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.dice import FIRST_ROLL, KEEPS, ROLLS
from dicecup.core.errors import GameError
from dicecup.engine.errors import EngineError
from dicecup.engine.stepping.mask_kernel import draw
from dicecup.engine.yamm.stepping.games import Answers, Games, Sheet, new_answers, new_games, sheet_of
from dicecup.engine.yamm.stepping.step_kernel import begin, step
from dicecup.yamm import Position, SheetSpec, Write, Yamm
from dicecup.yamm.actions import KEEP_ACTIONS

COLUMNS = ("d1", "u2,f3", "d1,d2,d3,u1,u2,u3,f1,f2,f3", "f1,d2")


def game(columns: str, kept_dice: str = "free") -> Yamm:
    options = Yamm.from_id("yamm(players=1)" if kept_dice == "free" else "yamm(players=1,kept_dice=locked)").options
    return Yamm(options, SheetSpec.from_text(columns))


def begun(sheet: Sheet, count: int, seed: int) -> tuple[Games, Answers]:
    games, answers = new_games(sheet, count), new_answers(count, sheet.size, sheet.actions)
    games.number[:] = np.arange(count)
    begin(sheet, games, np.ones(count, np.bool_), seed, answers)
    return games, answers


def legal(position: Position) -> list[int]:
    """Return the indexes of the legal actions by the rules."""
    cells = position.game.sheet.cells
    return [
        FIRST_ROLL + cells.index(action.cell) if isinstance(action, Write) else KEEP_ACTIONS.index(action)
        for action in position.actions
    ]


@settings(max_examples=10)
@given(st.sampled_from(COLUMNS), st.sampled_from(["free", "locked"]), st.integers(0, 2**63 - 1))
def test_a_batch_plays_the_games_of_the_rules(columns: str, kept_dice: str, seed: int) -> None:
    rules = game(columns, kept_dice)
    sheet, random = sheet_of(rules), Random(seed)
    games, answers = begun(sheet, 3, seed)
    positions = [rules.start().roll(ROLLS[roll]) for roll in games.roll]
    while not answers.over.all():
        before = [position.scores[0] for position in positions]
        chosen = [random.choice(legal(position) or [0]) for position in positions]
        assert step(sheet, games, np.array(chosen), seed, answers) == -1
        for at, action in enumerate(chosen):
            if positions[at].turn is None:
                continue
            cells = rules.sheet.cells
            played = KEEP_ACTIONS[action] if action < FIRST_ROLL else Write(cells[action - FIRST_ROLL])
            position = positions[at].play(played)
            if position.turn is not None:
                position = position.roll(ROLLS[games.roll[at]])
            positions[at] = position
            assert np.flatnonzero(answers.masks[at]).tolist() == sorted(legal(position))
            assert answers.rewards[at] == position.scores[0] - before[at]
            assert answers.over[at] == (position.turn is None)
            assert games.total[at] == position.scores[0]


def test_a_game_does_not_depend_on_the_others() -> None:
    sheet = sheet_of(game("d1,f1"))
    many, _ = begun(sheet, 50, 3)
    few, _ = begun(sheet, 2, 3)
    assert few.roll.tolist() == many.roll[:2].tolist()


@pytest.mark.parametrize("wrong", [-1, 10**9, FIRST_ROLL - 1, FIRST_ROLL + 22])
def test_an_illegal_action_changes_no_game(wrong: int) -> None:
    sheet = sheet_of(game("d1,u1"))
    games, answers = begun(sheet, 4, 5)
    actions = np.array([KEEPS[0].index] * 4)
    actions[2] = wrong
    before = [array.copy() for array in (*games, *answers)]
    assert step(sheet, games, actions, 5, answers) == 2
    for old, new in zip(before, (*games, *answers), strict=True):
        assert (old == new).all()


def test_only_games_that_are_asked_for_begin() -> None:
    sheet = sheet_of(game("d1"))
    games, answers = begun(sheet, 2, 1)
    step(sheet, games, np.array([0, 0]), 1, answers)
    begin(sheet, games, np.array([False, True]), 1, answers)
    assert games.throws.tolist() == [2, 1]


def test_drawn_actions_are_legal_and_all_are_drawn() -> None:
    sheet = sheet_of(game("f1"))
    _, answers = begun(sheet, 1, 11)
    actions = np.zeros(1, np.int64)
    drawn = set()
    for number in range(2000):
        draw(answers.masks, 9, number, actions)
        drawn.add(int(actions[0]))
    assert drawn == set(np.flatnonzero(answers.masks[0]).tolist())
    draw(np.zeros((1, 5), np.uint8), 9, 0, actions)
    assert actions.tolist() == [0]


def test_other_sheets_are_refused() -> None:
    for wrong in (Yamm.from_id("yamm"), game("d4")):
        with pytest.raises((EngineError, GameError)):
            sheet_of(wrong)
