"""What somebody's own games say about them."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response

from dicecup.hosting.dice_statistics import dice_statistics
from dicecup.table.setup import DiceOf
from dicecup.web.messages import DiceStatistics, OwnStatistics
from dicecup.web.requests import AtDesk, Person, answer
from dicecup.web.tables import told_statistics

router = APIRouter(prefix="/api", tags=["people"])


@router.get("/statistics", response_model=OwnStatistics)
async def my_games(desk: AtDesk, identity: Person) -> Response:
    """Your finished games with losses, luck and dice; those that were not reviewed yet come a little later."""
    games, waiting = ([], 0) if identity is None else await desk.hub.own_games.of(identity)
    return answer({"games": games, "dice": {kind: _thrown(games, kind) for kind in DiceOf}, "waiting": waiting})


def _thrown(games: Sequence[dict[str, Any]], kind: DiceOf) -> DiceStatistics:
    """What they themselves threw with these dice."""
    own = [[player for player in game["players"] if player["mine"]] for game in games if game["dice"] == kind]
    faces = [sum(player["faces"][face] for players in own for player in players) for face in range(6)]
    return told_statistics(len(own), dice_statistics(faces))
