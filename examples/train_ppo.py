"""Train MaskablePPO (sb3-contrib) on some columns of Yamm, and compare it with the exact optimum.

    pip install 'dicecup[envs]' sb3-contrib
    python -m examples.train_ppo --columns d1,d2,u1 --minutes 10

The games are played in a batch (`dicecup.envs.batches`), whose steps take little time beside the
network. The network reads the observation of docs/environments.md and what follows from it by the
rules (`Features`). It values a keep by the dice that it holds, not by its index (`KeepsAndCells`).
At the end it plays games by its most likely actions. The optimum is calculated where that is
possible: with up to three columns. `--save` writes the network for `examples.ppo_agent`.
"""

import argparse
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from dicecup.core.dice import DICE, FACES, FIRST_ROLL, KEEPS, ROLLS
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.sheets.solver import solve_once
from dicecup.envs.batches import YammBatch
from dicecup.envs.encoding import Encoding
from dicecup.yamm.rows import VALUES, Row

GAMES: Final = 256
"""The games that are played side by side."""
STEPS: Final = 64
"""The decisions of each game between two updates."""
LEARNING_RATE: Final = 7e-4
ENTROPY: Final = 0.01
"""The weight of the entropy at the beginning. It and the learning rate fall to zero."""
USUAL: Final = 15.0
"""Points that are subtracted from each turn. All games have the same number of turns, so only the
size of the returns changes."""
SCALE: Final = 50.0
"""Points that count as a reward of 1."""
EVALUATED: Final = 10_000
"""The games of the trained policy that are measured."""
MOST_SOLVED: Final = 3
"""Sheets of more columns have no exact optimum in a few seconds."""


