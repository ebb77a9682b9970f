"""Thousands of games side by side in compiled kernels, as vector environments of Gymnasium.

`YammBatch` plays one sheet in each game. `YamMasterBatch` plays both sides: each step is an action
of the side to move, which sees and is paid. Actions and observations are those of the single
environments (docs/environments.md).
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL
from dicecup.core.errors import GameError, TextCode
from dicecup.engine.stepping.mask_kernel import draw
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.engine.yam_master.stepping import games as yam_master_games
from dicecup.engine.yam_master.stepping import step_kernel as yam_master_steps
from dicecup.engine.yamm.evaluation.play_kernel import workspace
from dicecup.engine.yamm.evaluation.turn_kernel import COUNT
from dicecup.engine.yamm.stepping import games as yamm_games
from dicecup.engine.yamm.stepping import luck_kernel
from dicecup.engine.yamm.stepping import step_kernel as yamm_steps
from dicecup.envs.arrays import Arrays, pickled, unpickled
from dicecup.envs.encoding import Encoding
from dicecup.envs.episode import DEFAULT_CAP
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.options import ALL_COLUMNS, chosen, yam_master_encoding, yamm_encoding
from dicecup.envs.rewards import RewardKind
from dicecup.players import yamm as yamm_players

SEEDS: Final = 2**63
Masks = NDArray[np.uint8]


class Batch(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """What both batches share.

    A game that ends begins anew in the same step: `infos["final_obs"]` holds the last observations,
    in the rows that `infos["_final_obs"]` marks. `infos["action_mask"]` (games, actions) has 1 for
    each legal action. The dice of a game depend on the seed, the number of the game and the turn
    alone; game `i` has the number `i`, and the next one in its place `i + num_envs`.

    `dtype`: `uint8` (the bytes) or `float32` (each byte divided by its highest value). With
    `copy=False` the arrays are the same in every step, and each step overwrites them; a caller must
    not write to them. NumPy and DLPack (`torch.from_dlpack(observations)`) share their memory.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]  # Gymnasium reads it of the class

    def __init__(self, encoding: Encoding, num_envs: int, dtype: str, *, copy: bool) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise GameError(TextCode.OPTION_VALUE, option="num_envs", value=num_envs)
        self.encoding = encoding
        self.num_envs = num_envs
        self.copy = copy
        self._arrays = Arrays(encoding, dtype)
        high = self._arrays.high
        self.single_observation_space = Box(np.zeros_like(high), high, dtype=high.dtype.type)
        self.single_action_space = Discrete(encoding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seed = -1
        self._drawn = 0
        self._actions = np.zeros(num_envs, np.int64)
        self._divided = np.empty((num_envs, len(high)) if dtype == "float32" else 0, np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin all games, or those that `options["reset_mask"]` marks with `True`.

        Without a seed the random numbers go on where they are. Raises `EnvsError` (`not-reset`) for
        a mask before the first reset.
        """
        super().reset(seed=seed, options=options)
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            if self._seed < 0:
                raise EnvsError(EnvsCode.NOT_RESET)
            which = np.array(options["reset_mask"], np.bool_).reshape(self.num_envs)
        if seed is not None or self._seed < 0:
            self._seed = int(self.np_random.integers(SEEDS))
            self._drawn = 0
            self._numbers[:] = np.arange(self.num_envs)
        else:
            self._numbers[which] += self.num_envs
        self._begin(which)
        return self._observed(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action in each game.

        Raises `EnvsError`: `not-reset`, `not-an-index` for actions that are no integers or not one
        for each game, `illegal-action` for the first action that the rules of its game do not
        allow. Nothing has changed then.
        """
        if self._seed < 0:
            raise EnvsError(EnvsCode.NOT_RESET)
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise EnvsError(EnvsCode.NOT_AN_INDEX, index=f"{given.dtype} {given.shape}", actions=self.encoding.actions)
        self._actions[:] = given
        refused = self._step(self._actions)
        if refused >= 0:
            index = int(self._actions[refused])
            text = self.encoding.texts[self.encoding.checked(index)]
            raise EnvsError(EnvsCode.ILLEGAL_ACTION, game=refused, index=index, action=text)
        rewards, terminated, truncated = self._answers.rewards.copy(), self._answers.over.copy(), self._cut().copy()
        ended = terminated | truncated
        info: dict[str, Any] = {}
        if ended.any():
            info = {"final_obs": self._observed().copy(), "_final_obs": ended}
            self._numbers[ended] += self.num_envs
            self._begin(ended)
        return self._observed(), rewards, terminated, truncated, info | self._info()

    def sample(self) -> NDArray[np.int64]:
        """Return a legal action for each game, all equally likely. Raises `EnvsError`
        (`not-reset`)."""
        if self._seed < 0:
            raise EnvsError(EnvsCode.NOT_RESET)
        actions = np.empty(self.num_envs, np.int64)
        draw(self._answers.masks, self._seed, self._drawn, actions)
        self._drawn += 1
        return actions

    def _observed(self) -> NDArray[Any]:
        """Return the present observations in the type that was asked for."""
        observations: NDArray[Any] = self._answers.observations
        if len(self._divided):
            np.divide(observations, self._arrays.highs, out=self._divided, dtype=np.float32)
            observations = self._divided
        return self._given(observations)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._given(self._answers.masks)}

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    # --- What the games differ in -----------------------------------------------------------------

    @property
    @abstractmethod
    def _answers(self) -> Any:
        """The arrays that the kernels write."""

    @property
    @abstractmethod
    def _numbers(self) -> NDArray[np.int64]:
        """The numbers of the games, for their dice."""

    @abstractmethod
    def _cut(self) -> NDArray[np.bool_]:
        """Return which games were stopped after too many turns."""

    @abstractmethod
    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Begin these games."""

    @abstractmethod
    def _step(self, actions: NDArray[np.int64]) -> int:
        """Play the actions and return -1, or the first game whose action is illegal."""

    def __getstate__(self) -> dict[str, Any]:
        return pickled(self.__dict__)

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(unpickled(state))


class YammBatch(Batch):
    """Many sheets of Yamm, each played alone for points.

    `columns` and `kept_dice` as in `YammEnv`. `reward`: `points` or `luck-adjusted`. Raises
    `GameError` for arguments that do not exist, `EngineError` (`not-a-shape`) for columns that the
    printed sheet does not have, and `TablesError` where `luck-adjusted` finds no tables.
    """

    def __init__(
        self,
        num_envs: int = 1,
        columns: str | Iterable[str] = ALL_COLUMNS,
        *,
        kept_dice: str = "free",
        reward: str = RewardKind.POINTS,
        dtype: str = "uint8",
        copy: bool = True,
    ) -> None:
        encoding = yamm_encoding(columns, players=1, kept_dice=kept_dice)
        super().__init__(encoding, num_envs, dtype, copy=copy)
        self.reward = chosen("reward", reward, (RewardKind.POINTS, RewardKind.LUCK_ADJUSTED))
        self._sheet = yamm_games.sheet_of(encoding.game)
        self._games = yamm_games.new_games(self._sheet, num_envs)
        self._written = yamm_games.new_answers(num_envs, self._sheet.size, self._sheet.actions)
        self._luck = _Luck(self._sheet, self._games) if reward == RewardKind.LUCK_ADJUSTED else None
        self._unpaid = np.zeros(num_envs, np.float32)

    @property
    def _answers(self) -> yamm_games.Answers:
        return self._written

    @property
    def _numbers(self) -> NDArray[np.int64]:
        return self._games.number

    def _cut(self) -> NDArray[np.bool_]:
        return np.zeros(self.num_envs, np.bool_)

    def _begin(self, which: NDArray[np.bool_]) -> None:
        yamm_steps.begin(self._sheet, self._games, which, self._seed, self._written)
        if self._luck is not None:
            self._unpaid[which] = -self._luck.of(self._actions, which)[which]

    def _step(self, actions: NDArray[np.int64]) -> int:
        refused = int(yamm_steps.step(self._sheet, self._games, actions, self._seed, self._written))
        if refused < 0 and self._luck is not None:
            self._written.rewards[:] += self._unpaid - self._luck.of(actions, ~self._written.over)
            self._unpaid[:] = 0
        return refused


class _Luck:
    """The luck of throws by the shipped tables. Raises `TablesError`."""

    def __init__(self, sheet: yamm_games.Sheet, games: yamm_games.Games) -> None:
        count = len(games.roll)
        self._sheet = sheet
        self._games = games
        yamm_players.table()  # reports what is missing now, not at the first throw
        self._turns = luck_kernel.Turns(
            np.zeros(count, np.float32), np.zeros((count, 2 * FIRST_ROLL), np.float32), np.zeros((count, 2 * COUNT), np.float32)
        )
        self._margins = np.zeros(1, np.float32)

    def of(self, actions: NDArray[np.int64], which: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the luck of the last throw of these games, 0 for the others. `actions`: the last
        ones."""
        luck, arrays = np.zeros(len(which), np.float32), workspace(1)
        evaluation = yamm_players.table().evaluation  # not pickled: it is large, and cached
        luck_kernel.measure(self._sheet, evaluation, self._games, actions, which, self._margins, self._turns, luck, arrays)
        return luck


class YamMasterBatch(Batch):
    """Many games of Yam Master, in which the agent plays both sides.

    The observation and the mask are those of the side to move; `infos["player"]` is 0 for x and 1
    for o. The reward is that of the side that acted: 1, 0 or -1 at the end of the game, else 0.
    `max_turns`: the turns after which a game is truncated. The rule options are those of
    `YamMasterEnv`. Raises `GameError` for arguments that do not exist.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        kept_dice: str = "free",
        failed_defi: str = "turn_lost",
        captured: str = "returned",
        end: str = "at_once",
        max_turns: int = DEFAULT_CAP,
        dtype: str = "uint8",
        copy: bool = True,
    ) -> None:
        if type(max_turns) is not int or max_turns < 1:
            raise GameError(TextCode.OPTION_VALUE, option="max_turns", value=max_turns)
        encoding = yam_master_encoding(kept_dice=kept_dice, failed_defi=failed_defi, captured=captured, end=end)
        super().__init__(encoding, num_envs, dtype, copy=copy)
        self.max_turns = max_turns
        self._rules = rules_of(encoding.game)
        self._start = pack(encoding.game.start())
        self._games = yam_master_games.new_games(encoding.game, num_envs)
        self._written = yam_master_games.new_answers(self._rules, num_envs)

    @property
    def _answers(self) -> yam_master_games.Answers:
        return self._written

    @property
    def _numbers(self) -> NDArray[np.int64]:
        return self._games.number

    def _cut(self) -> NDArray[np.bool_]:
        return self._written.cut

    def _begin(self, which: NDArray[np.bool_]) -> None:
        yam_master_steps.begin(self._rules, self._start, self._games, which, self._seed, self._written)

    def _step(self, actions: NDArray[np.int64]) -> int:
        return int(yam_master_steps.step(self._rules, self._games, actions, self._seed, self.max_turns, self._written))

    def _info(self) -> dict[str, Any]:
        return super()._info() | {"player": self._games.turn % 2}
