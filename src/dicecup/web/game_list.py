"""The registered games over HTTP: options, levels and numbers of players, as each game declares
them."""

from functools import cache

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

from dicecup import games
from dicecup.analysis.registry import ANALYSED
from dicecup.table.descriptions import description
from dicecup.web.http_messages import Games
from dicecup.web.requests import cached_answer

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", response_model=Games, responses={304: {"description": "The client has the newest list"}})
async def all_games(request: Request) -> Response:
    """Every game that this server can host, with its options, its levels and how many
    can play it."""
    return cached_answer(request, _encoded(games.names()))


@cache
def _encoded(names: tuple[str, ...]) -> bytes:
    """Return the answer for these games as JSON."""
    found = [games.rules(name) for name in names]
    return to_json({"games": [description(rules, rules.levels, analysed=rules.name in ANALYSED) for rules in found]})
