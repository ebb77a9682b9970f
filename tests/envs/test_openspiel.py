"""The games of OpenSpiel."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if sys.version_info >= (3, 14):
    pytest.skip("OpenSpiel has no wheel for Python 3.14", allow_module_level=True)

import pyspiel
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, sample_some_states
from open_spiel.python.observation import make_observation

from dicecup.cli import main
from dicecup.core.dice import ROLLS, keep
from dicecup.core.errors import ActionError, GameError, TurnCode
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.openspiel import NAMES
from dicecup.envs.options import yamm_encoding
from dicecup.yamm.rows import ROWS, VALUES
from tests.envs.playing import copied

GOLDEN = Path(__file__).parent.parent / "golden" / "openspiel"
VARIANTS = (
    *NAMES,
    "dicecup_yam_master(captured=out,end=full_round,failed_defi=ignored,kept_dice=locked,max_turns=40)",
    "dicecup_yam_master_3x3(captured=out,max_turns=9)",
    "dicecup_yamm(columns=d1+f1,players=4,pairs=True)",
    "dicecup_yamm(columns=u1,players=3,kept_dice=locked)",
)
variants = pytest.mark.parametrize("name", VARIANTS)


def after(name: str, *actions: str) -> Any:
    """Return a state after these actions; a text of five faces is a throw."""
    state = pyspiel.load_game(name).new_initial_state()
    for text in actions:
        state.apply_action(state.string_to_action(state.current_player(), text))
    return state


# --- Conformance ----------------------------------------------------------------------------------


@pytest.mark.slow
@variants
def test_random_games_pass(name: str) -> None:
    """OpenSpiel's own test of legal actions, masks, returns, observations and serialisation."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@variants
def test_many_random_games_pass(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=4, serialize=True, verbose=False)


@variants
@pytest.mark.parametrize(
    "check",
    [check for check in dir(api_test.EnforceAPIOnPartialTreeBase) if check.startswith("test_")],
)
def test_the_interface_holds_on_some_states(name: str, check: str) -> None:
    """The checks of OpenSpiel's `api_test` for games with large trees."""
    game = pyspiel.load_game(name)
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game_name": name, "game": game})(check)
    case.game_type = game.get_type()
    case.some_states = sample_some_states.sample_some_states(game, max_states=40)
    getattr(case, check)()


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_golden_playthrough_repeats(path: Path) -> None:
    """As OpenSpiel's `playthrough_test`. `python -m tests.envs.playthroughs` writes them."""
    flags.FLAGS.mark_as_parsed()
    expected, actual = generate_playthrough.replay(str(path))
    assert actual.splitlines() == expected.splitlines()


def test_every_game_has_a_playthrough() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} >= set(NAMES)
    assert set(NAMES) <= set(pyspiel.registered_names())


# --- Games ----------------------------------------------------------------------------------------


