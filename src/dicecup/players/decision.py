"""The decision that a position asks of a computer."""

from typing import Any, cast

from dicecup.core.game import Action, Position
from dicecup.players.levels import create
from dicecup.players.player import Corrects


def decide(position: Position, level: str, seed: str) -> Action | None:
    """Return the action of a player of this level.

    While dice are in the air this is the correction of the result that the throw makes final, or
    `None`. Raises `TablesError`, and `GameError` (`option-value`) for an unknown level.
    """
    player = create(level, seed)
    if not position.waiting:
        return player.choose(position)
    if position.player is None or not isinstance(player, Corrects):
        return None
    # Only games with corrections have players that correct.
    return player.correct(cast(Any, position), position.game.side_of_player(position.player))
