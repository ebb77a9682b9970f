"""Storage of the reviews of finished games. A review by another version of Dicecup, or with other
facts, does not count."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select

from dicecup import __version__
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import REVIEWS
from dicecup.hosting.store.store import Store

REVIEWED_BY: Final = f"{__version__}+themes"
"""The version of Dicecup, and the last thing that the facts of a game got."""
_CURRENT = select(REVIEWS.c.table_id, REVIEWS.c.facts).where(
    REVIEWS.c.table_id.in_(bindparam("tables", expanding=True)), REVIEWS.c.made_by == REVIEWED_BY
)


async def reviews_of(store: Store, tables: Iterable[str]) -> dict[str, str]:
    """Return the stored review of each of these tables that has one, as JSON. Raises
    `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            found = await connection.execute(_CURRENT, {"tables": list(tables)})
            return {row.table_id: row.facts for row in found}


async def save_review(store: Store, table: str, facts: str) -> None:
    """Save the review of a table in place of an earlier one. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        connection.execute(delete(REVIEWS).where(REVIEWS.c.table_id == table))
        connection.execute(insert(REVIEWS).values(table_id=table, made_by=REVIEWED_BY, facts=facts))

    await store.writer.work(work)
