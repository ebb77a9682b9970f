"""The level `random`, which plays any allowed action of any game."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, cast

from dicecup import yamm
from dicecup.core.dice import DICE, Keep, from_faces
from dicecup.core.game import Action, Position
from dicecup.core.turn import THROWS, Turn
from dicecup.players.player import random_for

EVEN: Final = 0.5
"""The probability that a die is kept in Yamm."""


class RandomPlayer:
    """A player whose choice depends on `seed` and the position alone.

    Every action is equally likely, except in games with an entry in `CHOOSE`.
    """

    def __init__(self, seed: str = "") -> None:
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`."""
        choose = CHOOSE.get(position.game.name, _choose_uniformly)
        return cast(Action, choose(position, random_for(self.seed, position)))


def _choose_uniformly(position: Position, random: Random) -> Action:
    """Return an action of any game. All are equally likely."""
    return random.choice(position.actions)


def choose_in_yamm(position: yamm.Position, random: Random) -> yamm.Action:
    """Return a random action of Yamm.

    Until the third throw each die that is not locked is kept with probability 1/2. If that keeps
    all dice, and after the third throw, a random open cell is written.

    If all actions were equally likely, most turns would end after the first throw, because a
    position has up to 99 open cells and at most 31 keeps.
    """
    turn = cast(Turn, position.turn)
    if turn.throws < THROWS:
        free = list(turn.dice.faces)
        for locked in turn.locked.faces:
            free.remove(locked)
        kept = from_faces([*turn.locked.faces, *(face for face in free if random.random() < EVEN)])
        if kept.count < DICE:
            return yamm.KeepDice(Keep(kept))
    sheet = position.sheets[cast(int, position.sheet)]
    return yamm.Write(random.choice(list(sheet.open_cells)))


CHOOSE: Final[Mapping[str, Callable[[Any, Random], Any]]] = {"yamm": choose_in_yamm}
"""Name of a game → the function that makes its random choice."""
