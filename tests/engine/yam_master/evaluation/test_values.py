"""The values of moves and turns by the kernels, against plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dicecup.core.dice import ROLLS
from dicecup.core.turn import KeptDice
from dicecup.engine.turn.value import turn_values
from dicecup.engine.yam_master.evaluation.decisions import action_values, move_values, turn_of
from dicecup.engine.yam_master.evaluation.match import by_greed, by_model
from dicecup.engine.yam_master.evaluation.model import LEARNED, SUPPLIES, Model, learned, shapes_of, zeros_like
from dicecup.engine.yam_master.evaluation.turns_kernel import expectations, workspace
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import action_of, pack, unpack
from dicecup.engine.yam_master.training.gradient_kernel import gradients
from dicecup.players.greedy import GreedyPlayer
from dicecup.yam_master import BOARD, FIRST_THROW, LATER_THROW, UNDER_DEFI, Ending, KeepDice, Position, YamMaster
from tests.strategies import YAM_MASTER
from tests.yam_master.positions import decisions


def plain_value(model: Model, position: Position) -> float:
    """Return the value of the network in double precision, calculated from its description."""
    own, opposing = (position.x, position.o) if position.to_move == 0 else (position.o, position.x)
    mine, theirs = position.supplies[position.to_move], position.supplies[1 - position.to_move]
    side = int(position.to_move) if position.game.options.end == "full_round" else 0
    points = max(-6, min(6, position.points[position.to_move] - position.points[1 - position.to_move]))
    rows = [
        model.shape_first[number]
        + sum(((own >> square & 1) + 2 * (opposing >> square & 1)) * 3**at for at, square in enumerate(shape))
        for number, shape in enumerate(shapes_of(BOARD))
    ]
    alone = model.alone[rows].sum(dtype=np.float64) + model.standing[side, mine, theirs, points + 6]
    rows += [model.supplies_first + (side * SUPPLIES + mine) * SUPPLIES + theirs, model.points_first + points + 6]
    hidden = np.maximum(model.rows[rows].sum(axis=0, dtype=np.float64), 0)
    second = np.maximum(hidden @ model.second[:-1] + model.second[-1], 0)
    return float(np.tanh(alone + second @ model.third))


def plain_slots(model: Model, position: Position) -> dict[int, float]:
    """Return the value of every move that some dice allow."""
    game, own = position.game, (position.x, position.o)[position.to_move]
    begun = unpack(pack(position), game, position.number)
    found = {}
    for move in range(51):
        bit = 1 << move % 25
        if move < 50 and not (begun.free if move < 25 else (position.x | position.o) & ~own) & bit:
            continue
        following = begun.play_unchecked(action_of(game, move))
        outcome = following.outcome
        if outcome is None:
            found[move] = -plain_value(model, following)
        elif outcome.end is Ending.LINE:
            found[move] = 1.0
        else:
            found[move] = 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.to_move else -1.0
    return found


@pytest.mark.slow
@settings(max_examples=15)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32))
def test_move_values_equal_the_plain_evaluation(model: Model, game: YamMaster, seed: int) -> None:
    for position in decisions(game, seed, 60)[::4]:
        values = move_values(position, by_model(model))
        plain = plain_slots(model, position)
        assert np.flatnonzero(values > -np.inf).tolist() == sorted(plain)
        np.testing.assert_allclose(values[sorted(plain)], [plain[move] for move in sorted(plain)], atol=2e-5)


def plain_ends(position: Position, values: NDArray[np.float32], stage: int) -> list[float]:
    """Return the value of ending with each roll: the best move that it allows."""
    ends = []
    for shown, held in zip(ROLLS, position.game.held[stage], strict=True):
        allowed = [values[50], *(values[place] for place in range(25) if held >> place & 1)]
        ends.append(max(allowed + (list(values[25:50]) if max(shown.counts) == 5 else [])))
    return [float(end) for end in ends]


@settings(max_examples=10)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32))
def test_turns_are_exact(model: Model, game: YamMaster, seed: int) -> None:
    position = decisions(game, seed, 60)[-1]
    values = move_values(position, by_model(model))
    first, later, defi = (plain_ends(position, values, stage) for stage in (FIRST_THROW, LATER_THROW, UNDER_DEFI))
    plain = turn_values((first, later, later), (defi, defi), kept_dice=game.options.kept_dice)
    assert turn_of(rules_of(game), values).value == pytest.approx(plain.value, abs=1e-9)
    found = np.empty(1, np.float32)
    expectations(rules_of(game), values[np.newaxis], found, workspace(len(rules_of(game).class_yam)))
    assert found[0] == pytest.approx(plain.value, abs=1e-5)


@pytest.mark.slow
@settings(max_examples=10)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32))
def test_greedy_batches_choose_as_the_greedy_player(game: YamMaster, seed: int) -> None:
    """The choice of the greedy player has the highest value of the batch."""
    for position in decisions(game, seed, 60)[::7]:
        values = move_values(position, by_greed)
        results: dict[object, float] = {action: 2 * value - 1 for action, value in action_values(position, values).items()}
        chosen = GreedyPlayer().choose(position)
        assert results[chosen] == pytest.approx(max(results.values()), abs=1e-5)


@given(seed=st.integers(0, 2**32))
def test_locked_dice_never_raise_the_value_of_a_keep(model: Model, seed: int) -> None:
    """After throw 1 a keep whose dice must stay has the same value or a lower one."""
    free, locked = (next(game for game in YAM_MASTER if game.options.kept_dice is kept) for kept in KeptDice)
    position = decisions(free, seed, 30)[-1]
    bound = Position(locked, *(getattr(position, name) for name in ("x", "o", "to_move", "turn", "defi", "supplies", "number")))
    values = move_values(position, by_model(model))
    loose, strict = action_values(position, values), action_values(bound, values)
    for action, value in strict.items():
        assert value <= loose[action] + 1e-9
        if (position.turn is not None and position.turn.throws > 1) or not isinstance(action, KeepDice):
            assert value == pytest.approx(loose[action])


@pytest.mark.slow
def test_gradients_point_upwards(model: Model) -> None:
    """Against differences: error times the slope of the sum before tanh."""
    game = YamMaster()
    rules = rules_of(game)
    position = decisions(game, 11, 40)[-1]
    begun = unpack(pack(position), game, position.number)
    into = zeros_like(model)
    states, targets = np.array([pack(position)]), np.array([0.7], np.float32)
    squared, bad = gradients(rules, model, into, states, targets, np.ones(1, np.bool_))
    error = 0.7 - plain_value(model, begun)
    assert bad == -1
    assert squared == pytest.approx(error**2, rel=1e-4)
    random = np.random.default_rng(2)
    for name in LEARNED:
        gradient = learned(into)[name].reshape(-1)
        touched = np.flatnonzero(gradient[: model.supplies_first] if name == "alone" else gradient)
        for at in random.choice(touched, min(5, len(touched)), replace=False):
            sums = []
            for step in (-1e-3, 1e-3):
                moved: dict[str, Any] = {key: array.astype(np.float64) for key, array in learned(model).items()}
                moved[name].reshape(-1)[at] += step
                sums.append(np.arctanh(plain_value(model._replace(**moved), begun)))
            assert gradient[at] == pytest.approx(error * (sums[1] - sums[0]) / 2e-3, rel=2e-3, abs=1e-5)


@pytest.mark.slow
def test_not_a_number_is_reported(model: Model) -> None:
    game = YamMaster()
    states = np.full(3, pack(game.start()))
    targets = np.array([0, np.nan, 0], np.float32)
    _, bad = gradients(rules_of(game), model, zeros_like(model), states, targets, np.ones(3, np.bool_))
    assert bad == 1
