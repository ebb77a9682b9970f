"""Tables that ended long ago, for their deletion."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, delete, select

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import (
    EVENTS,
    FINISHED,
    INVITATIONS,
    MUTES,
    NOTICES,
    PRESENCE,
    REPORTS,
    REVIEWS,
    SEATS,
    TABLES,
)
from dicecup.hosting.store.store import Store


async def ended_before(store: Store, time: float, limit: int) -> list[str]:
    """Return the tables that ended before a time, the oldest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return list((await connection.execute(_ENDED, {"time": time, "limit": limit})).scalars())


async def delete_tables(store: Store, tables: Sequence[str]) -> None:
    """Delete tables and everything that derives from them in one transaction. Raises
    `StoreError`."""

    def work(connection: Connection) -> None:
        for kind in (EVENTS, TABLES, SEATS, FINISHED, REVIEWS, PRESENCE, MUTES, REPORTS, INVITATIONS):
            connection.execute(delete(kind).where(kind.c.table_id.in_(tables)))
        connection.execute(delete(NOTICES).where(NOTICES.c.topic.in_(tables)))

    await store.writer.work(work)


_ENDED = (
    select(FINISHED.c.table_id).where(FINISHED.c.ended < bindparam("time")).order_by(FINISHED.c.ended).limit(bindparam("limit"))
)
