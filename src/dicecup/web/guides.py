"""Guided first games over HTTP."""

from functools import cache

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

from dicecup import games
from dicecup.table.guides import guide_of, script
from dicecup.web.learning_messages import GuideScript
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import cached_answer

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/guides/{game}", response_model=GuideScript, responses={304: {"description": "The client has the newest script"}})
async def guide(request: Request, game: str) -> Response:
    """The guided first game of a game: its steps, with the updates of a table between them."""
    return cached_answer(request, _encoded(game))


@cache
def _encoded(game: str) -> bytes:
    """Return the script of a game as JSON. Raises `WebError` (`no-such-page`) for a game that has
    no guide."""
    found = guide_of(games.rules(game)) if game in games.names() else None
    if found is None:
        raise WebError(WebCode.NO_SUCH_PAGE, text=f"/api/guides/{game}")
    return to_json(script(found))
