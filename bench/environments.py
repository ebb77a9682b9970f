"""Decisions per second of random play through the three interfaces, and the spread of returns with
and without the luck of the dice.
"""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel

import dicecup.envs.openspiel
from dicecup.envs.pettingzoo import yam_master, yamm
from dicecup.players import create

SECONDS = 4.0
"""CPU time of each rate."""
SPREADS = (
    ("Dicecup/Yamm-v0", "greedy", "points", 200),
    ("Dicecup/Yamm-v0", "expert", "points", 200),
    ("Dicecup/YamMaster-v0", "expert", "result", 1000),
)
"""Environment, level that plays, reward, and the number of episodes."""


def gymnasium_episode(env: Any, chance: random.Random) -> int:
    """Play an episode at random and return the number of decisions."""
    _, info = env.reset(seed=chance.randrange(2**31))
    for decision in range(1, 10**9):
        _, _, terminated, truncated, info = env.step(chance.choice(np.flatnonzero(info["action_mask"]).tolist()))
        if terminated or truncated:
            return decision
    raise AssertionError


def pettingzoo_episode(env: Any, chance: random.Random) -> int:
    """Play an episode at random and return the number of decisions."""
    env.reset(seed=chance.randrange(2**31))
    decisions = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        decisions += not over
        env.step(None if over else chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return decisions


def openspiel_episode(game: Any, chance: random.Random) -> int:
    """Play an episode at random, with an observation at each decision, and return the number of
    decisions."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            decisions += 1
            state.observation_tensor()
        state.apply_action(chance.choice(state.legal_actions()))
    return decisions


def rate(play: Callable[[Any, random.Random], int], env: Any) -> float:
    """Return the decisions per CPU second."""
    chance = random.Random(1)
    play(env, chance)
    decisions, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        decisions += play(env, chance)
    return decisions / spent


def returns(name: str, level: str, reward: str, episodes: int) -> list[float]:
    """Return the returns of episodes in which a level plays."""
    env: Any = gymnasium.make(name, reward=reward).unwrapped
    player, found = create(level), []
    for seed in range(episodes):
        env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, gained, terminated, truncated, _ = env.step(env.encoding.index(player.choose(env.position)))
            total, over = total + float(gained), terminated or truncated
        found.append(total)
    return found


def main() -> None:
    """Print the rates and the spreads."""
    environments: list[tuple[str, Callable[[Any, random.Random], int], Any]] = [
        ("Gymnasium, Yamm", gymnasium_episode, gymnasium.make("Dicecup/Yamm-v0").unwrapped),
        (
            "Gymnasium, Yam Master against random",
            gymnasium_episode,
            gymnasium.make("Dicecup/YamMaster-v0", opponent="random").unwrapped,
        ),
        ("PettingZoo, Yamm for two", pettingzoo_episode, yamm()),
        ("PettingZoo, Yam Master", pettingzoo_episode, yam_master()),
        *((f"OpenSpiel, {name}", openspiel_episode, pyspiel.load_game(name)) for name in dicecup.envs.openspiel.NAMES),
    ]
    for label, play, env in environments:
        print(f"{label:40}{rate(play, env):>8,.0f} decisions per CPU second", flush=True)
    for name, level, plain, episodes in SPREADS:
        raw, adjusted = returns(name, level, plain, episodes), returns(name, level, "luck-adjusted", episodes)
        print(
            f"{name} {level:8}{plain} {statistics.fmean(raw):.3f} sd {statistics.stdev(raw):.3f}, "
            f"luck-adjusted {statistics.fmean(adjusted):.3f} sd {statistics.stdev(adjusted):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
