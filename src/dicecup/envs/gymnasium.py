"""Gymnasium environments: `Dicecup/Yamm-v0` and `Dicecup/YamMaster-v0` (docs/environments.md)."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, SupportsFloat, cast

import numpy as np
from gymnasium import Env, Wrapper
from gymnasium.spaces import Box, Discrete
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from dicecup.core.errors import ActionError
from dicecup.core.game import Position
from dicecup.envs.arrays import Arrays, pickled, unpickled
from dicecup.envs.encoding import Encoding
from dicecup.envs.episode import DEFAULT_CAP, Episode
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.options import ALL_COLUMNS, check_level, chosen, yam_master_encoding, yamm_encoding
from dicecup.envs.rewards import Rewards
from dicecup.players import Player, create

RENDER_MODES: Final = ("ansi",)
SEATS: Final = ("x", "o")
LOT: Final = "lot"
"""The seat that is drawn anew for each episode."""
OPPONENT_SEEDS: Final = 2**32


class GameEnv(Env[NDArray[Any], np.int64]):
    """What both environments share: one agent, its actions and observations, and the dice.

    `player`: the place in the order of play that the agent takes.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # type: ignore[misc]  # Gymnasium reads it of the class

    def __init__(
        self, encoding: Encoding, reward: str, dtype: str, cap: int, *, require_seed: bool, render_mode: str | None
    ) -> None:
        self.render_mode = chosen("render_mode", render_mode, (None, *RENDER_MODES))
        self.require_seed = require_seed
        self.encoding = encoding
        self.player = 0
        self._arrays = Arrays(encoding, dtype)
        self._episode = Episode(encoding, Rewards(encoding.game, reward), cap)
        high = self._arrays.high
        self.observation_space = Box(np.zeros_like(high), high, dtype=high.dtype.type)
        self.action_space = Discrete(encoding.actions)

    @property
    def position(self) -> Position:
        """Return the present position. Raises `EnvsError` (`not-reset`)."""
        return self._episode.situation.position

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode with its first throw.

        Without a seed the random numbers go on where they are; the first time the system's
        randomness gives a seed, which `np_random_seed` returns. Raises `EnvsError` (`no-seed`)
        instead with `require_seed`.
        """
        if self.require_seed and seed is None and self._np_random is None:
            raise EnvsError(EnvsCode.NO_SEED)
        super().reset(seed=seed, options=options)
        self._begin()
        self._episode.begin(self._draw)
        self._answer()
        return self.present()

    def step(self, action: Any) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Play the action of an index, and everything up to the agent's next decision.

        Raises `EnvsError` (`not-reset`, `episode-over`, `not-an-index`), and `ActionError` for an
        action that the rules do not allow. Nothing has changed then.
        """
        self._episode.step(action, self._draw)
        self._answer()
        reward = self._episode.paid()[self.encoding.game.side_of_player(self.player)]
        observation, info = self.present()
        return observation, reward, self._episode.terminated, self._episode.truncated, info

    def present(self) -> tuple[NDArray[Any], dict[str, Any]]:
        """Return a new observation and a new `info` of the present position. Raises `EnvsError`
        (`not-reset`)."""
        observed = self.encoding.observe(self._episode.situation, self.player)
        return self._arrays.observation(observed), {"action_mask": self._arrays.mask(self._episode.legal())}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are allowed now, as sb3-contrib asks for it.

        Raises `EnvsError` (`not-reset`).
        """
        return self._arrays.mask(self._episode.legal()).astype(np.bool_)

    def render(self) -> str | None:
        """Return the position as lines of text (`ansi`). Raises `EnvsError` (`not-reset`)."""
        return self.encoding.render(self._episode.situation) if self.render_mode == "ansi" else None

    def _begin(self) -> None:
        """Prepare an episode."""

    def _answer(self) -> None:
        """Play until the agent decides."""

    def _draw(self, count: int) -> int:
        return int(self.np_random.integers(count))

    def __getstate__(self) -> dict[str, Any]:
        return pickled(self.__dict__)

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(unpickled(state))


class YammEnv(GameEnv):
    """One sheet of Yamm, played alone for points.

    `columns`: the columns from the left, as `"d1,u1,f1"` or a list; default: all nine. `kept_dice`:
    the rule option. `reward`: `points` as they are written, `result` (the total at the end), or
    `luck-adjusted`. `dtype`: `float32` (from 0 to 1) or `uint8`. `require_seed`: refuse a first
    reset without a seed.

    Raises `GameError` for arguments that do not exist.
    """

    def __init__(
        self,
        columns: str | Iterable[str] = ALL_COLUMNS,
        *,
        kept_dice: str = "free",
        reward: str = "points",
        dtype: str = "float32",
        require_seed: bool = False,
        render_mode: str | None = None,
    ) -> None:
        encoding = yamm_encoding(columns, players=1, kept_dice=kept_dice)
        super().__init__(encoding, reward, dtype, encoding.game.turns, require_seed=require_seed, render_mode=render_mode)


class YamMasterEnv(GameEnv):
    """Yam Master against a computer, which plays inside `reset` and `step`.

    `opponent`: its level. `seat`: `x` (the agent begins), `o`, or `lot`, drawn for each episode.
    `kept_dice`, `failed_defi`, `captured`, `end`: the rule options. `reward`: `result` (1, 0 or -1
    at the end), `points` (of the agent less those of the opponent), or `luck-adjusted`.
    `max_turns`: the turns after which an episode is truncated. `dtype` and `require_seed` as in
    `YammEnv`.

    Raises `GameError` for arguments that do not exist.
    """

    def __init__(
        self,
        opponent: str = "greedy",
        *,
        seat: str = LOT,
        kept_dice: str = "free",
        failed_defi: str = "turn_lost",
        captured: str = "returned",
        end: str = "at_once",
        reward: str = "result",
        max_turns: int = DEFAULT_CAP,
        dtype: str = "float32",
        require_seed: bool = False,
        render_mode: str | None = None,
    ) -> None:
        encoding = yam_master_encoding(kept_dice=kept_dice, failed_defi=failed_defi, captured=captured, end=end)
        super().__init__(encoding, reward, dtype, max_turns, require_seed=require_seed, render_mode=render_mode)
        self.opponent = check_level(encoding, opponent)
        self.seat = chosen("seat", seat, (*SEATS, LOT))
        self._opponent_seed = ""
        self._computer: Player | None = None

    def _begin(self) -> None:
        self.player = SEATS.index(self.seat) if self.seat != LOT else self._draw(len(SEATS))
        self._opponent_seed = str(self._draw(OPPONENT_SEEDS))
        self._computer = None

    def _answer(self) -> None:
        """Let the opponent play until the agent decides. Raises `TablesError`."""
        while not self._episode.over and self._episode.player != self.player:
            if self._computer is None:
                self._computer = create(self.opponent, self._opponent_seed)
            action = self._computer.choose(self.position)
            self._episode.step(self.encoding.index(cast(Any, action)), self._draw)

    def __getstate__(self) -> dict[str, Any]:
        return pickled(self.__dict__ | {"_computer": None})  # it is created anew from its seed


class PunishIllegal(Wrapper[NDArray[Any], np.int64, NDArray[Any], np.int64], RecordConstructorArgs):
    """A wrapper that answers an illegal action with a penalty and the unchanged position.

    An index outside the action index and a step after the end still raise. `penalty`: the reward of
    an illegal action. `info["illegal_action"]` is the code of the refusal.
    """

    def __init__(self, env: Env[NDArray[Any], np.int64], penalty: float = -1.0) -> None:
        RecordConstructorArgs.__init__(self, penalty=penalty)
        Wrapper.__init__(self, env)
        self.penalty = float(penalty)

    def step(self, action: Any) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Play an action, or return the penalty for an illegal one."""
        try:
            return self.env.step(action)
        except ActionError as error:
            observation, info = cast(GameEnv, self.unwrapped).present()
            return observation, self.penalty, False, False, info | {"illegal_action": str(error.code)}
