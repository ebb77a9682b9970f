"""Batches play the games of the rules, and show what the single environments show."""

import pickle
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from dicecup.core.dice import ROLLS
from dicecup.core.errors import GameError
from dicecup.envs.batches import Batch, YamMasterBatch, YammBatch
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.process import Situation
from dicecup.envs.rewards import Rewards

MAKERS = {
    "yamm": lambda: YammBatch(3, "d1,f2"),
    "yamm, locked": lambda: YammBatch(3, "u3", kept_dice="locked"),
    "yamm, luck-adjusted": lambda: YammBatch(18, "u1,f1", reward="luck-adjusted"),
    "yamm, locked, luck-adjusted": lambda: YammBatch(2, "d1", kept_dice="locked", reward="luck-adjusted"),
    "yam-master": lambda: YamMasterBatch(3, max_turns=30),
    "yam-master, options": lambda: YamMasterBatch(
        3, kept_dice="locked", failed_defi="ignored", captured="out", end="full_round", max_turns=60
    ),
}


class ByTheRules:
    """The games of a batch, played by the rules with the dice that the batch threw."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.unpaid = [0.0] * batch.num_envs
        self.rewards = Rewards(batch.encoding.game, getattr(batch, "reward", "result"))
        self.positions = [self.started(at) for at in range(batch.num_envs)]

    def started(self, at: int) -> Any:
        self.unpaid[at] = 0.0
        return self.thrown(self.batch.encoding.game.start(), at)

    def thrown(self, position: Any, at: int) -> Any:
        """Return the position after the throw of a game in the batch, whose reward is still to be
        paid."""
        after = position.roll(ROLLS[self.batch._games.roll[at]])  # type: ignore[attr-defined]
        self.unpaid[at] += self.rewards.threw(position, after)[0]
        return after

    def paid(self, at: int) -> float:
        paid, self.unpaid[at] = self.unpaid[at], 0.0
        return paid

    def seen(self, position: Any, player: int) -> tuple[bytes, list[int]]:
        situation = Situation(position)
        return self.batch.encoding.observe(situation, player), self.batch.encoding.legal(situation)


@pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
def test_a_batch_shows_what_the_rules_and_the_encoding_show(make: Any) -> None:
    batch: Batch = make()
    random, ended = Random(5), 0
    observations, infos = batch.reset(seed=11)
    games = ByTheRules(batch)
    encoding = batch.encoding
    while ended < 6:
        chosen = []
        for at, position in enumerate(games.positions):
            expected, legal = games.seen(position, position.player)
            assert observations[at].tobytes() == expected
            assert np.flatnonzero(infos["action_mask"][at]).tolist() == legal
            chosen.append(random.choice(legal))
        observations, rewards, terminated, truncated, infos = batch.step(np.array(chosen))
        for at, action in enumerate(chosen):
            before = games.positions[at]
            position = before.play(encoding.action(Situation(before), action))
            assert terminated[at] == (position.turn is None)
            assert truncated[at] == (position.turn is not None and position.number > getattr(batch, "max_turns", 10**9))
            reward = games.rewards.played(before, position)[before.player if encoding.game.sides > 1 else 0]
            if terminated[at] or truncated[at]:
                ended += 1
                assert infos["_final_obs"][at]
                assert infos["final_obs"][at].tobytes() == games.seen(position, before.player)[0]
                reward += games.paid(at)
                games.positions[at] = games.started(at)
            else:
                games.positions[at] = games.thrown(position, at) if position.waiting else position
                reward += games.paid(at)
            assert rewards[at] == pytest.approx(reward, abs=0.01)


@pytest.mark.parametrize("make", [lambda games: YammBatch(games, "d1"), YamMasterBatch], ids=["yamm", "yam-master"])
def test_dice_fall_as_often_as_the_weights_say(make: Any) -> None:
    """Pearson's statistic for 252 rolls, after the first throw and after keeping nothing.

    The 99.9 % quantile for 251 degrees of freedom is 325.
    """
    batch = make(10 * 7776)
    batch.reset(seed=8)
    expected = 10.0 * np.array([shown.weight for shown in ROLLS])
    for _ in range(2):
        found = np.bincount(batch._games.roll, minlength=len(ROLLS))
        assert ((found - expected) ** 2 / expected).sum() < 325
        batch.step(np.zeros(batch.num_envs, np.int64))


def test_a_turn_has_the_same_first_throw_whatever_was_played_before() -> None:
    """In the same game of the same seed."""
    ones, others = YammBatch(20, "f1"), YammBatch(20, "f1")
    for batch, keeps in ((ones, 0), (others, 2)):
        batch.reset(seed=3)
        for _ in range(keeps):
            batch.step(np.zeros(20, np.int64))
        batch.step(np.array([np.flatnonzero(mask)[-1] for mask in batch._answers.masks]))
    assert ones._games.roll.tolist() == others._games.roll.tolist()


def test_equal_seeds_give_equal_games_and_the_first_games_of_a_larger_batch() -> None:
    few, many = YammBatch(2, "d1"), YammBatch(5, "d1")
    for _ in range(2):
        assert few.reset(seed=4)[0].tolist() == many.reset(seed=4)[0][:2].tolist()
    again = few.reset()[0]
    assert again.tolist() != few.reset(seed=4)[0].tolist()


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_the_yamm_batch_is_the_vector_environment_of_its_id(dtype: str) -> None:
    arguments: dict[str, Any] = {"columns": "d1,u1", "dtype": dtype}
    vector = gymnasium.make_vec("Dicecup/Yamm-v0", num_envs=4, vectorization_mode="vector_entry_point", **arguments)
    assert isinstance(vector.unwrapped, YammBatch)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = vector.reset(seed=1)
    assert vector.observation_space.contains(observations)
    single = gymnasium.make("Dicecup/Yamm-v0", **arguments)
    assert vector.single_observation_space == single.observation_space
    assert vector.single_action_space == single.action_space
    actions = vector.unwrapped.sample()
    assert vector.action_space.contains(actions)
    assert infos["action_mask"][np.arange(4), actions].all()


def test_the_yam_master_batch_has_an_id_of_its_own() -> None:
    vector = gymnasium.make_vec("Dicecup/YamMasterBothSides-v0", num_envs=2, kept_dice="locked")
    assert isinstance(vector.unwrapped, YamMasterBatch)
    assert vector.reset(seed=1)[1]["player"].tolist() == [0, 0]


def test_floats_are_the_bytes_divided_by_their_highest_values() -> None:
    whole, parts = YamMasterBatch(5), YamMasterBatch(5, dtype="float32")
    highs = np.frombuffer(whole.encoding.layout.highs, np.uint8)
    for batch in (whole, parts):
        batch.reset(seed=2)
    for _ in range(60):
        actions = whole.sample()
        expected, divided = whole.step(actions)[0], parts.step(actions)[0]
        assert (divided == expected.astype(np.float32) / highs).all()


def test_a_part_of_the_games_begins_anew() -> None:
    batch = YammBatch(3, "d1")
    batch.reset(seed=1)
    before, _, _, _, _ = batch.step(batch.sample())
    after, _ = batch.reset(options={"reset_mask": [False, True, False]})
    assert (before[[0, 2]] == after[[0, 2]]).all()
    assert (before[1] != after[1]).any()


def test_arrays_are_shared_without_a_copy_if_asked_for() -> None:
    shared, copied = YammBatch(2, "d1", copy=False), YammBatch(2, "d1")
    floats = YammBatch(2, "d1", dtype="float32", copy=False)
    for batch, same in ((shared, True), (copied, False), (floats, True)):
        first, infos = batch.reset(seed=1)
        second, _, _, _, later = batch.step(batch.sample())
        assert np.shares_memory(first, second) == same
        assert np.shares_memory(infos["action_mask"], later["action_mask"]) == same
        assert np.shares_memory(np.from_dlpack(second), second)
        assert np.shares_memory(np.from_dlpack(later["action_mask"]), later["action_mask"])


@pytest.mark.parametrize(
    "actions, code",
    [
        ([0], EnvsCode.NOT_AN_INDEX),
        ([0.0, 0.0], EnvsCode.NOT_AN_INDEX),
        (["k-", "k-"], EnvsCode.NOT_AN_INDEX),
        ([0, 221], EnvsCode.NOT_AN_INDEX),
        ([0, -1], EnvsCode.NOT_AN_INDEX),
        ([0, 211], EnvsCode.ILLEGAL_ACTION),
    ],
)
def test_a_refused_step_changes_nothing(actions: list[Any], code: EnvsCode) -> None:
    batch = YammBatch(2, "d1")
    observations, _ = batch.reset(seed=1)
    with pytest.raises(EnvsError) as refused:
        batch.step(np.array(actions))
    assert refused.value.code == code
    again, *_ = batch.step(np.array([0, 0]))
    batch.reset(seed=1)
    assert again.tolist() == batch.step(np.array([0, 0]))[0].tolist()
    assert observations.shape == again.shape


def test_nothing_is_played_before_the_first_reset() -> None:
    batch = YamMasterBatch(2)
    for call in (
        lambda: batch.step(np.zeros(2, int)),
        batch.sample,
        lambda: batch.reset(options={"reset_mask": [True, False]}),
    ):
        with pytest.raises(EnvsError) as refused:
            call()
        assert refused.value.code == EnvsCode.NOT_RESET


def test_wrong_arguments_are_refused() -> None:
    for make in (
        lambda: YammBatch(0),
        lambda: YamMasterBatch(2, max_turns=0),
        lambda: YamMasterBatch(2, end="never"),
        lambda: YammBatch(2, dtype="int8"),
    ):
        with pytest.raises(GameError):
            make()


def test_a_pickled_batch_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.envs.arrays.VERSION", "0.0.1 (layout 0)")
    old = pickle.dumps(YamMasterBatch(2))
    monkeypatch.undo()
    with pytest.raises(EnvsError, match="pickle-version"):
        pickle.loads(old)  # noqa: S301 (written a moment ago)


def test_a_pickled_batch_goes_on() -> None:
    batch = YammBatch(2, "d1")
    batch.reset(seed=3)
    again = pickle.loads(pickle.dumps(batch))  # noqa: S301 (written a moment ago)
    actions = batch.sample()
    assert again.sample().tolist() == actions.tolist()
    assert again.step(actions)[0].tolist() == batch.step(actions)[0].tolist()