class Features:
    """What the network reads: the observation from 0 to 1; for each face whether at least 1, 2, … 5
    dice show it; for each cell whether it is open, and the points of the present dice in it."""

    def __init__(self, encoding: Encoding) -> None:
        layout, cells = encoding.layout, encoding.texts[FIRST_ROLL:]
        self._highs = np.frombuffer(layout.highs, np.uint8).astype(np.float32)
        self._dice = layout.part(np.arange(layout.size), "dice")
        self._place = (DICE + 1) ** np.arange(len(FACES))
        self._roll = np.zeros((DICE + 1) ** len(FACES), np.int64)
        for number, roll in enumerate(ROLLS):
            self._roll[np.dot(roll.counts, self._place)] = number
        values = [VALUES[Row(cell.partition(".")[2])] for cell in cells]
        self._points = np.array(values, np.float32).T / SCALE
        self.size = layout.size + DICE * len(FACES) + 2 * len(cells)

    def __call__(self, observations: NDArray[np.uint8], masks: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features of some games, (games, size)."""
        shown = observations[:, self._dice]
        at_least = shown[:, :, None] >= np.arange(1, DICE + 1)
        cells = masks[:, FIRST_ROLL:]
        points = self._points[self._roll[shown.astype(np.int64) @ self._place]]
        parts = (observations / self._highs, at_least.reshape(len(shown), -1), cells, cells * points)
        return np.concatenate(parts, axis=1, dtype=np.float32)


def spaces(encoding: Encoding, features: Features) -> tuple[Box, Discrete]:
    """Return the spaces of what the network reads and of its actions."""
    return Box(0.0, np.inf, (features.size,), np.float32), Discrete(encoding.actions)


class PlayedTogether(VecEnv):  # type: ignore[misc]  # Stable-Baselines3 is not installed for the check of types
    """A batch as a vector environment of Stable-Baselines3."""

    def __init__(self, batch: YammBatch, seed: int) -> None:
        self.batch = batch
        self.features = Features(batch.encoding)
        super().__init__(batch.num_envs, *spaces(batch.encoding, self.features))
        self.returns: list[float] = []
        """The returns of all finished games, in points."""
        self._next_seed: int | None = seed
        self._gained = np.zeros(batch.num_envs)
        self._chosen = np.zeros(batch.num_envs, np.int64)
        self._masks = np.zeros((batch.num_envs, batch.encoding.actions), np.bool_)
        self._nothing: list[dict[str, Any]] = [{} for _ in range(batch.num_envs)]

    def reset(self) -> NDArray[np.float32]:
        """Begin all games."""
        observations, infos = self.batch.reset(seed=self._next_seed)
        self._next_seed = None
        self._gained[:] = 0
        return self._read(observations, infos)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Note the actions."""
        self._chosen[:] = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions."""
        observations, rewards, ended, _, infos = self.batch.step(self._chosen)
        self._gained += rewards
        if ended.any():
            self.returns += self._gained[ended].tolist()
            self._gained[ended] = 0
        scaled: NDArray[np.float32] = ((rewards - USUAL * (self._chosen >= FIRST_ROLL)) / SCALE).astype(np.float32)
        return self._read(observations, infos), scaled, ended, self._nothing

    def masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of all games."""
        return self._masks

    def env_method(self, method_name: str, *_: Any, **__: Any) -> list[Any]:
        """Return the masks, game by game: the only method of games that sb3-contrib calls."""
        assert method_name == "action_masks"
        return list(self._masks)

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the games have an attribute."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:  # noqa: ARG002 (all games are alike)
        """Return an attribute of all games."""
        return [getattr(self.batch, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse to change single games."""
        raise NotImplementedError(attr_name)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:  # noqa: ARG002 (no game is)
        """Return that no game is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()

    def _read(self, observations: NDArray[np.uint8], infos: dict[str, Any]) -> NDArray[np.float32]:
        self._masks[:] = infos["action_mask"]
        return self.features(observations, infos["action_mask"])


class KeepsAndCells(nn.Module):  # type: ignore[misc]  # as above
    """The last layer: a logit for each keep, from the number of dice of each face in it, and one
    for each cell."""

    def __init__(self, inputs: int, cells: int, width: int = 64) -> None:
        super().__init__()
        counts = torch.tensor([keep.counts for keep in KEEPS[:FIRST_ROLL]])
        self.register_buffer("counts", nn.functional.one_hot(counts, DICE).flatten(1).float())
        self.wanted = nn.Linear(inputs, width)
        self.keeps = nn.Sequential(nn.Linear(DICE * len(FACES), width), nn.ReLU(), nn.Linear(width, width))
        self.cells = nn.Linear(inputs, cells)
        self.scale = 1 / math.sqrt(width)

    def forward(self, read: torch.Tensor) -> torch.Tensor:
        """Return the logits of all actions."""
        keeps = self.wanted(read) @ self.keeps(self.counts).T * self.scale
        return torch.cat((keeps, self.cells(read)), dim=1)


class Policy(MaskableActorCriticPolicy):  # type: ignore[misc]  # as above
    """The policy of sb3-contrib with `KeepsAndCells` as its last layer."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = KeepsAndCells(self.mlp_extractor.latent_dim_pi, int(self.action_space.n) - FIRST_ROLL)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


NETWORK: Final[dict[str, Any]] = {"net_arch": [128, 128], "activation_fn": nn.ReLU}
"""What the policy is made with."""


def save(model: MaskablePPO, file: Path) -> None:
    """Write the weights of the network."""
    torch.save(model.policy.state_dict(), file)


def load(file: Path, encoding: Encoding) -> Policy:
    """Return the policy of a file that `save` has written, for the same columns."""
    policy = Policy(*spaces(encoding, Features(encoding)), lambda _: 0.0, **NETWORK)
    policy.load_state_dict(torch.load(file, weights_only=True))
    return policy


class Budget(BaseCallback):  # type: ignore[misc]  # as above
    """CPU time: the learning rate and the weight of the entropy fall to zero with it, and the
    training ends."""

    def __init__(self, games: PlayedTogether, seconds: float) -> None:
        super().__init__()
        self._games = games
        self._seconds = seconds
        self._begun = time.process_time()
        self._printed = 0.0

    def left(self) -> float:
        """Return the part of the time that is left, from 1 to 0."""
        return max(0.0, 1 - (time.process_time() - self._begun) / self._seconds)

    def learning_rate(self, _progress: float) -> float:
        """Return the present learning rate."""
        return LEARNING_RATE * max(0.01, self.left())

    def _on_rollout_start(self) -> None:
        self.model.ent_coef = ENTROPY * self.left()

    def _on_step(self) -> bool:
        used = time.process_time() - self._begun
        if used >= self._printed + 30:
            self._printed = used
            mean = np.mean(self._games.returns[-2000:] or [0.0])
            print(f"{used:4.0f} s: {self.num_timesteps:,} decisions, mean of the last games {mean:.1f}", flush=True)
        return used < self._seconds


class Measured(NamedTuple):
    """The mean of some games and half of its 95 % interval."""

    mean: float
    half: float
    games: int


def train(columns: str, minutes: float, seed: int, reward: str = "luck-adjusted") -> MaskablePPO:
    """Return a model that was trained for so many CPU minutes."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # rounding alone can fail it
    games = PlayedTogether(YammBatch(GAMES, columns, reward=reward, copy=False), seed)
    budget = Budget(games, 60 * minutes)
    model = MaskablePPO(
        Policy,
        games,
        learning_rate=budget.learning_rate,
        n_steps=STEPS,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=ENTROPY,
        policy_kwargs=NETWORK,
        seed=seed,
    )
    return model.learn(10**12, callback=budget)


def evaluate(model: MaskablePPO, columns: str, games: int, seed: int) -> Measured:
    """Play games by the most likely actions.

    The luck of the dice is subtracted, which leaves the mean as it is (docs/environments.md).
    """
    together = PlayedTogether(YammBatch(min(1000, games), columns, reward="luck-adjusted", copy=False), seed)
    read = together.reset()
    while len(together.returns) < games:
        actions, _ = model.predict(read, deterministic=True, action_masks=together.masks())
        together.step_async(actions)
        read, _, _, _ = together.step_wait()
    returns = np.array(together.returns[:games])  # all games of a sheet are equally long
    return Measured(float(returns.mean()), float(1.96 * returns.std(ddof=1) / math.sqrt(games)), games)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, evaluate, and print the distance to the optimum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", default="d1,d2,u1")
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU minutes of training")
    parser.add_argument("--reward", default="luck-adjusted", choices=("luck-adjusted", "points"))
    parser.add_argument("--games", type=int, default=EVALUATED, help="games of the trained policy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the network")
    given = parser.parse_args(arguments)
    begun = time.process_time()
    model = train(given.columns, given.minutes, given.seed, given.reward)
    used = time.process_time() - begun
    if given.save:
        save(model, given.save)
    found = evaluate(model, given.columns, given.games, given.seed + 1)
    print(f"{given.columns}, {given.reward}: {found.mean:.1f} ± {found.half:.1f} points after {used / 60:.1f} CPU minutes")
    if given.columns.count(",") < MOST_SOLVED:
        optimum = solve_once(yamm_sheet(given.columns)).value
        print(f"exact optimum {optimum:.3f}: {optimum - found.mean:.1f} points more; {found.mean / optimum:.1%} reached")


if __name__ == "__main__":
    main()
