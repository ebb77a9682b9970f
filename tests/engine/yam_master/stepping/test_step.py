"""Games in batches are the games of the rules: dice, legal actions, results and the end."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.dice import FIRST_ROLL, KEEPS, ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import action_of, move_of, pack
from dicecup.engine.yam_master.stepping.games import Answers, Games, new_answers, new_games
from dicecup.engine.yam_master.stepping.step_kernel import begin, step
from dicecup.yam_master import Action, KeepDice, Options, Position, YamMaster, small_board
from dicecup.yam_master.actions import DEFI_ACTIONS, KEEP_ACTIONS
from dicecup.yam_master.options import Captured, End, FailedDefi

CAP = 40
all_options = st.builds(
    Options, st.sampled_from(KeptDice), st.sampled_from(FailedDefi), st.sampled_from(Captured), st.sampled_from(End)
)


def begun(game: YamMaster, count: int, seed: int) -> tuple[Games, Answers]:
    rules = rules_of(game)
    games, answers = new_games(game, count), new_answers(rules, count)
    games.number[:] = np.arange(count)
    begin(rules, pack(game.start()), games, np.ones(count, np.bool_), seed, answers)
    return games, answers


def index_of(game: YamMaster, action: Action) -> int:
    if isinstance(action, KeepDice):
        return FIRST_ROLL * action.defi + action.kept.index
    return 2 * FIRST_ROLL + move_of(game, action)


def action_at(game: YamMaster, index: int) -> Action:
    if index < 2 * FIRST_ROLL:
        return (KEEP_ACTIONS if index < FIRST_ROLL else DEFI_ACTIONS)[index % FIRST_ROLL]
    return action_of(game, index - 2 * FIRST_ROLL)


def result(position: Position, side: int) -> int:
    """Return the result of a finished game for a side."""
    assert position.outcome is not None
    return 0 if not position.outcome.winners else 1 if side in position.outcome.winners else -1


def preferred(game: YamMaster, position: Position, random: Random) -> int:
    """Return the index of a random action, more often one that ends the turn, so that games end."""
    actions = list(position.actions)
    ends = [action for action in actions if not isinstance(action, KeepDice) and str(action) != "--"]
    return index_of(game, random.choice(ends if ends and random.random() < 0.8 else actions))


@settings(max_examples=12)
@given(all_options, st.booleans(), st.integers(0, 2**62))
def test_a_batch_plays_the_games_of_the_rules(options: Options, small: bool, seed: int) -> None:
    game = YamMaster(options, small_board("1 Full 2/Suite Defi Sec/3 Yam 6", 3)) if small else YamMaster(options)
    rules, random = rules_of(game), Random(seed)
    games, answers = begun(game, 3, seed)
    positions = [game.start().roll(ROLLS[roll]) for roll in games.roll]
    while not (answers.over | answers.cut).all():
        chosen = [preferred(game, each, random) if each.actions else 0 for each in positions]
        played = [not (answers.over[at] or answers.cut[at]) for at in range(3)]
        assert step(rules, games, np.array(chosen), seed, CAP, answers) == -1
        for at, action in enumerate(chosen):
            if not played[at]:
                continue
            mover = positions[at].to_move
            position = positions[at].play(action_at(game, action))
            cut = position.turn is not None and position.number > CAP
            assert answers.cut[at] == cut
            assert answers.over[at] == (position.turn is None)
            if position.turn is not None and not cut:
                position = position.roll(ROLLS[games.roll[at]])
            positions[at] = position
            expected = [] if cut else sorted(index_of(game, each) for each in position.actions)
            assert np.flatnonzero(answers.masks[at]).tolist() == expected
            assert answers.rewards[at] == (result(position, mover) if position.turn is None else 0)
            if position.turn is not None and not cut:
                assert games.state[at] == pack(position)


@pytest.mark.parametrize("wrong", [-1, 10**9, FIRST_ROLL - 1])
def test_an_illegal_action_changes_no_game(wrong: int) -> None:
    game = YamMaster()
    games, answers = begun(game, 4, 5)
    actions = np.array([KEEPS[0].index] * 4)
    actions[1] = wrong
    before = [array.copy() for array in (*games, *answers)]
    assert step(rules_of(game), games, actions, 5, CAP, answers) == 1
    for old, new in zip(before, (*games, *answers), strict=True):
        assert (old == new).all()
