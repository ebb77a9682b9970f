"""Profiles of public accounts: how much and how well they play, and their newest public games."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, select

from dicecup.hosting.own_games import OwnGames
from dicecup.hosting.people.accounts import Account
from dicecup.hosting.people.archive import MOST_READ, PAGE, Game, Place, Search, search
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import EVENTS

RECENT: Final = 10
"""Public games of a profile."""


class GameSummary(NamedTuple):
    """What a profile says of one game.

    - `games`: how many games at tables have ended.
    - `won`, `drawn`, `lost`: how many of them ended so. A game without an opponent has no result.
    - `loss`: mean loss of a decision in reviewed games in a `unit`; both `None` without a review.
    - `decisions`: the number of decisions in reviewed games.
    """

    game: str
    games: int
    won: int
    drawn: int
    lost: int
    loss: float | None
    decisions: int
    unit: str | None


async def summaries(store: Store, own_games: OwnGames, account: Account) -> list[GameSummary]:
    """Return what the profile of a person says of each game. Games on devices do not count, as in
    all comparisons. Raises `StoreError`."""
    outcomes: dict[str, Counter[str | None]] = defaultdict(Counter)
    for (game, outcome), number in (await store.outcomes_of(account.identity)).items():
        outcomes[game.partition("(")[0]][outcome] += number
    losses: dict[str, list[tuple[float, int, str]]] = defaultdict(list)
    reviewed, _ = await own_games.of(account.identity)
    for each in reviewed:
        mine = [player for player in each["players"] if player["mine"] and player.get("loss") is not None]
        if each["unit"] is not None and not each["on_device"] and len(mine) == 1:
            name = each["game"].partition("(")[0]
            losses[name].append((mine[0]["loss"], mine[0]["decisions"], each["unit"]))
    return [_summary(game, outcomes[game], losses[game]) for game in sorted(outcomes)]


def _summary(game: str, outcomes: Counter[str | None], losses: list[tuple[float, int, str]]) -> GameSummary:
    decisions = sum(number for _, number, _ in losses)
    loss = sum(loss for loss, _, _ in losses) / decisions if decisions else None
    unit = losses[0][2] if losses else None
    return GameSummary(game, outcomes.total(), outcomes["won"], outcomes["drawn"], outcomes["lost"], loss, decisions, unit)


async def public_games(store: Store, account: Account) -> list[Game]:
    """Return the newest games of a person at public tables, at most `RECENT` among the newest
    `MOST_READ`. Raises `StoreError`."""
    found: list[Game] = []
    after: Place | None = None
    for _ in range(MOST_READ // PAGE):
        games, after = await search(store, account.identity, Search(), after)
        found += await _public_among(store, [game for game in games if not game.on_device])
        if after is None or len(found) >= RECENT:
            break
    return found[:RECENT]


async def _public_among(store: Store, games: Sequence[Game]) -> list[Game]:
    """Return those of some games at tables whose table was public."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = (await connection.execute(_FIRST, {"tables": [game.table for game in games]})).all()
    public = {row.table_id for row in rows if _is_public(json.loads(row.body))}
    return [game for game in games if game.table in public]


def _is_public(created: dict[str, Any]) -> bool:
    """Return whether the first event of a table makes it public."""
    return created["setup"].get("listing") is not None


_FIRST: Final = select(EVENTS.c.table_id, EVENTS.c.body).where(
    EVENTS.c.table_id.in_(bindparam("tables", expanding=True)), EVENTS.c.number == 1
)
