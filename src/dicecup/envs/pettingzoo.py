"""PettingZoo environments: `yam_master(**options)` and `yamm(**options)`, in the AEC interface.

An illegal action raises. PettingZoo's own `TerminateIllegalWrapper` ends the game instead
(docs/environments.md).
"""

import sys
from collections.abc import Iterable
from typing import Any, Final

from dicecup.core.game import Position
from dicecup.envs.errors import EnvsCode, EnvsError, MissingPackageError

try:
    from pettingzoo import AECEnv
except ImportError:
    raise MissingPackageError(package="pettingzoo") from None

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray

from dicecup.envs.arrays import Arrays, pickled, unpickled
from dicecup.envs.encoding import Encoding
from dicecup.envs.episode import DEFAULT_CAP, Episode
from dicecup.envs.options import ALL_COLUMNS, chosen, yam_master_encoding, yamm_encoding
from dicecup.envs.rewards import Rewards

RENDER_MODES: Final = ("ansi", "human")


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game between agents, one for each player, in the order of play.

    An observation is a dictionary with `observation` and `action_mask`; the mask of an agent who
    does not decide is empty. `state()` is the observation of the first agent.
    """

    def __init__(
        self, name: str, encoding: Encoding, reward: str, dtype: str, cap: int, *, require_seed: bool, render_mode: str | None
    ) -> None:
        super().__init__()
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.render_mode = chosen("render_mode", render_mode, (None, *RENDER_MODES))
        self.require_seed = require_seed
        self.encoding = encoding
        self._arrays = Arrays(encoding, dtype)
        self._episode = Episode(encoding, Rewards(encoding.game, reward), cap)
        self._random: np.random.Generator | None = None
        self.np_random_seed: int | None = None
        """The seed of the random numbers, also where the system gave it."""
        self.possible_agents = [f"player_{player}" for player in range(encoding.game.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        high = self._arrays.high
        box = Box(np.zeros_like(high), high, dtype=high.dtype.type)
        self.state_space = box
        self.observation_spaces = {
            agent: Dict({"observation": box, "action_mask": Box(0, 1, (encoding.actions,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(encoding.actions) for agent in self.possible_agents}

    @property
    def position(self) -> Position:
        """Return the present position. Raises `EnvsError` (`not-reset`)."""
        return self._episode.situation.position

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations. Raises `EnvsError` (`no-such-agent`)."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions. Raises `EnvsError` (`no-such-agent`)."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 (no option)
        """Begin an episode with its first throw. Raises `EnvsError` (`no-seed`).

        Without a seed the random numbers go on where they are, as in `dicecup.envs.gymnasium`.
        """
        if self.require_seed and seed is None and self._random is None:
            raise EnvsError(EnvsCode.NO_SEED)
        if seed is not None or self._random is None:
            self._random, self.np_random_seed = np_random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._episode.begin(self._draw)
        self._select()

    def step(self, action: Any) -> None:
        """Play the action of an index for the agent who decides; `None` for an agent whose game is
        over.

        Raises `EnvsError` (`not-reset`, `episode-over`, `not-an-index`), and `ActionError` for an
        action that the rules do not allow. Nothing has changed then.
        """
        if not self.agents:
            raise EnvsError(EnvsCode.EPISODE_OVER if self._random is not None else EnvsCode.NOT_RESET)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise EnvsError(EnvsCode.EPISODE_OVER)
            self._was_dead_step(action)
            return
        self._episode.step(action, self._draw)
        self._cumulative_rewards[agent] = 0.0
        paid = self._episode.paid()
        self.rewards = {other: paid[self._side(other)] for other in self.agents}
        self._accumulate_rewards()
        if self._episode.over:
            self.terminations = dict.fromkeys(self.agents, self._episode.terminated)
            self.truncations = dict.fromkeys(self.agents, self._episode.truncated)
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees. Raises `EnvsError` (`no-such-agent`, `not-reset`)."""
        seat = self._seats[self._known(agent)]
        decides = self._episode.situation.player == seat
        observed = self.encoding.observe(self._episode.situation, seat)
        return {
            "observation": self._arrays.observation(observed),
            "action_mask": self._arrays.mask(self._episode.legal() if decides else []),
        }

    def state(self) -> NDArray[Any]:
        """Return the observation of the first agent. Raises `EnvsError` (`not-reset`)."""
        return self._arrays.observation(self.encoding.observe(self._episode.situation, 0))

    def render(self) -> str | None:
        """Return the position as lines of text (`ansi`), or write them to standard output
        (`human`). Raises `EnvsError` (`not-reset`)."""
        shown = self.encoding.render(self._episode.situation)
        if self.render_mode == "human":
            sys.stdout.write(f"{shown}\n")
        return shown if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _select(self) -> None:
        """Select the agent who decides; at the end the first one."""
        self.agent_selection = self.agents[self._episode.player or 0]

    def _side(self, agent: str) -> int:
        return self.encoding.game.side_of_player(self._seats[agent])

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            raise EnvsError(EnvsCode.NO_SUCH_AGENT, agent=agent)
        return agent

    def _draw(self, count: int) -> int:
        assert self._random is not None
        return int(self._random.integers(count))

    def __getstate__(self) -> dict[str, Any]:
        return pickled(self.__dict__)

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(unpickled(state))


def yam_master(
    *,
    reward: str = "result",
    max_turns: int = DEFAULT_CAP,
    dtype: str = "float32",
    require_seed: bool = False,
    render_mode: str | None = None,
    **options: Any,
) -> GameEnv:
    """Return an environment of Yam Master: agent `player_0` is x, `player_1` is o.

    `options`: the rule options, by their names in game ids. `max_turns`: the turns after which an
    episode is truncated. `reward`, `dtype` and `require_seed` as in `dicecup.envs.gymnasium`.

    Raises `GameError` for arguments that do not exist.
    """
    encoding = yam_master_encoding(**options)
    return GameEnv(
        "dicecup_yam_master_v0", encoding, reward, dtype, max_turns, require_seed=require_seed, render_mode=render_mode
    )


def yamm(
    columns: str | Iterable[str] = ALL_COLUMNS,
    *,
    reward: str = "result",
    max_turns: int | None = None,
    dtype: str = "float32",
    require_seed: bool = False,
    render_mode: str | None = None,
    **options: Any,
) -> GameEnv:
    """Return an environment of Yamm with one agent for each player, also in pairs.

    `columns`: the columns of each sheet. `options`: `players`, `kept_dice` and `pairs`. `max_turns`
    stops a game early; by default it is played to its end. The others as in `yam_master`. The
    rewards of a pair go to both of its agents.

    Raises `GameError` for arguments that do not exist.
    """
    encoding = yamm_encoding(columns, **options)
    cap = encoding.game.turns if max_turns is None else max_turns
    return GameEnv("dicecup_yamm_v0", encoding, reward, dtype, cap, require_seed=require_seed, render_mode=render_mode)
