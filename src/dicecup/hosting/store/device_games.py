"""Storage of the games that people played on their devices."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import DEVICE_GAMES
from dicecup.hosting.store.reviews import REVIEWED_BY
from dicecup.hosting.store.rows import Digest, SeatedIdentity
from dicecup.hosting.store.statements import insert_if_missing
from dicecup.hosting.store.store import PAGE, Store


async def save_game(store: Store, game: Digest, joined: float, record: str) -> bool:
    """Save a game of the only identity of its digest, and return whether it was new. A known game
    stays as it is. Raises `StoreError`."""
    assert game.seats is not None
    (own,) = game.seats
    row = {
        "identity": own.identity,
        "table_id": game.table,
        "game": game.game,
        "created": game.created,
        "joined": joined,
        "outcome": own.outcome,
        "seats": ",".join(map(str, own.seats)),
        "summary": game.summary,
        "record": record,
    }

    def work(connection: Connection) -> bool:
        return connection.execute(insert_if_missing(DEVICE_GAMES, connection.dialect.name), row).rowcount > 0

    return await store.writer.work(work)


async def games_of(store: Store, identity: str) -> list[Digest]:
    """Return the digests of the newest games of an identity. Raises `StoreError`."""
    return [
        Digest(row.table_id, row.game, "over", row.created, None, None, row.summary, (_own(identity, row),))
        for row in await _rows(store, _GAMES_OF, identity=identity)
    ]


async def record_of_game(store: Store, identity: str, table: str) -> str | None:
    """Return the record of a game of an identity, `None` if it has no such game. Raises
    `StoreError`."""
    rows = await _rows(store, _RECORD, identity=identity, table=table)
    return str(rows[0].record) if rows else None


async def facts_of_games(store: Store, identity: str) -> dict[str, str]:
    """Return the facts of those of the newest games of an identity that this version of Dicecup
    has reviewed. Raises `StoreError`."""
    return {row.table_id: row.facts for row in await _rows(store, _FACTS, identity=identity)}


async def save_facts(store: Store, identity: str, table: str, facts: str) -> None:
    """Save the facts of a game. Raises `StoreError`."""
    reviewed = update(DEVICE_GAMES).where(DEVICE_GAMES.c.identity == identity, DEVICE_GAMES.c.table_id == table)
    values = {"facts": facts, "reviewed_by": REVIEWED_BY}
    await store.writer.work(lambda connection: connection.execute(reviewed.values(values)))


async def delete_joined_before(store: Store, time: float) -> int:
    """Delete the games that joined before a time and return their number. Raises `StoreError`."""
    old = delete(DEVICE_GAMES).where(DEVICE_GAMES.c.joined < time)
    return await store.writer.work(lambda connection: connection.execute(old).rowcount)


async def _rows(store: Store, query: Any, **values: str) -> Sequence[Row[Any]]:
    with translated():
        async with store.engines.readers.connect() as connection:
            return (await connection.execute(query, values)).all()


def _own(identity: str, row: Row[Any]) -> SeatedIdentity:
    return SeatedIdentity(identity, tuple(int(seat) for seat in row.seats.split(",") if seat), row.outcome)


_NEWEST = (
    select(DEVICE_GAMES.c.table_id)
    .where(DEVICE_GAMES.c.identity == bindparam("identity"))
    .order_by(DEVICE_GAMES.c.created.desc(), DEVICE_GAMES.c.table_id)
    .limit(PAGE)
)
_GAMES_OF = _NEWEST.add_columns(*(DEVICE_GAMES.c[name] for name in ("game", "created", "outcome", "seats", "summary")))
_FACTS = _NEWEST.add_columns(DEVICE_GAMES.c.facts).where(DEVICE_GAMES.c.reviewed_by == REVIEWED_BY)
_RECORD = select(DEVICE_GAMES.c.record).where(
    DEVICE_GAMES.c.identity == bindparam("identity"), DEVICE_GAMES.c.table_id == bindparam("table")
)
