"""What somebody's own games say about them."""

from fastapi import APIRouter, Response

from dicecup.web.messages import OwnStatistics
from dicecup.web.requests import AtDesk, Person, answer

router = APIRouter(prefix="/api", tags=["people"])


@router.get("/statistics", response_model=OwnStatistics)
async def my_games(desk: AtDesk, identity: Person) -> Response:
    """Your finished games with losses, luck and dice; those that were not reviewed yet come a little later."""
    games, waiting = ([], 0) if identity is None else await desk.hub.own_games.of(identity)
    return answer({"games": games, "waiting": waiting})
