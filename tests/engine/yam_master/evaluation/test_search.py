"""Search: against a plain recursion, and within its limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.engine.yam_master.evaluation.decisions import turn_of
from dicecup.engine.yam_master.evaluation.match import Contestant, by_model, play_games
from dicecup.engine.yam_master.evaluation.model import Model
from dicecup.engine.yam_master.evaluation.search import Work, by_search, deep_values, deepen
from dicecup.engine.yam_master.evaluation.search_kernel import merged
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import action_of, pack, unpack
from dicecup.yam_master import End, Options, Position, YamMaster
from tests.yam_master.positions import decisions

GAMES = (YamMaster(), YamMaster(Options(end=End.FULL_ROUND)))


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 20), max_size=80))
def test_equal_states_are_merged_in_their_order(states: list[int]) -> None:
    found, places = merged(np.array(states, np.int64))
    assert found.tolist() == list(dict.fromkeys(states))
    assert found[places].tolist() == states


def plain_search(model: Model, position: Position, depth: int) -> np.ndarray:
    """Return the values of all moves by plain recursion, all captures included."""
    rules, state = rules_of(position.game), np.array([pack(position)])
    values: np.ndarray = by_model(model)(rules, state)[0]
    for move in np.flatnonzero(values > -np.inf) if depth > 1 else ():
        following = unpack(pack(position), position.game, position.number).play_unchecked(action_of(position.game, int(move)))
        if following.turn is not None:
            values[move] = -turn_of(rules, plain_search(model, following, depth - 1)).value
    return values


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_search_equals_a_plain_recursion(model: Model, game: YamMaster) -> None:
    for position in decisions(game, 2, 36)[20::20]:
        found = deep_values(rules_of(game), by_model(model), np.array([pack(position)]), 2, Work(np.inf, taken=25))
        assert found is not None
        np.testing.assert_allclose(found[0], plain_search(model, position, 2), atol=1e-5)
    position = decisions(game, 4, 60)[-1]
    found = deep_values(rules_of(game), by_model(model), np.array([pack(position)]), 3, Work(np.inf, taken=25))
    assert found is not None
    np.testing.assert_allclose(found[0], plain_search(model, position, 3), atol=1e-5)


def test_fewer_searched_captures_never_raise_a_value(model: Model) -> None:
    game = YamMaster()
    rules, evaluate = rules_of(game), by_model(model)
    for position in decisions(game, 5, 40)[10::10]:
        state = np.array([pack(position)])
        few, more = (deep_values(rules, evaluate, state, 2, Work(np.inf), taken) for taken in (1, 25))
        assert few is not None
        assert more is not None
        assert np.isfinite(few[0, 25:50]).sum() <= 1
        assert turn_of(rules, few[0]).value <= turn_of(rules, more[0]).value + 1e-6


def test_deepening_stays_within_its_work(model: Model) -> None:
    game = YamMaster()
    rules, evaluate = rules_of(game), by_model(model)
    state = pack(decisions(game, 5, 20)[-1])
    for turns in (0, 10, 100, 1000):
        found = deepen(rules, evaluate, state, turns=turns)
        assert found.turns <= max(1, turns)
        again = deepen(rules, evaluate, state, deepest=found.depth)
        assert (again.values == found.values).all()
    assert deepen(rules, evaluate, state, turns=0).depth == 1
    assert deepen(rules, evaluate, state, turns=2000).depth >= 3


def test_deepening_without_time_finishes_depth_one(model: Model) -> None:
    state = pack(decisions(YamMaster(), 5, 20)[-1])
    found = deepen(rules_of(YamMaster()), by_model(model), state, out_of_time=lambda: True)
    assert found.depth == 1
    ticks = iter([False] * 3 + [True] * 100)
    assert deepen(rules_of(YamMaster()), by_model(model), state, out_of_time=lambda: next(ticks)).depth >= 1


def test_whole_games_can_be_searched(model: Model) -> None:
    game = YamMaster()
    deep = Contestant(by_search(by_model(model), 2))
    together = play_games(game, deep, Contestant(by_model(model)), games=6, seed=1)
    alone = play_games(game, deep, Contestant(by_model(model)), games=2, start=4, seed=1)
    assert (together.scores[4:] == alone.scores).all()
    assert (together.turns[4:] == alone.turns).all()
