"""A network of `train_ppo` as an agent, in a match and at a table on a server.

    python -m examples.train_ppo --columns d1,d2,d3,u1,u2,u3,f1,f2,f3 --save ppo.pt
    dicecup match yamm --players greedy examples.ppo_agent:make --games 100
    dicecup bridge --engine "dicecup engine --agent examples.ppo_agent:make" --join LINK

The file is `ppo.pt` in the folder where you are, or the one that DICECUP_EXAMPLE_PPO names. The
network plays its own sheet alone and looks at no other one.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray

from dicecup.envs.options import yamm_encoding
from dicecup.envs.player import Policy, PolicyPlayer
from examples.train_ppo import Features, load


@cache
def policy() -> Policy:
    """Return the most likely action of the network."""
    torch.set_num_threads(1)
    encoding = yamm_encoding(players=1)
    network, features = load(Path(os.environ.get("DICECUP_EXAMPLE_PPO", "ppo.pt")), encoding), Features(encoding)

    def choose(observation: NDArray[Any], mask: NDArray[Any]) -> Any:
        read = features(observation[None], mask[None])
        return network.predict(read, deterministic=True, action_masks=mask[None])[0][0]

    return choose


def make(_seed: str) -> PolicyPlayer:
    """Return an agent for one game. Its choices do not depend on the seed."""
    return PolicyPlayer(policy(), yamm_encoding(players=1), "uint8")
