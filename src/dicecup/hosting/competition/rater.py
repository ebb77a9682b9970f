"""Rates games: any worker rates the finished rated games that wait, each once, in order.

The ratings follow from the log of rated games alone. Replaying the log gives the same ratings.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from dicecup.hosting.competition.rated_game import RatedGame, Refusal, game_of
from dicecup.hosting.competition.rating import WITHIN, Change, Held, changes, opponents, share_of
from dicecup.hosting.competition.strength import Strength
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import AuditEntry, note
from dicecup.hosting.store.competition_models import BOARDS
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.rating_models import RATED_GAMES, RATING_CHANGES, RATINGS
from dicecup.hosting.store.rows import RatedRow
from dicecup.hosting.store.statements import upsert

INTERVAL: Final = 1.0
"""Seconds between two looks at the log of rated games."""
BATCH: Final = 50
"""Games that one transaction rates."""
_LOCK: Final = 0x72617465
"""Key of PostgreSQL's advisory lock: any number that is the same in every worker."""
_TAKE: Final = text("SELECT set_config('idle_in_transaction_session_timeout', '60s', true), pg_advisory_xact_lock(:lock)")


class Recomputed(NamedTuple):
    """How many games the log has that count, how many ratings follow from them, and how many of
    these differ from what was saved."""

    games: int
    ratings: int
    changed: int


class Rater:
    """Rates the games of a database. `review` gets the tables of rated games, so that they are
    reviewed in the background."""

    def __init__(self, store: Store, review: Callable[[Iterable[str]], None]) -> None:
        self._store = store
        self._review = review

    async def run(self) -> None:
        """Rate all games that wait. Raises `StoreError`."""
        while await self._any_waits():
            rated: list[str] = await _transaction(self._store, _rate_next)
            self._review(rated)

    async def _any_waits(self) -> bool:
        with translated():
            async with self._store.engines.readers.connect() as connection:
                waiting = select(RATED_GAMES.c.table_id).where(RATED_GAMES.c.number.is_(None)).limit(1)
                return (await connection.execute(waiting)).first() is not None


async def recompute(store: Store, also: Callable[[Connection], None] | None = None) -> Recomputed:
    """Replay the log of rated games and save the ratings that follow from it. `also` runs before,
    in the same transaction. Raises `StoreError` and what `also` raises."""
    found: Recomputed = await _transaction(store, partial(_recompute, also=also))
    return found


async def cancel(store: Store, table: str, entry: AuditEntry) -> Recomputed:
    """Take a rated game out of the count, and save the ratings that follow without it.

    Raises `HostingError` (`not-rated`) for a table that has no rated game, and `StoreError`.
    """

    def also(connection: Connection) -> None:
        row = RATED_GAMES.c.table_id == table
        cancelled = update(RATED_GAMES).where(row, RATED_GAMES.c.refusal.is_(None)).values(refusal=Refusal.CANCELLED.value)
        if not connection.execute(cancelled).rowcount:
            raise HostingError(HostingCode.NOT_RATED, text=table)
        note(connection, entry)

    return await recompute(store, also)


async def _transaction(store: Store, work: Callable[[Connection], Any]) -> Any:
    """Return the result of `work` in a transaction that no other worker's rating runs beside."""
    if not store.shared:
        return await store.writer.work(work)  # SQLite's transaction locks the file
    beside = store.engines.readers.execution_options(isolation_level="READ COMMITTED")
    with translated():
        async with beside.begin() as connection:
            await connection.execute(_TAKE, {"lock": _LOCK})
            return await connection.run_sync(work)