@variants
def test_chance_has_the_integer_weights_of_the_rules(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    assert state.chance_weights() == [(at, shown.weight) for at, shown in enumerate(ROLLS)]
    assert state.chance_outcomes() == [(at, shown.weight / 7776) for at, shown in enumerate(ROLLS)]
    assert sum(weight for _, weight in state.chance_weights()) == 7776


@pytest.mark.parametrize("kept", ["-", "6", "44", "135", "2345", "6666"])
def test_chance_is_what_dicecup_odds_prints(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The mean points of each row, as a fraction."""
    assert main(["odds", "yamm", "--keep", kept, "--throws-left", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    shown = next(shown for shown in ROLLS if keep(kept) in shown)
    weights = after("dicecup_yamm", shown.text, f"k{kept}").chance_weights()
    throws = 6 ** (5 - keep(kept).count)
    assert sum(weight for _, weight in weights) == throws
    assert set(told) == set(map(str, ROWS))
    for row in ROWS:
        points = sum(weight * VALUES[row][roll] for roll, weight in weights)
        assert Fraction(told[str(row)]["mean"]["fraction"]) == Fraction(points, throws)


@variants
def test_tensors_are_the_observations_of_the_layout(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    chance = np.random.default_rng(1)
    encoding = game.encoding
    for _ in range(60):
        for player in range(game.num_players() if not state.is_chance_node() else 0):
            raw = np.frombuffer(encoding.observe(state.situation, player), np.uint8)
            expected = raw.astype(np.float32) / np.frombuffer(encoding.layout.highs, np.uint8)
            assert np.array_equal(np.array(state.observation_tensor(player), np.float32), expected)
            assert state.information_state_tensor(player) == state.observation_tensor(player)
        if state.is_terminal():
            break
        state.apply_action(int(chance.choice(state.legal_actions())))
    observation = make_observation(game)
    observation.set_from(state, 0)
    assert list(observation.dict) == [field.name for field in encoding.layout.fields]
    assert sum(part.size for part in observation.dict.values()) == encoding.layout.size


def test_a_position_is_told_by_its_history_or_by_its_text() -> None:
    state = after("dicecup_yam_master", "11112", "k111", "11123")
    assert state.observation_string(0) == "5/5/5/5/5 x 2:11123 12-12 1"
    assert state.information_state_string(1) == state.history_str()
    assert "a1" in [state.action_to_string(0, action) for action in state.legal_actions()]


def test_a_correction_is_a_decision_of_its_thrower() -> None:
    name = "dicecup_yamm(columns=f1)"
    state = after(name, "12345", "f1.H", "12345", "f1.H")
    assert state.current_player() == 0
    assert str(state).endswith(" correction?")
    assert state.action_to_string(0, state.legal_actions()[-1]) == "stand"
    moved, stood = state.child(state.string_to_action(0, "> f1.T")), state.child(state.legal_actions()[-1])
    assert moved.is_chance_node()
    assert stood.is_chance_node()
    assert str(moved) != str(stood)
    assert str(state).startswith(str(stood))


def test_a_win_on_a_small_board() -> None:
    """Two squares in a line win on the board of 2 × 2."""
    state = after("dicecup_yam_master_2x2", "66666", "a1", "12345", "--", "66666", "b2")
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_a_game_that_is_stopped_is_a_draw() -> None:
    state = after("dicecup_yam_master_2x2(max_turns=2)", "12345", "--", "12345", "--")
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_a_sheet_alone_is_played_for_its_points() -> None:
    game = pyspiel.load_game("dicecup_yamm_1_column")
    state = game.new_initial_state()
    while not state.is_terminal():
        action = state.legal_actions()[-1]
        state.apply_action(action)
    assert state.returns() == [float(state.situation.position.scores[0])]
    assert 0 < state.returns()[0] <= game.max_utility()


def test_columns_are_those_of_the_sheet() -> None:
    game = pyspiel.load_game("dicecup_yamm(columns=d1+u1,players=1)")
    assert game.num_distinct_actions() == yamm_encoding("d1,u1", players=1).actions == 210 + 22


# --- Bad input ------------------------------------------------------------------------------------


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    state = after("dicecup_yamm", "12345")
    with pytest.raises(ActionError) as refused:
        state.apply_action(state.string_to_action(0, "d1.1") + 1)
    assert refused.value.code == "cell-out-of-order"
    assert str(refused.value.action) == "d1.2"
    assert str(state).endswith("1:12345 1")


def test_a_roll_that_cannot_fall_is_refused() -> None:
    state = after("dicecup_yamm", "12345", "k5")
    with pytest.raises(ActionError) as refused:
        state.apply_action(0)
    assert refused.value.code is TurnCode.KEPT_DIE_LOST


@pytest.mark.parametrize(
    "name,message",
    [
        ("dicecup_yamm(columns=d1+d1)", "not-a-sheet"),
        ("dicecup_yamm(players=99)", "option-value: option=players"),
        ("dicecup_yam_master(end=never)", "option-value: option=end, value=never"),
        ("dicecup_yam_master(max_turns=0)", "option-value: option=max_turns, value=0"),
    ],
)
def test_a_wrong_parameter_is_named(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        pyspiel.load_game(name)


def test_a_state_goes_through_text() -> None:
    """Also in the middle of a correction, with options, in one text with its game."""
    state = after("dicecup_yamm(columns=f1,kept_dice=locked)", "12345", "k5", "12345", "f1.H", "11111", "f1.Y")
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert (str(again), again.history(), again.legal_actions()) == (str(state), state.history(), state.legal_actions())
    assert str(state).endswith(" correction?")
    copy = copied(state)
    assert (str(copy), copy.history()) == (str(state), state.history())


def test_a_state_of_another_layout_is_refused() -> None:
    state = after("dicecup_yam_master", "12345")
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    assert "layout=1" in text
    with pytest.raises(EnvsError) as refused:
        pyspiel.deserialize_game_and_state(text.replace("layout=1", "layout=7"))
    assert refused.value.code is EnvsCode.PICKLE_VERSION


def test_observers_take_no_parameters() -> None:
    with pytest.raises(ValueError, match="not supported"):
        make_observation(pyspiel.load_game("dicecup_yamm"), params={"bits": 1})


def test_nothing_is_private() -> None:
    game = pyspiel.load_game("dicecup_yamm")
    kind = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    observation = make_observation(game, kind)
    state = game.new_initial_state()
    observation.set_from(state, 0)
    assert observation.tensor is None
    assert observation.string_from(state, 0) == ""
