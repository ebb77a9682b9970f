"""Ratings as people read them: those of a person with their history, of the people at a table, and
of all in a pool."""

from typing import Any, Final, NamedTuple

from sqlalchemy import Select, bindparam, or_, select

from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.pools import Pool, pool_of
from dicecup.hosting.competition.rated_game import event_of
from dicecup.hosting.competition.rating import Held
from dicecup.hosting.competition.strength import NEW, PROVISIONAL, Strength
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import ACCOUNTS, BANS
from dicecup.hosting.store.rating_models import RATED_GAMES, RATING_CHANGES, RATINGS
from dicecup.table.state import TableState

HISTORY: Final = 100
"""Newest games in the history of a rating."""
LISTED: Final = 100
"""People on a leaderboard."""
MOST_READ: Final = 500
"""Ratings that are read for a leaderboard. Some of them have grown uncertain since."""


class Point(NamedTuple):
    """A rating after a game that ended at `time`, in seconds since 1970."""

    time: float
    rating: float


class PoolRating(NamedTuple):
    """The rating of a person in a pool now, and after each of the newest games, the last one
    last."""

    pool: str
    strength: Strength
    games: int
    history: tuple[Point, ...]


class Ranked(NamedTuple):
    """A person on a leaderboard."""

    handle: str
    strength: Strength
    games: int


class SeatRating(NamedTuple):
    """The rating of who sits on a seat. `change`: what this game changed, `None` before; `share`:
    the part of the change that counted."""

    seat: int
    strength: Strength
    change: float | None
    share: float | None


class TableRatings(NamedTuple):
    """The ratings at a rated table. `state`: `playing`, `in-event` until the other games of its
    pair or table of four are over, `waiting` until the game is rated, `counted`, or `not-counted`
    with the code of the reason in `refusal`."""

    pool: str
    state: str
    refusal: str | None
    seats: tuple[SeatRating, ...]


async def ratings_of(store: Store, identity: str, now: float) -> list[PoolRating]:
    """Return the ratings of a person, by pool. Raises `StoreError`."""
    found = []
    for row in await _rows(store, _OWN, identity=identity):
        history = await _rows(store, _HISTORY, identity=identity, pool=row.pool)
        points = tuple(Point(change.ended, change.rating) for change in reversed(history))
        found.append(PoolRating(row.pool, _held(row).at(now), row.games, points))
    return found


async def strengths_of(store: Store, identity: str, now: float) -> dict[str, Strength]:
    """Return the ratings of a person now, by the name of the pool. Raises `StoreError`."""
    return {row.pool: _held(row).at(now) for row in await _rows(store, _OWN, identity=identity)}


async def leaderboard(store: Store, pool: Pool, now: float) -> list[Ranked]:
    """Return the people with the highest ratings in a pool: those with a public account who are not
    banned, and whose rating is not provisional. Raises `StoreError`."""
    rows = await _rows(store, _LEADING, pool=str(pool), now=now, most=PROVISIONAL)
    ranked = [Ranked(row.handle, _held(row).at(now), row.games) for row in rows]
    return [each for each in ranked if not each.strength.is_provisional][:LISTED]


async def rated_pools(store: Store) -> list[str]:
    """Return the names of the pools in which a person has a rating. Raises `StoreError`."""
    return sorted(row.pool for row in await _rows(store, select(RATINGS.c.pool).distinct()))


async def ratings_at(store: Store, state: TableState, now: float) -> TableRatings | None:
    """Return the ratings of those who sit at a table, `None` unless its game is rated. Raises
    `StoreError`."""
    if not state.setup.rated:
        return None
    rated = event_of(state.setup) or state.table
    games = await _rows(store, select(RATED_GAMES).where(RATED_GAMES.c.table_id == rated))
    pool = games[0].pool if games else str(pool_of(state.setup))
    identities = [held.identity for held in state.seats if held.identity is not None]
    known = {row.identity: _held(row) for row in await _rows(store, _AT_TABLE, identities=identities, pool=pool)}
    changes = {row.identity: row for row in await _rows(store, _CHANGES, table=rated)}
    levels = level_strengths(state.rules.name)
    seats = []
    for seat, held in enumerate(state.seats):
        change = None if held.identity is None else changes.get(held.identity)
        if held.identity is not None:
            strength = known[held.identity].at(now) if held.identity in known else NEW
            if change is not None:
                strength = strength._replace(rating=change.rating, deviation=change.deviation)
        elif held.level in levels:
            strength = levels[held.level]
        else:
            continue
        changed, share = (None, None) if change is None else (change.rating - change.before, change.share)
        seats.append(SeatRating(seat, strength, changed, share))
    return TableRatings(pool, *_progress(state, games), tuple(seats))


def _progress(state: TableState, games: list[Any]) -> tuple[str, str | None]:
    """Return how far the rating of a game is, and why it does not count."""
    if state.end is None:
        return "playing", None
    if not games:
        return ("in-event", None) if event_of(state.setup) else ("not-counted", "closed")
    (game,) = games
    if game.refusal is not None:
        return "not-counted", game.refusal
    return ("waiting" if game.number is None else "counted"), None


def _held(row: Any) -> Held:
    return Held(Strength(row.rating, row.deviation, row.volatility), row.games, row.updated)


async def _rows(store: Store, query: Select[Any], **values: object) -> list[Any]:
    with translated():
        async with store.engines.readers.connect() as connection:
            return list((await connection.execute(query, values)).all())


_OWN: Final = select(RATINGS).where(RATINGS.c.identity == bindparam("identity")).order_by(RATINGS.c.pool)
_AT_TABLE: Final = select(RATINGS).where(
    RATINGS.c.identity.in_(bindparam("identities", expanding=True)), RATINGS.c.pool == bindparam("pool")
)
_HISTORY: Final = (
    select(RATING_CHANGES.c.ended, RATING_CHANGES.c.rating)
    .where(RATING_CHANGES.c.identity == bindparam("identity"), RATING_CHANGES.c.pool == bindparam("pool"))
    .order_by(RATING_CHANGES.c.number.desc())
    .limit(HISTORY)
)
_CHANGES: Final = select(RATING_CHANGES).where(RATING_CHANGES.c.table_id == bindparam("table"))
_LEADING: Final = (
    select(RATINGS, ACCOUNTS.c.handle)
    .join(ACCOUNTS, ACCOUNTS.c.identity == RATINGS.c.identity)
    .join(BANS, BANS.c.identity == RATINGS.c.identity, isouter=True)
    .where(
        RATINGS.c.pool == bindparam("pool"),
        RATINGS.c.deviation <= bindparam("most"),
        ACCOUNTS.c.public,
        or_(BANS.c.until.is_(None), BANS.c.until <= bindparam("now")),
    )
    .order_by(RATINGS.c.rating.desc(), ACCOUNTS.c.handle)
    .limit(MOST_READ)
)
