"""The levels of the computer players, by name."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, cast

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import LEVELS, Action, Position, Rules
from dicecup.players import yam_master, yamm
from dicecup.players.player import Corrects, Player
from dicecup.yamm import Correct
from dicecup.yamm import Position as YammPosition

_TRAINED: Final[Mapping[str, Mapping[str, Callable[[str], Any]]]] = {
    "yam-master": yam_master.PLAYERS,
    "yamm": yamm.PLAYERS,
}
"""Name of a game → level → the function that makes the player from a seed."""
_UNTRAINED_OPTIONS: Final[Mapping[str, Callable[[Any], tuple[str, ...]]]] = {
    "yam-master": yam_master.untrained_options,
    "yamm": yamm.untrained_options,
}


class TrainedPlayer:
    """A level that uses trained tables. It has one player for each game, made with the game's first
    position."""

    def __init__(self, level: str, seed: str) -> None:
        self.level = level
        self._player = cache(lambda name: cast(Player, _TRAINED[name][level](seed)))

    def choose(self, position: Position) -> Action:
        """Return one of `position.actions`. Raises `TablesError`, and `GameError` (`option-value`) for a
        game that has no such level."""
        return self._of(position).choose(position)

    def correct(self, position: YammPosition, sheet: int) -> Correct | None:
        """Return a correction of the last result of this sheet, `None` where the player makes none.

        Raises as `choose`."""
        player = self._of(position)
        return player.correct(position, sheet) if isinstance(player, Corrects) else None

    def _of(self, position: Position) -> Player:
        if self.level not in levels_for(position.game):
            raise GameError(TextCode.OPTION_VALUE, option="player", value=self.level)
        return self._player(position.game.name)


def create(level: str, seed: str = "") -> Player:
    """Return a player of this level for every game that has the level.

    `seed` feeds the players that choose by chance. Raises `GameError` (`option-value`) for a level that
    does not exist."""
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
    """Return the names of the options whose values differ from those that the tables were trained for.

    The values of later turns then belong to other rules."""
    return _UNTRAINED_OPTIONS[game.name](game) if game.name in _UNTRAINED_OPTIONS else ()
