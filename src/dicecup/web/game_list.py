"""The registered games over HTTP: options, levels and numbers of players, as each game declares
them."""

import hashlib
from contextlib import suppress
from functools import cache

from fastapi import APIRouter, Request, Response

from dicecup import games
from dicecup.analysis.registry import ANALYSED
from dicecup.core.errors import GameError
from dicecup.core.game import Rules
from dicecup.web.http_messages import GameDescription, GameOption, Games, PlayerLimits

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", response_model=Games, responses={304: {"description": "The client has the newest list"}})
async def all_games(request: Request) -> Response:
    """Every game that this server can host, with its options, its levels and how many
    can play it."""
    body, etag = _encoded(games.names())
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in known:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


@cache
def _encoded(names: tuple[str, ...]) -> tuple[bytes, str]:
    """Return the answer for these games as JSON, and its entity tag."""
    body = Games(games=[_description(games.rules(name)) for name in names]).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _description(rules: type[Rules]) -> GameDescription:
    """Return what a game declares of itself as an answer of the API."""
    options = [
        GameOption(
            name=option.name,
            values=[str(value) for value in option.values],
            default=str(option.default),
            text_key=option.text_key,
        )
        for option in rules.option_list
    ]
    return GameDescription(
        id=rules.name,
        options=options,
        levels=list(rules.levels),
        players=_player_limits(rules),
        first_player=rules.first_player.value,
        scoring=rules.scoring.value,
        analysed=rules.name in ANALYSED,
    )


def _player_limits(rules: type[Rules]) -> PlayerLimits:
    """Return the least and the greatest number of players over the default game and each single
    changed option."""
    counts = [rules.from_id(rules.name).players]
    for option in rules.option_list:
        for value in option.values:
            # the default value, or a value that needs another option with it
            with suppress(GameError):
                counts.append(rules.from_id(f"{rules.name}({option.name}={value})").players)
    return PlayerLimits(least=min(counts), most=max(counts))
