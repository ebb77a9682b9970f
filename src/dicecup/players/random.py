"""Plays anything that is allowed.

Yam Master: every action is equally likely. Yamm: of the dice each is kept or thrown again with even chances, up to the third throw;
whoever would keep them all writes, and any open cell is equally likely.
"""

from random import Random
from typing import Final, cast

from dicecup import yamm
from dicecup.core.dice import DICE, Keep, from_faces
from dicecup.core.turn import THROWS, Turn
from dicecup.games import Action, Position

EVEN: Final = 0.5
"""The chance of each die to be kept in Yamm."""


class RandomPlayer:
    """The choice follows from `seed` and the position alone, so a game that is continued goes on as it would have."""

    def __init__(self, seed: str = "") -> None:
        self.seed = seed

    def choose(self, position: Position) -> Action:
        """Any of `position.actions`."""
        draw = Random(f"{self.seed}|{position}")
        if isinstance(position, yamm.Position):
            return _choose_yamm(position, draw)
        action: Action = draw.choice(position.actions)
        return action


def _choose_yamm(position: yamm.Position, draw: Random) -> yamm.Action:
    turn = cast(Turn, position.turn)
    if turn.throws < THROWS:
        free = list(turn.dice.faces)
        for locked in turn.locked.faces:
            free.remove(locked)
        kept = from_faces([*turn.locked.faces, *(face for face in free if draw.random() < EVEN)])
        if kept.count < DICE:
            return yamm.KeepDice(Keep(kept))
    sheet = position.sheets[cast(int, position.sheet)]
    return yamm.Write(draw.choice(list(sheet.open_cells)))
