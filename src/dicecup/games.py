"""The registry of games: a game id names the rules, and every text of a game is read through them.

>>> from dicecup import games
>>> games.from_id("yam-master(captured=out)").id
'yam-master(captured=out)'
>>> games.position("yam-master", "5/5/5/5/5 x 1:11346 12-12 1").actions[0]
KeepDice(kept=dice(''), defi=False)
"""

from functools import lru_cache
from typing import Final, TypeAlias

from dicecup import yam_master, yamm
from dicecup.core.errors import GameError, TextCode
from dicecup.core.ids import split_id

Game: TypeAlias = yam_master.YamMaster | yamm.Yamm
"""The rules of either game with its options."""
Position: TypeAlias = yam_master.Position | yamm.Position
Action: TypeAlias = yam_master.Action | yamm.Action

NAMES: Final = ("yam-master", "yamm")


@lru_cache(maxsize=64)
def from_id(text: str) -> Game:
    """The game of a canonical game id. Raises `GameError` (`not-a-game`, `unknown-option`, `option-…`)."""
    name, _ = split_id(text)
    if name == "yam-master":
        return yam_master.YamMaster(yam_master.Options.from_id(text))
    if name == "yamm":
        return yamm.Yamm(yamm.Options.from_id(text))
    raise GameError(TextCode.NOT_A_GAME, text=text)


def position(game_id: str, text: str) -> Position:
    """The position of a canonical text. Raises `GameError`, `TextError`, or `PositionError` with everything that is wrong."""
    return from_id(game_id).position(text)
