"""The levels of the computer players, by name."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import LEVELS, Action, Position, Rules
from dicecup.players import yam_master, yamm
from dicecup.players.player import Corrects, Evaluates, Player

_TRAINED: Final[Mapping[str, Mapping[str, Callable[[str], Any]]]] = {
    "yam-master": yam_master.PLAYERS,
    "yamm": yamm.PLAYERS,
}
"""Name of a game → level → the function that makes the player from a seed."""
_UNTRAINED_OPTIONS: Final[Mapping[str, Callable[[Any], tuple[str, ...]]]] = {
    "yam-master": yam_master.untrained_options,
    "yamm": yamm.untrained_options,
}
"""Name of a game → the function that returns its untrained options."""

_TABLE_FILES: Final[Mapping[str, Callable[[Any], Path | None]]] = {
    "yam-master": yam_master.table_file,
    "yamm": yamm.table_file,
}
"""Name of a game → the function that returns the file with its tables."""


class TrainedPlayer:
    """A level that uses trained tables.

    It has one player for each game, which it creates at the first position of the game.
    """

    def __init__(self, level: str, seed: str) -> None:
        self.level = level
        self._player = cache(lambda name: cast(Player, _TRAINED[name][level](seed)))

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`.

        Raises `TablesError`, and `GameError` (`option-value`) for a game without this level.
        """
        return self._of(position).choose(position)

    def evaluate(self, position: Position) -> tuple[Action, float | None]:
        """Return the choice and its value, `None` at levels that draw their choice. Raises as
        `choose`."""
        player = self._of(position)
        return player.evaluate(position) if isinstance(player, Evaluates) else (player.choose(position), None)

    def correct(self, position: Position, side: int) -> Action | None:
        """Return a correction of the last result of this side, or `None`. Raises as `choose`."""
        player = self._of(position)
        return player.correct(position, side) if isinstance(player, Corrects) else None

    def _of(self, position: Position) -> Player:
        """Return the player of the position's game. Raises as `choose`."""
        if self.level not in levels_for(position.game):
            raise GameError(TextCode.OPTION_VALUE, option="player", value=self.level)
        return self._player(position.game.name)


def create(level: str, seed: str = "") -> Player:
    """Return a player of this level for every game that has the level.

    The players that choose at random use `seed`. Raises `GameError` (`option-value`) for an unknown
    level.
    """
    if level == "random":
        from dicecup.players.random import RandomPlayer

        return RandomPlayer(seed)
    if level == "greedy":
        from dicecup.players.greedy import GreedyPlayer

        return GreedyPlayer()
    if level not in LEVELS:
        raise GameError(TextCode.OPTION_VALUE, option="player", value=level)
    return TrainedPlayer(level, seed)


def levels_for(game: Rules) -> tuple[str, ...]:
    """Return the levels that exist for a game, a part of `LEVELS` in the same order."""
    return LEVELS if game.name in _TRAINED else LEVELS[:1]


def untrained_options(game: Rules) -> tuple[str, ...]:
    """Return the names of the options whose values differ from those of the training.

    If there are any, the tables value later turns by other rules than those of the game.
    """
    return _UNTRAINED_OPTIONS[game.name](game) if game.name in _UNTRAINED_OPTIONS else ()


def table_file(game: Rules) -> Path | None:
    """Return the file with the tables of a game, `None` for a game without tables."""
    return _TABLE_FILES[game.name](game) if game.name in _TABLE_FILES else None
