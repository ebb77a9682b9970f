"""The environments of PettingZoo."""

import pickle
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.wrappers import BaseWrapper, TerminateIllegalWrapper

from dicecup.core.errors import ActionError, GameError, TurnCode
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.pettingzoo import GameEnv, yam_master, yamm
from dicecup.yamm import OptionCode
from tests.envs.playing import copied, loaded

VARIANTS = {
    "yam_master": partial(yam_master),
    "yam_master options": partial(
        yam_master, kept_dice="locked", failed_defi="ignored", captured="out", end="full_round", reward="points", dtype="uint8"
    ),
    "yamm": partial(yamm),
    "yamm alone": partial(yamm, "d1,u1", players=1),
    "yamm three": partial(yamm, ["f1"], players=3, kept_dice="locked", reward="points", dtype="uint8"),
    "yamm pairs": partial(yamm, "d1,f1", players=4, pairs=True, reward="luck-adjusted"),
    "yam_master luck": partial(yam_master, reward="luck-adjusted", max_turns=20),
}
variants = pytest.mark.parametrize("make", VARIANTS.values(), ids=VARIANTS.keys())

# What PettingZoo remarks on for every environment whose observations are dictionaries with a mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def play(env: GameEnv, seed: int) -> list[tuple[str, int | None]]:
    """Play at random to the end and return what each agent did."""
    chance = np.random.default_rng(seed)
    env.reset(seed=seed)
    done: list[tuple[str, int | None]] = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert observation is not None
        over = terminated or truncated
        action = None if over else int(chance.choice(np.flatnonzero(observation["action_mask"])))
        done.append((agent, action))
        env.step(action)
    return done


# --- Conformance ----------------------------------------------------------------------------------


@variants
def test_pettingzoo_accepts_the_environment(make: Any) -> None:
    api_test(make(), num_cycles=150)


