"""Accuracy: the mean loss of a decision in the newest rated games of a person.

It comes from the reviews of these games. The luck of the dice is not in it, and it never changes a
rating.
"""

import json
from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, select

from dicecup.hosting.own_games import OwnGames
from dicecup.hosting.store import Store
from dicecup.hosting.store.competition_models import BOARDS
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import TABLES
from dicecup.hosting.store.rating_models import RATING_CHANGES
from dicecup.hosting.store.reviews import reviews_of

GAMES: Final = 20
"""The newest rated games that count."""
FEWEST: Final = 3
"""Games that an interval needs."""


class Accuracy(NamedTuple):
    """The mean `loss` of `decisions` in `games`, in a `unit`; `half` is half of its 95 % interval,
    `None` for fewer than `FEWEST` games. `waiting`: games that are not reviewed yet."""

    loss: float | None
    half: float | None
    decisions: int
    games: int
    unit: str | None
    waiting: int


def accuracy(games: Sequence[tuple[float, int]], unit: str | None = None, waiting: int = 0) -> Accuracy:
    """Return the accuracy in games of which the loss and the number of decisions are given.

    A mean over all decisions is a ratio of two sums. Its error comes from how much the games differ
    from it, since the decisions of one game depend on each other.
    """
    decisions = sum(number for _, number in games)
    if not decisions:
        return Accuracy(None, None, 0, len(games), unit, waiting)
    mean, count = sum(loss for loss, _ in games) / decisions, len(games)
    half = None
    if count >= FEWEST:
        spread = sum((loss - mean * number) ** 2 for loss, number in games)
        half = 1.96 * sqrt(count / (count - 1) * spread) / decisions
    return Accuracy(mean, half, decisions, count, unit, waiting)


async def accuracy_of(store: Store, own_games: OwnGames, identity: str, game: str) -> Accuracy:
    """Return the accuracy of a person in the game with this name. Games without a review are
    reviewed in the background. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            values = {"identity": identity, "game": f"{game}:%"}
            tables = list((await connection.execute(_NEWEST, values)).scalars())
    reviews = await reviews_of(store, tables)
    own_games.review([table for table in tables if table not in reviews])
    found, unit = [], None
    for text in reviews.values():
        facts = json.loads(text)
        own = [at for at, seat in enumerate(facts["seats"]) if seat["identity"] == identity]
        players = [facts["players"][at] for at in own]
        if facts["unit"] is not None and len(players) == 1:
            unit = facts["unit"]
            found.append((players[0]["loss"], players[0]["decisions"]))
    return accuracy(found, unit, len(tables) - len(reviews))


_NEWEST: Final = (
    select(TABLES.c.table_id)
    .select_from(RATING_CHANGES)
    .join(BOARDS, BOARDS.c.event == RATING_CHANGES.c.table_id, isouter=True)  # the games of a pair or of a table of four
    .join(TABLES, TABLES.c.table_id == func.coalesce(BOARDS.c.table_id, RATING_CHANGES.c.table_id))
    .where(RATING_CHANGES.c.identity == bindparam("identity"), RATING_CHANGES.c.pool.like(bindparam("game")))
    .order_by(RATING_CHANGES.c.number.desc(), BOARDS.c.board)
    .limit(GAMES)
)
