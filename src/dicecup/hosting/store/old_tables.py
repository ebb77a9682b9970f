"""Tables that ended long ago, for their deletion."""

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import FINISHED
from dicecup.hosting.store.store import Store, delete_rows


async def ended_before(store: Store, time: float, limit: int) -> list[str]:
    """Return the tables that ended before a time, the oldest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return list((await connection.execute(_ENDED, {"time": time, "limit": limit})).scalars())


async def delete_tables(store: Store, tables: Sequence[str]) -> None:
    """Delete tables and everything that derives from them in one transaction. Raises
    `StoreError`."""
    await store.writer.work(lambda connection: delete_rows(connection, tables))


_ENDED = (
    select(FINISHED.c.table_id).where(FINISHED.c.ended < bindparam("time")).order_by(FINISHED.c.ended).limit(bindparam("limit"))
)
