"""A trained policy as a player: for `dicecup match`, `dicecup engine --agent` and tables on a
server (docs/environments.md)."""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Action, Position
from dicecup.envs.arrays import Arrays
from dicecup.envs.encoding import Encoding
from dicecup.envs.process import Situation, situation_of
from dicecup.yamm import Position as YammPosition
from dicecup.yamm import Yamm

Policy: TypeAlias = Callable[[NDArray[Any], NDArray[np.bool_]], Any]
"""A function from an observation and the mask of the allowed actions to the index of an action."""


class PolicyPlayer:
    """A player that asks a policy for each decision.

    `encoding` is that of the environment in which the policy was trained, and `dtype` the type of
    its observations. A policy that was trained on a sheet alone plays the own sheet in games with
    several, and corrects nothing.
    """

    def __init__(self, policy: Policy, encoding: Encoding, dtype: str = "float32") -> None:
        self.policy = policy
        self.encoding = encoding
        self._arrays = Arrays(encoding, dtype)

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`.

        Raises `GameError` (`option-value`) for a position of another game than that of the
        encoding, `EnvsError` (`not-an-index`), and `ActionError` for an index that is not allowed.
        """
        action = self._chosen(Situation(self._as_trained(position)), cast(int, position.player))
        return cast(Action, action)

    def correct(self, position: Position, side: int) -> Action | None:
        """Return a correction of the result that is about to become final, or `None`. Raises as
        `choose`."""
        if self._plays_alone(position):
            return None
        situation = situation_of(self._as_trained(position))
        if not situation.asks or position.game.side_of_player(cast(int, situation.player)) != side:
            return None
        return self._chosen(situation, cast(int, situation.player))

    def _chosen(self, situation: Situation, player: int) -> Action | None:
        """Return the action of the policy, `None` for a result that stands."""
        encoding = self.encoding
        observed = self._arrays.observation(encoding.observe(situation, player))
        mask = self._arrays.mask(encoding.legal(situation)).astype(np.bool_)
        action = encoding.action(situation, encoding.checked(self.policy(observed, mask)))
        situation.play(action)
        return action

    def _plays_alone(self, position: Position) -> bool:
        """Return whether the policy sees only the own sheet of this game."""
        return self.encoding.game.sides == 1 < position.game.sides

    def _as_trained(self, position: Position) -> Position:
        """Return the position as the policy was trained to see it."""
        alone = self.encoding.game
        if position.game == alone:
            return position
        if isinstance(position, YammPosition) and isinstance(alone, Yamm) and self._plays_alone(position):
            sheet = position.sheets[cast(int, position.sheet)]
            own = YammPosition(alone, (sheet,), (None,), position.turn, sheet.written + 1)
            if (sheet.spec, position.game.options.kept_dice) == (alone.sheet, alone.options.kept_dice):
                return own
        raise GameError(TextCode.OPTION_VALUE, option="game", value=position.game.id)
