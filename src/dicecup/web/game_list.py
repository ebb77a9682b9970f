"""The registered games over HTTP: options, levels and numbers of players, as each game declares
them."""

from contextlib import suppress
from functools import cache
from typing import Final

from fastapi import APIRouter, Request, Response

from dicecup import games
from dicecup.analysis.registry import ANALYSED
from dicecup.core.errors import GameError
from dicecup.core.game import Option, Rules
from dicecup.table.guides import guide_of
from dicecup.web.http_messages import GameDescription, GameOption, Games, PlayerLimits
from dicecup.web.requests import cached_answer

router = APIRouter(prefix="/api", tags=["games"])

PLAYERS: Final = "players"
"""The option of games that set the number of their players."""


@router.get("/games", response_model=Games, responses={304: {"description": "The client has the newest list"}})
async def all_games(request: Request) -> Response:
    """Every game that this server can host, with its options, its levels and how many
    can play it."""
    return cached_answer(request, _encoded(games.names()))


@cache
def _encoded(names: tuple[str, ...]) -> bytes:
    """Return the answer for these games as JSON."""
    return Games(games=[_description(games.rules(name)) for name in names]).model_dump_json().encode()


def _description(rules: type[Rules]) -> GameDescription:
    """Return what a game declares of itself as an answer of the API."""
    limits = _player_limits(rules)
    return GameDescription(
        id=rules.name,
        options=[_option(rules, option, limits) for option in rules.option_list],
        levels=list(rules.levels),
        players=limits,
        first_player=rules.first_player.value,
        scoring=rules.scoring.value,
        analysed=rules.name in ANALYSED,
        guide=guide_of(rules) is not None,
    )


def _option(rules: type[Rules], option: Option, limits: PlayerLimits) -> GameOption:
    """Return an option, with the numbers of players that each of its values allows."""
    numbers = range(limits.least, limits.most + 1)
    return GameOption(
        name=option.name,
        values=[str(value) for value in option.values],
        default=str(option.default),
        text_key=option.text_key,
        players={
            str(value): [number for number in numbers if _allows(rules, number, option, value)] for value in option.values
        },
    )


def _allows(rules: type[Rules], players: int, option: Option, value: str) -> bool:
    """Return whether this many players can play with this value of an option."""
    player_option = next((other for other in rules.option_list if other.name == PLAYERS), None)
    if option is player_option:
        return value == str(players)
    chosen = {option.name: value} | ({} if player_option is None else {PLAYERS: str(players)})
    changed = [
        f"{other.name}={chosen[other.name]}"
        for other in rules.option_list
        if other.name in chosen and chosen[other.name] != other.default
    ]
    try:
        return rules.from_id(f"{rules.name}({','.join(changed)})" if changed else rules.name).players == players
    except GameError:
        return False


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
