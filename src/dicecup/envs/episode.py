"""One episode: a situation that moves from decision to decision, and the rewards on the way.

The adapters of Gymnasium and PettingZoo stand on it. Dice come from a function that the caller
hands in.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from dicecup.core.errors import GameError, TextCode
from dicecup.envs.encoding import Encoding
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.process import Kind, Situation, ordered_throws, start, throw_at
from dicecup.envs.rewards import Rewards

Draw: TypeAlias = Callable[[int], int]
"""A function that returns an integer from 0 up to, but not including, its argument, each equally
likely."""
DEFAULT_CAP: Final = 1000
"""The turns after which a game that rules do not end is stopped, as in the arena."""


class Episode:
    """A game that is being played.

    `cap`: the number of turns after which the episode is truncated. Raises `GameError`
    (`option-value`) for a cap below 1.
    """

    def __init__(self, encoding: Encoding, rewards: Rewards, cap: int) -> None:
        if type(cap) is not int or cap < 1:
            raise GameError(TextCode.OPTION_VALUE, option="max_turns", value=cap)
        self.encoding = encoding
        self.rewards = rewards
        self.cap = cap
        self._situation: Situation | None = None
        self._unpaid = [0.0] * encoding.game.sides

    @property
    def situation(self) -> Situation:
        """Return the present situation. Raises `EnvsError` (`not-reset`)."""
        if self._situation is None:
            raise EnvsError(EnvsCode.NOT_RESET)
        return self._situation

    @property
    def terminated(self) -> bool:
        """Return whether the rules have ended the game."""
        return self.situation.position.turn is None

    @property
    def truncated(self) -> bool:
        """Return whether the game was stopped after `cap` turns."""
        position = self.situation.position
        return position.number > self.cap and position.turn is not None

    @property
    def over(self) -> bool:
        """Return whether no action is possible any more."""
        return self.terminated or self.truncated

    @property
    def player(self) -> int | None:
        """Return the player who decides now, `None` after the end."""
        return None if self.truncated else self.situation.player

    def begin(self, draw: Draw) -> None:
        """Begin a new game and throw its first dice."""
        self._situation = start(self.encoding.game)
        self._unpaid = [0.0] * self.encoding.game.sides
        self._throw(draw)

    def step(self, index: object, draw: Draw) -> None:
        """Play the action of an index, and throw the dice that are due then.

        Raises `EnvsError` (`episode-over`, `not-an-index`), and `ActionError` for an action that is
        not allowed. Nothing has changed then.
        """
        situation = self.situation
        if self.over:
            raise EnvsError(EnvsCode.EPISODE_OVER)
        action = self.encoding.action(situation, self.encoding.checked(index))
        after = situation.play(action)
        self._add(self.rewards.played(situation.position, after.position))
        self._situation = after
        self._throw(draw)

    def paid(self) -> tuple[float, ...]:
        """Return the rewards of all sides since the last call."""
        paid = tuple(self._unpaid)
        self._unpaid = [0.0] * len(paid)
        return paid

    def legal(self) -> list[int]:
        """Return the indexes of all allowed actions; none after the end."""
        return [] if self.over else self.encoding.legal(self.situation)

    def _throw(self, draw: Draw) -> None:
        """Throw the dice that are due, unless the episode is over."""
        while self.situation.kind is Kind.CHANCE and not self.over:
            before = self.situation
            shown = throw_at(before.chances, draw(ordered_throws(before.position)))
            self._situation = before.roll_unchecked(shown)
            self._add(self.rewards.threw(before.position, self.situation.position))

    def _add(self, rewards: tuple[float, ...]) -> None:
        self._unpaid = [old + new for old, new in zip(self._unpaid, rewards, strict=True)]
