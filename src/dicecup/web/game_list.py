"""The registered games over HTTP: options, levels and numbers of players, as each game declares
them."""

from functools import lru_cache

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

from dicecup import games
from dicecup.analysis.registry import ANALYSED
from dicecup.table.descriptions import description
from dicecup.web.http_messages import Games
from dicecup.web.requests import Context, cached_answer

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", response_model=Games, responses={304: {"description": "The client has the newest list"}})
async def all_games(context: Context, request: Request) -> Response:
    """Every game that this server can host, with its options, its levels and how many
    can play it."""
    names = games.names()
    return cached_answer(request, _encoded(names, tuple(context.tables.kernels.preparing(games.rules(name)) for name in names)))


@lru_cache
def _encoded(names: tuple[str, ...], preparing: tuple[tuple[str, ...], ...]) -> bytes:
    """Return the answer for these games, and the levels of each that get ready, as JSON."""
    found = [
        description(rules, rules.levels, analysed=rules.name in ANALYSED, preparing=levels)
        for rules, levels in zip(map(games.rules, names), preparing, strict=True)
    ]
    return to_json({"games": found})
