"""The levels by name, and for each of them a player who sits down at either game."""

from collections.abc import Callable
from functools import cache
from typing import Final, Protocol, TypeVar

from dicecup import yam_master, yamm
from dicecup.core.errors import GameError, TextCode
from dicecup.games import Action, Position
from dicecup.players.player import Corrects, Player

LEVELS: Final = ("random", "greedy", "novice", "casual", "club", "expert", "master")
"""The names of the players. `random` and `greedy` know no tables; the others stand in the order of their strength. In Yam Master `greedy` plays
better than `novice`."""
_Position = TypeVar("_Position", contravariant=True)
_Action = TypeVar("_Action", covariant=True)


class PlaysOne(Protocol[_Position, _Action]):
    """A player of one game."""

    def choose(self, position: _Position) -> _Action:
        """One of `position.actions`."""
        ...


class PlaysBoth:
    """One player for each game, made when the first position of that game comes."""

    def __init__(
        self,
        of_yam_master: Callable[[], PlaysOne[yam_master.Position, yam_master.Action]],
        of_yamm: Callable[[], PlaysOne[yamm.Position, yamm.Action]],
    ) -> None:
        self._of_yam_master = cache(of_yam_master)
        self._of_yamm = cache(of_yamm)

    def choose(self, position: Position) -> Action:
        """One of `position.actions`. Raises `TablesError`."""
        if isinstance(position, yamm.Position):
            return self._of_yamm().choose(position)
        return self._of_yam_master().choose(position)

    def correct(self, position: yamm.Position, sheet: int) -> yamm.Correct | None:
        """Where the last result of this sheet would better stand; `None` for those who never look back. Raises `TablesError`."""
        player = self._of_yamm()
        return player.correct(position, sheet) if isinstance(player, Corrects) else None


def create(level: str, seed: str = "") -> Player:
    """The player of this level, for both games. `seed` feeds those that choose by chance. Raises `GameError` (`option-value`)."""
    if level == "random":
        from dicecup.players.random import RandomPlayer

        return RandomPlayer(seed)
    if level == "greedy":
        from dicecup.players.greedy import GreedyPlayer

        return GreedyPlayer()
    if level not in LEVELS:
        raise GameError(TextCode.OPTION_VALUE, option="player", value=level)
    from dicecup.players.yam_master_expert import YamMasterExpert
    from dicecup.players.yam_master_graded import YamMasterGraded
    from dicecup.players.yam_master_master import YamMasterMaster
    from dicecup.players.yamm_expert import YammExpert
    from dicecup.players.yamm_graded import YammGraded
    from dicecup.players.yamm_master import YammMaster

    if level == "expert":
        return PlaysBoth(YamMasterExpert, YammExpert)
    if level == "master":
        return PlaysBoth(YamMasterMaster, YammMaster)
    return PlaysBoth(lambda: YamMasterGraded(level, seed), lambda: YammGraded(level, seed))
