"""Statistics of your own finished games."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response

from dicecup.hosting.dice_statistics import dice_statistics
from dicecup.table.setup import DiceOf
from dicecup.web.http_messages import DiceStatistics, OwnStatistics
from dicecup.web.requests import Context, KnownIdentity, answer
from dicecup.web.tables import dice_message

router = APIRouter(prefix="/api", tags=["people"])


@router.get("/statistics", response_model=OwnStatistics)
async def my_games(context: Context, identity: KnownIdentity) -> Response:
    """Your finished games with losses, luck and dice. Games without a review are reviewed now; ask
    again for them."""
    games, waiting = ([], 0) if identity is None else await context.tables.own_games.of(identity)
    return answer({"games": games, "dice": {kind: _own_dice(games, kind) for kind in DiceOf}, "waiting": waiting})


def _own_dice(games: Sequence[dict[str, Any]], kind: DiceOf) -> DiceStatistics:
    """Return the statistics of the dice of one kind that the identity itself threw at tables of
    the server."""
    counted = [game for game in games if game["dice"] == kind and not game["on_device"]]
    own = [[player for player in game["players"] if player["mine"]] for game in counted]
    faces = [sum(player["faces"][face] for players in own for player in players) for face in range(6)]
    return dice_message(len(own), dice_statistics(faces))