@variants
def test_a_pickled_environment_is_accepted(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    api_test(copied(env), num_cycles=20)


@variants
def test_a_seed_repeats_a_game(make: Any) -> None:
    seed_test(make, num_cycles=100)


@variants
def test_every_mode_renders(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(make)
    assert str(make().encoding.game.start().number) in capsys.readouterr().out


@variants
@pytest.mark.filterwarnings("ignore:.*Illegal move made")
def test_the_state_is_in_its_space(make: Any) -> None:
    """`state_test` draws actions without the mask, so PettingZoo's wrapper ends the game then, as
    in its own classic games."""
    env = TerminateIllegalWrapper(make(), illegal_reward=-1)
    state_test(env, turn_based_aec_to_parallel_wrapper(make()))


class OneDecisionATurn(BaseWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """Agents who end each turn with its first throw, in a cycle.

    `max_cycles_test` draws actions without the mask and counts one decision for each agent in a
    cycle. The last allowed action passes, or writes into the last open cell.
    """

    @property
    def metadata(self) -> dict[str, Any]:
        return {**self.env.metadata, "is_parallelizable": True}

    def step(self, action: Any) -> None:
        mask = self.observe(self.agent_selection)["action_mask"]
        super().step(None if action is None else int(np.flatnonzero(mask)[-1]))


def one_decision_a_turn(make: Any, max_cycles: int) -> OneDecisionATurn:
    """Return such an environment that is truncated after so many turns of each agent."""
    return OneDecisionATurn(make(max_turns=max_cycles * len(make().possible_agents)))


@pytest.mark.parametrize(
    "make",
    [
        yam_master,
        partial(yam_master, captured="out", end="full_round"),
        partial(yamm, "d1", players=1),
        partial(yamm, "d1", players=3),
        partial(yamm, "u3", players=4, pairs=True),
    ],
)
def test_pettingzoo_counts_the_cycles_to_the_cap(make: Any) -> None:
    env = partial(one_decision_a_turn, make)
    max_cycles_test(SimpleNamespace(env=env, parallel_env=lambda max_cycles: aec_to_parallel(env(max_cycles))))


@pytest.mark.parametrize("turns", [1, 4, 7])
def test_a_game_is_truncated_after_its_cap(turns: int) -> None:
    """With several decisions in a turn."""
    for env in (yam_master(max_turns=turns), yamm(players=3, max_turns=turns)):
        chance = np.random.default_rng(1)
        env.reset(seed=1)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            assert env.position.number <= turns
            env.step(int(chance.choice(np.flatnonzero(mask))))
        assert env.position.number == turns + 1
        assert all(env.truncations.values())
        assert not any(env.terminations.values())
        assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)


# --- Games ----------------------------------------------------------------------------------------


@variants
def test_a_game_is_played_to_its_end(make: Any) -> None:
    env = make()
    done = play(env, 2)
    assert [agent for agent, action in done if action is None] == env.possible_agents
    assert env.agents == []
    assert env.position.turn is None or env.position.number > 20


def test_partners_share_a_sheet_and_its_rewards() -> None:
    env = yamm("d1", players=4, pairs=True)
    env.reset(seed=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    totals = dict.fromkeys(env.possible_agents, 0.0)
    chance = np.random.default_rng(3)
    throwers = set()
    while not any(env.terminations.values()):
        throwers.add(env.agent_selection)
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(chance.choice(np.flatnonzero(mask))))
        totals = {agent: totals[agent] + env.rewards[agent] for agent in totals}
    assert throwers == set(env.possible_agents)
    assert totals["player_0"] == totals["player_2"] == -totals["player_1"] == -totals["player_3"]
    assert abs(totals["player_0"]) == 1


def test_the_thrower_decides_about_a_correction() -> None:
    env = yamm("f1", players=2)
    env.reset(seed=1)
    for _ in range(2):
        env.step(env.encoding.index_of("f1.H"))
    assert env.agent_selection == "player_0"
    mask = env.observe("player_0")["action_mask"]
    assert not env.observe("player_1")["action_mask"].any()
    texts = [env.encoding.texts[index] for index in np.flatnonzero(mask)]
    assert texts == [f"> f1.{row}" for row in ("1", "2", "3", "4", "5", "6", "T", "FH", "ST", "Y")] + ["stand"]
    env.step(env.encoding.index_of("> f1.T"))
    assert env.agent_selection == "player_0"
    assert env.position.turn is not None
    assert env.position.turn.throws == 1
    assert str(env.position).split("/")[0].startswith(".7,")


# --- Bad input ------------------------------------------------------------------------------------


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    env = yamm()
    env.reset(seed=1)
    before = env.position
    with pytest.raises(ActionError) as refused:
        env.step(env.encoding.index_of("k6666"))
    assert (refused.value.code, str(refused.value.action)) == (TurnCode.NOT_THESE_DICE, "k6666")
    with pytest.raises(ActionError) as none_due:
        env.step(env.encoding.index_of("stand"))
    assert (none_due.value.code, none_due.value.action) == (EnvsCode.NO_CORRECTION_DUE, "stand")
    assert env.position == before


def test_uses_out_of_order_are_refused() -> None:
    env = yam_master(require_seed=True)
    for use in (lambda: env.step(0), lambda: env.observe("player_0"), env.state, env.render):
        with pytest.raises(EnvsError) as refused:
            use()
        assert refused.value.code is EnvsCode.NOT_RESET
    with pytest.raises(EnvsError) as seedless:
        env.reset()
    assert seedless.value.code is EnvsCode.NO_SEED
    env.reset(seed=1)
    env.reset()
    with pytest.raises(EnvsError) as index:
        env.step(471)
    assert index.value.code is EnvsCode.NOT_AN_INDEX
    for ask in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(EnvsError) as unknown:
            ask("player_2")
        assert unknown.value.code is EnvsCode.NO_SUCH_AGENT


def test_a_finished_episode_takes_no_step() -> None:
    env = yamm("d1", players=1)
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    while not env.terminations["player_0"]:
        env.step(int(chance.choice(np.flatnonzero(env.observe("player_0")["action_mask"]))))
    for action in (0, None, 0):
        if action is None:
            env.step(None)
            continue
        with pytest.raises(EnvsError) as refused:
            env.step(action)
        assert refused.value.code is EnvsCode.EPISODE_OVER


@pytest.mark.parametrize(
    "make,message",
    [
        (partial(yam_master, wind="north"), "unknown-option: text=yam-master, option=wind"),
        (partial(yamm, players=17), "option-value: option=players, value=17"),
        (partial(yamm, players=3, pairs=True), str(OptionCode.PAIRS_NEED_EVEN_PLAYERS)),
        (partial(yamm, columns="g1"), "not-a-sheet"),
        (partial(yam_master, max_turns=True), "option-value: option=max_turns, value=True"),
    ],
)
def test_a_wrong_argument_is_named(make: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        make()


def test_a_pickle_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env = yam_master()
    monkeypatch.setattr("dicecup.envs.arrays.VERSION", "9.9.9 (layout 7)")
    new = pickle.dumps(env)
    monkeypatch.undo()
    with pytest.raises(EnvsError) as refused:
        loaded(new)
    assert refused.value.code is EnvsCode.PICKLE_VERSION