def _rate_next(connection: Connection) -> list[str]:
    """Rate the next games and return the tables of those that count."""
    waiting = select(RATED_GAMES).where(RATED_GAMES.c.number.is_(None)).order_by(RATED_GAMES.c.ended, RATED_GAMES.c.table_id)
    last = connection.execute(select(func.max(RATED_GAMES.c.number))).scalar_one() or 0
    rated: list[str] = []
    for number, row in enumerate(connection.execute(waiting.limit(BATCH)).all(), last + 1):
        connection.execute(update(RATED_GAMES).where(RATED_GAMES.c.table_id == row.table_id).values(number=number))
        game = _game(row)
        if game.refusal is None:
            _rate(connection, game, number)
            boards = connection.execute(_BOARDS, {"event": game.table}).scalars().all()
            rated.extend(boards or [game.table])
    return rated


def _rate(connection: Connection, game: RatedGame, number: int) -> None:
    """Save what a game that counts changes."""
    known = connection.execute(_HELD, {"identities": game.people, "pool": game.pool})
    held = {row.identity: Held(Strength(row.rating, row.deviation, row.volatility), row.games, row.updated) for row in known}
    between = [_games_between(connection, game, *pair) for pair in opponents(game)]
    made = changes(game, held, share_of(min(between, default=0)))
    connection.execute(upsert(RATINGS, connection.dialect.name), [_rating_row(game, change) for change in made])
    connection.execute(insert(RATING_CHANGES), [_change_row(game, number, change) for change in made])


def _games_between(connection: Connection, game: RatedGame, one: str, other: str) -> int:
    """Return how many games of two people in the pool counted within the last `WITHIN` seconds."""
    values = {"one": one, "other": other, "pool": game.pool, "since": game.ended - WITHIN}
    return int(connection.execute(_BETWEEN, values).scalar_one())


def _recompute(connection: Connection, also: Callable[[Connection], None] | None) -> Recomputed:
    if also is not None:
        also(connection)
    before = _all_ratings(connection)
    connection.execute(delete(RATINGS))
    connection.execute(delete(RATING_CHANGES))
    counted = select(RATED_GAMES).where(RATED_GAMES.c.number.is_not(None), RATED_GAMES.c.refusal.is_(None))
    rows = connection.execute(counted.order_by(RATED_GAMES.c.number)).all()
    for row in rows:
        _rate(connection, _game(row), row.number)
    after = _all_ratings(connection)
    changed = sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())
    return Recomputed(len(rows), len(after), changed)


def _all_ratings(connection: Connection) -> dict[tuple[str, str], tuple[Any, ...]]:
    return {(row.identity, row.pool): tuple(row) for row in connection.execute(select(RATINGS))}


def _game(row: Any) -> RatedGame:
    return game_of(RatedRow(row.table_id, row.ended, row.pool, row.body, row.refusal))


def _rating_row(game: RatedGame, change: Change) -> dict[str, object]:
    strength, games, updated = change.held
    return {"identity": change.identity, "pool": game.pool, "games": games, "updated": updated} | strength._asdict()


def _change_row(game: RatedGame, number: int, change: Change) -> dict[str, object]:
    strength = change.held.strength
    return {
        "identity": change.identity,
        "number": number,
        "pool": game.pool,
        "table_id": game.table,
        "ended": game.ended,
        "before": change.before.rating,
        "rating": strength.rating,
        "deviation": strength.deviation,
        "share": change.share,
    }


_BOARDS: Final = select(BOARDS.c.table_id).where(BOARDS.c.event == bindparam("event"))
_HELD: Final = select(RATINGS).where(
    RATINGS.c.identity.in_(bindparam("identities", expanding=True)), RATINGS.c.pool == bindparam("pool")
)
_OTHER: Final = RATING_CHANGES.alias("other")
_BETWEEN: Final = (
    select(func.count())
    .select_from(RATING_CHANGES)
    .join(_OTHER, _OTHER.c.number == RATING_CHANGES.c.number)
    .where(
        RATING_CHANGES.c.identity == bindparam("one"),
        RATING_CHANGES.c.pool == bindparam("pool"),
        RATING_CHANGES.c.ended > bindparam("since"),
        _OTHER.c.identity == bindparam("other"),
    )
)
